import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A file of a pass with the two checksums the container wants. The bytes must not change afterwards. */
export interface PassFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Lower-case hex. */
  readonly sha1: string;
  readonly crc32: number;
}

/** Any file of a pass, with its checksums. */
export function passFile(name: string, bytes: Buffer): PassFile {
  return { name, bytes, sha1: hash('sha1', bytes), crc32: crc32(bytes) };
}
