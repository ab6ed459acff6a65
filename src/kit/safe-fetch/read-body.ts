import type { IncomingMessage } from 'node:http';
import { FetchRefused } from './fetch-refused.ts';

/** The bytes of an answer as they came, whatever it says about their encoding; no more than `limit`. */
export async function readBody(answer: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = answer.headers['content-length'];
  const expected = declared === undefined ? firstCapacity : Number(declared);
  if (expected > limit) throw tooLarge(limit);
  // Read into one piece of memory, since pieces that are joined at the end take twice as much.
  let bytes: Buffer = Buffer.allocUnsafeSlow(expected);
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const needed = length + chunk.length;
    if (needed > limit) throw tooLarge(limit);
    if (needed > bytes.length) bytes = grown(bytes, Math.min(Math.max(needed, 2 * bytes.length), limit));
    length += chunk.copy(bytes, length);
  }
  return bytes.subarray(0, length);
}

const firstCapacity = 65_536;

function grown(bytes: Buffer, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  bytes.copy(larger);
  return larger;
}

function tooLarge(limit: number): FetchRefused {
  return new FetchRefused('too_large', `The file is larger than ${limit / 1_048_576} MiB.`);
}
