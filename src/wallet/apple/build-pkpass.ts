import { crc32 } from 'node:zlib';
import type { AppleCard } from './card.ts';
import { manifestJson, type PassImage, passFile } from './manifest.ts';
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
 * the other, and keep chunks, not files, where passes are cached. Nobody may write to a chunk.
 */
export async function buildPkpassChunks(
  card: AppleCard,
  images: readonly PassImage[],
  signer: PassSigner,
): Promise<Uint8Array[]> {
  refuseForeignCard(card, signer);
  refuseMissingIcon(images);
  const files = [passFile('pass.json', passJson(card)), ...images];
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
