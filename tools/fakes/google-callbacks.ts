import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

/** The body of a call-back. */
export interface SignedCallback {
  readonly signature: string;
  readonly intermediateSigningKey: { readonly signedKey: string; readonly signatures: readonly string[] };
  readonly protocolVersion: string;
  readonly signedMessage: string;
}

/** A report, and the fault that it shall have. */
export interface CallbackPlan {
  readonly classId: string;
  readonly objectId: string;
  readonly event: 'save' | 'del';
  readonly nonce?: string;
  /** The message's last millisecond is past. */
  readonly isExpired?: boolean;
  /** The same of the intermediate key. */
  readonly hasExpiredKey?: boolean;
  /** The owner of the keys that sign: Google, or an impostor. */
  readonly isForged?: boolean;
  /** The issuer that the signature is meant for. */
  readonly issuerId?: string;
}

/** Google's signing of call-backs: ECv2SigningOnly with keys of its own. */
export interface CallbackSigner {
  sign(plan: CallbackPlan): SignedCallback;
  /** Signs a message of any content, as Google never would. */
  signText(signedMessage: string): SignedCallback;
  /** The document at the key address. */
  keyDocument(): object;
  /** New keys sign from now on. The old root stays in the document when `keepsOld`. */
  rotate(options?: { readonly keepsOld?: boolean }): void;
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const protocol = 'ECv2SigningOnly';
const sender = 'GooglePayPasses';
const dayMs = 86_400_000;

export function createCallbackSigner(issuerId: string, now: () => Date): CallbackSigner {
  const forger = { root: p256(), intermediate: p256() };
  let roots = [p256()];
  let intermediate = p256();

  function signWith(signedMessage: string, flaws: Partial<CallbackPlan>): SignedCallback {
    const keys = flaws.isForged ? forger : { root: roots.at(-1) ?? forger.root, intermediate };
    const at = now().getTime();
    const signedKey = JSON.stringify({
      keyValue: spki(keys.intermediate),
      keyExpiration: String(flaws.hasExpiredKey ? at - 1 : at + dayMs),
    });
    const recipient = flaws.issuerId ?? issuerId;
    return {
      signature: signed(keys.intermediate, [sender, recipient, protocol, signedMessage]),
      intermediateSigningKey: {
        signedKey,
        signatures: [signed(keys.root, [sender, protocol, signedKey])],
      },
      protocolVersion: protocol,
      signedMessage,
    };
  }

  return {
    sign(plan) {
      const at = now().getTime();
      const signedMessage = JSON.stringify({
        classId: plan.classId,
        objectId: plan.objectId,
        eventType: plan.event,
        expTimeMillis: plan.isExpired ? at - 1 : at + dayMs,
        nonce: plan.nonce ?? randomUUID(),
      });
      return signWith(signedMessage, plan);
    },
    signText: (signedMessage) => signWith(signedMessage, {}),
    keyDocument() {
      const keyExpiration = String(now().getTime() + 365 * dayMs);
      const keys = roots.map((root) => ({ keyValue: spki(root), protocolVersion: protocol, keyExpiration }));
      return { keys };
    },
    rotate({ keepsOld = false } = {}) {
      roots = [...(keepsOld ? roots : []), p256()];
      intermediate = p256();
    },
  };
}

/** ECDSA over each text after its length in bytes, four bytes little-endian. */
function signed({ privateKey }: KeyPair, texts: readonly string[]): string {
  const parts = texts.flatMap((text) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(text));
    return [length, Buffer.from(text)];
  });
  return sign('sha256', Buffer.concat(parts), privateKey).toString('base64');
}

function p256(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function spki({ publicKey }: KeyPair): string {
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}
