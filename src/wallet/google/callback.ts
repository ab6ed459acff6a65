import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A key of Google's that signs the keys that sign call-backs. */
export interface RootKey {
  readonly publicKey: KeyObject;
  readonly expiresAt: Date;
}

/** What Google reports: a holder saved the card, or deleted it. Reports may repeat, and come in any order. */
export interface CallbackEvent {
  readonly objectId: string;
  readonly event: 'save' | 'del';
  /** Until when the report may be believed. */
  readonly expiresAt: Date;
  /** The same in each repetition of this report, and in no other. */
  readonly nonce: string;
}

export type CallbackVerdict =
  | { readonly kind: 'genuine'; readonly event: CallbackEvent }
  /** `mayBeNewKey`: no root key signed it, but one that is fetched afresh might have. */
  | { readonly kind: 'refused'; readonly reason: string; readonly mayBeNewKey: boolean };

interface VerifyOptions {
  /** Google signs for one issuer: a report to another does not verify. */
  readonly issuerId: string;
  readonly keys: readonly RootKey[];
  readonly now: Date;
  readonly senderId?: string;
}

const protocol = 'ECv2SigningOnly';

/** More signatures than these are not tried: each costs time, and a sender may add as many as it likes. */
const mostSignatures = 10;

/**
 * Verifies the parsed body of a call-back. Whatever the body is, it answers and throws nothing. Protocol: Google
 * Payments' ECv2SigningOnly, in which a root key signs an intermediate key, and that key the message.
 */
export function verifyCallback(body: unknown, options: VerifyOptions): CallbackVerdict {
  const { issuerId, keys, now, senderId = 'GooglePayPasses' } = options;
  const signed = envelope(body);
  if (signed === null) return refused('it has not the form of a signed message');
  if (signed.protocolVersion !== protocol) return refused('its protocolVersion is unknown');

  const keyBytes = lengthValues(senderId, protocol, signed.signedKey);
  const live = keys.filter(({ expiresAt }) => expiresAt > now);
  if (!signed.keySignatures.some((each) => live.some((root) => isSigned(keyBytes, root.publicKey, each))))
    return refused('no current root key signed its intermediate key', true);
  const key = intermediateKey(signed.signedKey);
  if (key === null) return refused('its intermediate key is unreadable');
  if (key.expiresAt <= now) return refused('its intermediate key has expired');

  const message = lengthValues(senderId, issuerId, protocol, signed.signedMessage);
  if (!isSigned(message, key.publicKey, signed.signature))
    return refused('its signature is wrong, or meant for another issuer');
  const event = callbackEvent(signed.signedMessage);
  if (event === null) return refused('its message is no report of a save or a deletion');
  if (event.expiresAt <= now) return refused('its message has expired');
  return { kind: 'genuine', event };
}

/** The object that a body says it is about, before anything of it is verified; null where it says none. */
export function namedObject(body: unknown): string | null {
  const message = membersOf(body)?.signedMessage;
  const objectId = typeof message === 'string' ? membersOf(parsed(message))?.objectId : undefined;
  return typeof objectId === 'string' ? objectId : null;
}

/**
 * The usable keys of Google's key document, `{"keys":[{keyValue, protocolVersion, keyExpiration}]}`. Keys of other
 * protocols and unreadable ones are left out.
 */
export function readRootKeys(document: unknown): RootKey[] {
  const listed = membersOf(document)?.keys;
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((item: unknown) => {
    const members = membersOf(item);
    const key = members?.protocolVersion === protocol ? expiringKey(members) : null;
    return key === null ? [] : [key];
  });
}

interface Envelope {
  readonly protocolVersion: string;
  readonly signedKey: string;
  readonly keySignatures: readonly Buffer[];
  readonly signature: Buffer;
  readonly signedMessage: string;
}

function envelope(body: unknown): Envelope | null {
  const outer = membersOf(body);
  const inner = membersOf(outer?.intermediateSigningKey);
  if (outer === null || inner === null) return null;
  const { protocolVersion, signedMessage } = outer;
  const { signedKey, signatures } = inner;
  if (typeof protocolVersion !== 'string' || typeof signedMessage !== 'string') return null;
  if (typeof signedKey !== 'string' || !Array.isArray(signatures)) return null;
  if (signatures.length > mostSignatures) return null;
  const signature = fromBase64(outer.signature);
  const keySignatures = signatures.map(fromBase64).filter((each) => each !== null);
  if (signature === null || keySignatures.length < signatures.length) return null;
  return { protocolVersion, signedKey, keySignatures, signature, signedMessage };
}

function intermediateKey(signedKey: string): RootKey | null {
  const members = membersOf(parsed(signedKey));
  return members === null ? null : expiringKey(members);
}

function expiringKey({ keyValue, keyExpiration }: Record<string, unknown>): RootKey | null {
  const publicKey = p256Key(keyValue);
  const expiresAt = moment(keyExpiration);
  return publicKey === null || expiresAt === null ? null : { publicKey, expiresAt };
}

function callbackEvent(signedMessage: string): CallbackEvent | null {
  const members = membersOf(parsed(signedMessage));
  if (members === null) return null;
  const { classId, objectId, eventType: event, nonce } = members;
  const expiresAt = moment(members.expTimeMillis);
  if (!isName(classId) || !isName(objectId) || !isName(nonce) || expiresAt === null) return null;
  if (event !== 'save' && event !== 'del') return null;
  return { objectId, event, expiresAt, nonce };
}

/** Each text after its length in bytes, four bytes little-endian. */
function lengthValues(...texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

function isSigned(bytes: Buffer, key: KeyObject, signature: Buffer): boolean {
  return verify('sha256', bytes, key, signature);
}

function p256Key(keyValue: unknown): KeyObject | null {
  const der = fromBase64(keyValue);
  if (der === null) return null;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null;
  } catch {
    return null;
  }
}

/** Milliseconds since 1970, which Google writes as a number in one place and as a text in another. */
function moment(value: unknown): Date | null {
  const millis = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof millis !== 'number' || !Number.isSafeInteger(millis)) return null;
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Node's decoder skips foreign characters; comparing makes the text as tamper-proof as the bytes. */
function fromBase64(text: unknown): Buffer | null {
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1_000;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function refused(reason: string, mayBeNewKey = false): CallbackVerdict {
  return { kind: 'refused', reason, mayBeNewKey };
}
