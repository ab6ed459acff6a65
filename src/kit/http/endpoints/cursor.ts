import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { invalidAt } from '../api-error.ts';

const MAC_BYTES = 16;
const LONGEST_CURSOR = 4096;

export type CursorValue = string | number;

/** Opaque positions in keyset-paged lists. */
export interface Cursors {
  /**
   * The position after a row whose sort keys are `values`. The scope is everything that decides what the list
   * holds and how it is sorted: tenant, list and filters.
   */
  encode(values: readonly CursorValue[], scope: string): string;
  /** The sort keys again. A 400 invalid_request for a tampered cursor or one of another scope. */
  decode(cursor: string, scope: string): readonly CursorValue[];
}

/**
 * Cursors are base64url of a JSON array and its HMAC-SHA256, truncated to 128 bits (RFC 2104 §5): readable by
 * anyone, but only those that this service made for this very list are accepted.
 */
export function createCursors(key: Buffer): Cursors {
  if (key.length < 32)
    throw new Error(`the cursor key must have at least 32 bytes, this one has ${key.length}`);

  const macKey = createSecretKey(key);

  /** The scope's length comes first, so that no part of the scope can be taken for a value. */
  function mac(values: Buffer, scope: string): Buffer {
    const hmac = createHmac('sha256', macKey)
      .update(`cursor:${Buffer.byteLength(scope)}:${scope}`)
      .update(values);
    return hmac.digest().subarray(0, MAC_BYTES);
  }

  return {
    encode(values, scope) {
      if (!values.every(isCursorValue)) throw new TypeError('a cursor holds strings and finite numbers only');
      const json = Buffer.from(JSON.stringify(values));
      return Buffer.concat([mac(json, scope), json]).toString('base64url');
    },
    decode(cursor, scope) {
      const bytes = cursor.length <= LONGEST_CURSOR ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
      const json = bytes.subarray(MAC_BYTES);
      const genuine =
        bytes.length > MAC_BYTES &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(json, scope)) &&
        bytes.toString('base64url') === cursor;
      if (!genuine) {
        throw invalidAt(
          'cursor',
          'other',
          'is not one that this list returned: send nextCursor unchanged, with the same filters, or leave it out to start from the first page',
          { part: 'query' },
        );
      }
      return JSON.parse(json.toString()) as readonly CursorValue[];
    },
  };
}

function isCursorValue(value: unknown): boolean {
  return typeof value === 'string' || Number.isFinite(value);
}
