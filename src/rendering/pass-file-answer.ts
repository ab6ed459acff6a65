import { Readable } from 'node:stream';
import { answer } from '../engine/endpoints.ts';

/** Below this, one copy costs less than a stream. */
const streamedBytes = 256 * 1024;

/**
 * A pass file for a client. Large ones are not copied: their images are the same bytes for all clients, however slowly
 * each of them reads.
 */
export function passFileAnswer(chunks: readonly Uint8Array[], headers: Readonly<Record<string, string>>) {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (size < streamedBytes) return answer(200, Buffer.concat(chunks), headers);
  return answer(200, Readable.from(chunks), { ...headers, 'content-length': String(size) });
}
