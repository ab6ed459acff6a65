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

/** A PNG of a pass. Prepare it once and reuse it: only then is its hash not computed again for every pass. */
export interface PassImage extends PassFile {
  readonly name: `${string}.png`;
}

/**
 * An image ready to be packed, named as Wallet wants it: `icon.png`, `icon@2x.png`, `strip@3x.png`, … Throws
 * an Error when the name is no image name of Wallet's form or the bytes are no PNG.
 */
export function prepareImage(name: string, bytes: Buffer): PassImage {
  if (!isImageName(name)) {
    throw new Error(
      `${JSON.stringify(name)} is no image name of a pass; use one like icon.png or logo@2x.png.`,
    );
  }
  if (!bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) {
    throw new Error(`${name} is not a PNG; Wallet shows no other image format.`);
  }
  return { ...passFile(name, bytes), name };
}

/** Any file of a pass, with its checksums. */
export function passFile(name: string, bytes: Buffer): PassFile {
  return { name, bytes, sha1: hash('sha1', bytes), crc32: crc32(bytes) };
}

/**
 * `manifest.json`: each file's path and its SHA-1, which the pass format demands. The file names must differ
 * from each other.
 */
export function manifestJson(files: readonly PassFile[]): Buffer {
  const hashes: Record<string, string> = {};
  for (const file of files) hashes[file.name] = file.sha1;
  return Buffer.from(JSON.stringify(hashes));
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function isImageName(name: string): name is `${string}.png` {
  return /^([A-Za-z]+(-[A-Za-z0-9]+)*\.lproj\/)?[A-Za-z]+(@[23]x)?\.png$/.test(name);
}
