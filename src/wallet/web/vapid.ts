import { createECDH, createPrivateKey, hkdfSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** Identifies the sender to push services: Voluntary Application Server Identification, RFC 8292. */
export interface Vapid {
  /** An uncompressed point as base64url. */
  readonly publicKey: string;
  /** The Authorization header of a push to this endpoint. */
  authorizationFor(endpoint: string): Promise<string>;
}

interface Options {
  /** 32 bytes. The key pair is derived from them, so that all processes of an installation have the same. */
  readonly encryptionKey: Buffer;
  /** Where a push service finds whom to complain to: an https address. Others are left out. */
  readonly contact: string;
  now(): Date;
}

/** RFC 8292 §2: at most 24 hours. */
const lifetimeMs = 12 * 3_600_000;
/** A token is used for a part of its life, so that it is alive when it arrives. */
const usedForMs = 6 * 3_600_000;
/** One for each push service; Apple and Microsoft have many hosts. */
const keptTokens = 200;

/** Signs with ES256. Browsers are bound to the public key: with another encryption key every subscription is lost. */
export function createVapid({ encryptionKey, contact, now }: Options): Vapid {
  const { publicKey, privateKey } = deriveKeys(encryptionKey);
  const tokens = new LRUCache<string, { token: string; signedAt: number }>({ max: keptTokens });

  async function tokenFor(audience: string): Promise<string> {
    const at = now().getTime();
    const kept = tokens.get(audience);
    if (kept !== undefined && at >= kept.signedAt && at < kept.signedAt + usedForMs) return kept.token;
    const jwt = new SignJWT(contact.startsWith('https:') ? { sub: contact } : {});
    const token = await jwt
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(audience)
      .setExpirationTime(new Date(at + lifetimeMs))
      .sign(privateKey);
    tokens.set(audience, { token, signedAt: at });
    return token;
  }

  return {
    publicKey,
    authorizationFor: async (endpoint) =>
      `vapid t=${await tokenFor(new URL(endpoint).origin)}, k=${publicKey}`,
  };
}

/** The order of P-256 (FIPS 186-5, D.1.2.3: n). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** FIPS 186-5, A.2.1: 64 bits more than the order has, so that no key is likelier than another. */
function deriveKeys(encryptionKey: Buffer) {
  const bits = hkdfSync('sha256', encryptionKey, Buffer.alloc(0), 'web push, VAPID key', 40);
  const secret = (BigInt(`0x${Buffer.from(bits).toString('hex')}`) % (order - 1n)) + 1n;
  const d = Buffer.from(secret.toString(16).padStart(64, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const base64url = (bytes: Buffer) => bytes.toString('base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: base64url(d),
    x: base64url(point.subarray(1, 33)),
    y: base64url(point.subarray(33)),
  };
  return { publicKey: base64url(point), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}
