import type { IncomingMessage } from 'node:http';
import { FetchRefused } from './fetch-refused.ts';

/** The bytes of an answer as they came, whatever it says about their encoding; no more than `limit`. */
export async function readBody(answer: IncomingMessage, limit: number, noun: string): Promise<Buffer> {
  const declared = answer.headers['content-length'];
  const expected = declared === undefined ? limit : Number(declared);
  if (expected > limit) throw tooLarge(limit, noun);
  // One piece of memory, since pieces that are joined at the end take twice as much. What is not written to is only
  // set aside: a large promise costs nothing.
  const bytes = Buffer.allocUnsafeSlow(expected);
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (length + chunk.length > bytes.length) throw tooLarge(limit, noun);
    length += chunk.copy(bytes, length);
  }
  return bytes.subarray(0, length);
}

function tooLarge(limit: number, noun: string): FetchRefused {
  return new FetchRefused('too_large', `The ${noun} is larger than ${limit / 1_048_576} MiB.`);
}
