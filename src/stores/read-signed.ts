import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { BulkheadOptions } from '../kit/limits/bulkhead.ts';

/** A body that was signed with one of the secrets, and its hash. */
export interface SignedBody {
  readonly bytes: Buffer;
  readonly hash: Buffer;
}

/**
 * This much of a body is read from any caller. A larger body needs one of few permits, and must arrive quickly, since its
 * signature is verified only at its end.
 */
export const smallBytes = 65_536;
const mostMs = 5_000;

/**
 * Reads a body and compares its HMAC-SHA256 over the raw bytes with the signature, in constant time. Null when none of
 * the secrets has made it. Raises what the body fails with.
 */
export async function readSigned(
  ctx: PublicCtx,
  body: Readable,
  shares: readonly string[],
  { signature, secrets }: { readonly signature: Buffer; readonly secrets: readonly string[] },
): Promise<SignedBody | null> {
  const hash = createHash('sha256');
  const macs = secrets.map((secret) => createHmac('sha256', secret));
  const chunks: Buffer[] = [];
  let length = 0;
  const reader = body.iterator({ destroyOnReturn: false });
  const readTo = async (most: number): Promise<boolean> => {
    for (;;) {
      const { value, done } = await reader.next();
      if (done === true) return true;
      const chunk = value as Buffer;
      chunks.push(chunk);
      length += chunk.length;
      for (const sum of [hash, ...macs]) sum.update(chunk);
      if (length > most) return false;
    }
  };
  if (!(await readTo(smallBytes)))
    await ctx.app.largeBodies.enter(
      shares,
      () => inTime(body, () => readTo(Number.POSITIVE_INFINITY)),
      ctx.client?.signal,
    );
  // All of them are compared, so that the time reveals nothing.
  const isSigned = macs.map((mac) => timingSafeEqual(mac.digest(), signature)).includes(true);
  return isSigned ? { bytes: Buffer.concat(chunks, length), hash: hash.digest() } : null;
}

async function inTime(body: Readable, read: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(
    () => body.destroy(refusal('request_timeout', 'The body arrived too slowly. Send it again.')),
    mostMs,
  );
  try {
    await read();
  } finally {
    clearTimeout(timer);
  }
}

/** The bytes of a signature as platforms send it; null for what cannot be one. */
export function readSignature(text: string | null): Buffer | null {
  if (text === null || !/^[A-Za-z0-9+/]{43}=$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}

/** Limits how many bodies of up to 5 MiB, from unverified senders, are in memory at a time. */
export const largeBodies: BulkheadOptions = {
  places: { perKey: 4, total: 12 },
  waiting: { perKey: 40, total: 400 },
  maxQueueMs: 2_000,
  refusal: () => refusal('overloaded', 'Too many large bodies arrive at once. Retry shortly.'),
};
