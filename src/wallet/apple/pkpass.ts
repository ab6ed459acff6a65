import { crc32 } from 'node:zlib';
import { type PassFile, passFile } from './archive-file.ts';
import type { AppleCard } from './card.ts';
import { type CardLanguages, localizedFiles } from './localized-pass.ts';
import { passJson } from './pass-json.ts';
import type { PassSigner } from './signature.ts';
import { zipChunks } from './zip.ts';

/**
 * The signed pass file (`application/vnd.apple.pkpass`) of a card: byte for byte the same for the same input.
 * Rejects with an Error that says what to fix when Wallet would not open the file: no icon, a card of another
 * pass type than the certificate, an expired certificate, or what `passJson` refuses.
 */
export async function buildPkpass(
  card: AppleCard,
  images: readonly PassImage[],
  signer: PassSigner,
): Promise<Buffer> {
  return Buffer.concat(await buildPkpassChunks(card, images, signer));
}

/**
 * The same file as consecutive chunks, in which large images are the bytes of `images` themselves. Copying
 * the images costs more than everything else but the RSA operation: write the chunks to the socket one after
 * the other, and keep chunks, not files, where passes are cached. Callers must not write to a chunk.
 */
export async function buildPkpassChunks(
  card: AppleCard,
  images: readonly PassImage[],
  signer: PassSigner,
  languages?: CardLanguages,
): Promise<Uint8Array[]> {
  refuseForeignCard(card, signer);
  refuseMissingIcon(images);
  const texts =
    languages === undefined || languages.others.length === 0
      ? [passFile('pass.json', passJson(card))]
      : localizedFiles(card, languages);
  const files = [...texts, ...images];
  const manifest = manifestJson(files);
  const signature = await signer.sign(manifest, card.signedAt);
  return zipChunks([
    ...files,
    { name: 'manifest.json', bytes: manifest, crc32: crc32(manifest) },
    { name: 'signature', bytes: signature, crc32: crc32(signature) },
  ]);
}

function refuseForeignCard(card: AppleCard, signer: PassSigner): void {
  if (
    card.passTypeIdentifier === signer.passTypeIdentifier &&
    card.teamIdentifier === signer.teamIdentifier
  ) {
    return;
  }
  throw new Error(
    `The card is for ${card.passTypeIdentifier} of team ${card.teamIdentifier}, the certificate for ` +
      `${signer.passTypeIdentifier} of team ${signer.teamIdentifier}; sign it with its own certificate.`,
  );
}

function refuseMissingIcon(images: readonly PassImage[]): void {
  if (images.some(({ name }) => /^icon(@[23]x)?\.png$/.test(name))) return;
  throw new Error('The pass has no icon; add icon.png, icon@2x.png or icon@3x.png.');
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
