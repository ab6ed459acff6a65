import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

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

/** What a scanner reads from a picture. */
export async function readBarcodesIn(png: Uint8Array): Promise<ReadBarcode[]> {
  prepareZXingModule({ overrides: { wasmBinary } });
  const found = await readBarcodes(new Uint8Array(png), { tryHarder: true });
  return found.map(({ format, text }) => ({ format, text }));
}

/** The library would fetch it from the internet. */
const wasmBinary = new Uint8Array(
  readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))),
).buffer;
