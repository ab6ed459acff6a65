import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';

export interface ReadBarcode {
  readonly format: string;
  readonly text: string;
}

/** What a scanner reads from an SVG, drawn four pixels to its unit. */
export async function readBarcode(svg: string): Promise<ReadBarcode[]> {
  const png = await sharp(Buffer.from(svg), { density: 72 * 4 })
    .png()
    .toBuffer();
  return readBarcodesIn(png);
}

/** What a scanner reads from a picture: no small letters in Code 39, and of a Codabar not the letters at its ends. */
export async function readBarcodesIn(png: Uint8Array): Promise<ReadBarcode[]> {
  prepareZXingModule({ overrides: { wasmBinary } });
  const found = await readBarcodes(new Uint8Array(png), { formats, tryHarder: true });
  return found.map(({ format, text }) => ({
    format,
    text: format === 'Codabar' ? text.replace(/^[A-D]|[A-D]$/g, '') : text,
  }));
}

const formats: NonNullable<ReaderOptions['formats']> = [
  ...(['QRCode', 'PDF417', 'Aztec', 'Code128'] as const),
  ...(['EAN13', 'Code39Std', 'Codabar', 'ITF'] as const),
];

/** The library would fetch it from the internet. */
const wasmBinary = new Uint8Array(
  readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
).buffer;
