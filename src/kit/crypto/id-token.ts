import { timingSafeEqual } from 'node:crypto';
import { decodeBase32, encodeBase32, uuidBytes, uuidFromBytes } from '../ids.ts';

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
