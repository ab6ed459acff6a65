import { createHmac, createSecretKey } from 'node:crypto';

/** 32 bytes by which texts are compared that must not be known from them. */
export type KeyedHash = (text: string) => Buffer;

/** HMAC-SHA256 under a key that is derived from `key` for this purpose alone. */
export function createKeyedHash(key: Buffer, purpose: string): KeyedHash {
  const derived = createSecretKey(deriveKey(key, purpose));
  return (text) => createHmac('sha256', derived).update(text).digest();
}

/** 32 bytes that are a key for this purpose alone, and tell nothing of `key`. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest();
}
