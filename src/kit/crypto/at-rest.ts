import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';

const VERSION = 'v1.';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals secrets for storage. */
export interface Box {
  /** `v1.` and base64url of nonce, ciphertext and tag; different at every call. */
  seal(plain: string, context: string): string;
  /** The sealed text again; an Error when the key or context differs or a bit was changed. */
  open(sealed: string, context: string): string;
}

/**
 * AES-256-GCM under a 32-byte key with a random 96-bit nonce (NIST SP 800-38D: at most 2^32 seals a key). The
 * context, for example table and row id, is authenticated but not stored: a sealed value that was copied into
 * another place does not open there.
 */
export function createBox(key: Buffer): Box {
  if (key.length !== KEY_BYTES) {
    throw new Error(`the encryption key must be ${KEY_BYTES} bytes, this one has ${key.length}`);
  }
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return VERSION + Buffer.concat(parts).toString('base64url');
    },
    open(sealed, context) {
      const bytes = sealedBytes(sealed);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error(
          'cannot open a sealed value: the encryption key is not the one it was sealed with, or it was changed',
          { cause },
        );
      }
    },
  };
}

function sealedBytes(sealed: string): Buffer {
  if (!sealed.startsWith(VERSION)) {
    throw new Error(`cannot open a sealed value: it does not begin with ${VERSION}`);
  }
  const text = sealed.slice(VERSION.length);
  const bytes = Buffer.from(text, 'base64url');
  // Node's decoder skips foreign characters; comparing makes the text form as tamper-proof as the bytes.
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) {
    throw new Error('cannot open a sealed value: it is cut off or not base64url');
  }
  return bytes;
}

/** 32 bytes by which texts are compared that must not be known from them. */
export type KeyedHash = (text: string) => Buffer;

/** HMAC-SHA256 under a key that is derived from `key` for this purpose alone. */
export function createKeyedHash(key: Buffer, purpose: string): KeyedHash {
  const derived = createSecretKey(deriveKey(key, purpose));
  return (text) => createHmac('sha256', derived).update(text).digest();
}

/** Returns 32 bytes that are a key for this purpose alone, and reveal nothing of `key`. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return createHmac('sha256', key).update(purpose).digest();
}
