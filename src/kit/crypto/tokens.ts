import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { decodeBase32, encodeBase32, uuidBytes, uuidFromBytes } from '../ids.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const BODY = /^[0-9A-Za-z]{36}$/;

/**
 * A new bearer secret: the prefix, 30 random base62 characters (178 bits) and a checksum of those 30, so that
 * a mistyped or invented secret is refused without a look-up and secret scanners find real ones. The layout
 * is that of GitHub's tokens (github.blog, 5 April 2021).
 */
export function newSecret(prefix: string): string {
  const random = randomBase62(RANDOM_LENGTH);
  return prefix + random + checksum(random);
}

/**
 * Whether the text is this prefix, 30 base62 characters and their right checksum. Says nothing about
 * existence.
 */
export function hasValidChecksum(prefix: string, secret: string): boolean {
  if (!secret.startsWith(prefix)) return false;
  const body = secret.slice(prefix.length);
  return BODY.test(body) && checksum(body.slice(0, RANDOM_LENGTH)) === body.slice(RANDOM_LENGTH);
}

/**
 * The 32-byte SHA-256 digest under which a secret is stored and found. A slow hash would add nothing to 178
 * random bits and would let any client burn the server's CPU with junk.
 */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Bytes of 248 and above are drawn again: 248 is the largest multiple of 62, so no character is favoured. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** What a link names: a thing, the scope in which it is found, and a secret of 128 random bits. */
export interface IdToken {
  readonly scope: string;
  readonly id: string;
  readonly secret: Buffer;
}

/** 64 characters that fit into a path. */
export function encodeIdToken({ scope, id, secret }: IdToken): string {
  return Buffer.concat([uuidBytes(scope), uuidBytes(id), secret]).toString('base64url');
}

/** What a token names, or null when it is none; the secret is still to be compared. */
export function decodeIdToken(token: string): IdToken | null {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  return {
    scope: uuidFromBytes(bytes.subarray(0, 16)),
    id: uuidFromBytes(bytes.subarray(16, 32)),
    secret: bytes.subarray(32),
  };
}

/** What a name names that is no secret: a thing, and the scope in which it is found. */
type ScopedId = Pick<IdToken, 'scope' | 'id'>;

/** 52 characters of base32. */
export function encodeScopedId({ scope, id }: ScopedId): string {
  return encodeBase32(Buffer.concat([uuidBytes(scope), uuidBytes(id)]));
}

/** What `encodeScopedId` wrote as this text; null for anything else. */
export function decodeScopedId(text: string): ScopedId | null {
  const bytes = decodeBase32(text);
  if (bytes?.length !== 32) return null;
  return { scope: uuidFromBytes(bytes.subarray(0, 16)), id: uuidFromBytes(bytes.subarray(16)) };
}

/** Compares two secrets in constant time. */
export function isSameSecret(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
