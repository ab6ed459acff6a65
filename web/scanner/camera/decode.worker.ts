import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm';
import { type CodeFormat, saidIn } from './code-formats.ts';
import type { Code } from './decoder.ts';
import { isWhole, readerOptions, writtenText } from './written-text.ts';

/**
 * Reads codes from pictures that it is sent, with ZXing. The page imports this file for its address alone, and makes a
 * worker of that: so the bundler needs to know nothing of workers.
 */
export const address = import.meta.url;

/** What the worker says: first that it is ready, then once for each picture. */
export type DecoderAnswer = { readonly codes: readonly Code[] } | { readonly failure: string };

/** By the symbology of the reader, which finds kinds of some formats, such as the ITF-14 of ITF. */
const ourNames: Readonly<Record<string, CodeFormat>> = {
  QRCode: 'qr',
  PDF417: 'pdf417',
  Aztec: 'aztec',
  Code128: 'code128',
  EANUPC: 'ean13',
  Code39: 'code39',
  Codabar: 'codabar',
  ITF: 'itf',
};

const inTurned: ReaderOptions = {
  ...readerOptions,
  formats: ['PDF417', 'Code128', 'EAN13', 'Code39Std', 'Codabar', 'ITF'],
  tryInvert: false,
};

/**
 * Bars are read along straight lines, which a code held at an angle has none of: so each picture is looked at again, turned
 * by the next two of these angles in degrees.
 */
const turns = [-8, 8, -20, 20, -8, 8, -34, 34];
let turned = 0;

const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext('2d', { willReadFrequently: true });

if (!('document' in globalThis)) {
  addEventListener('message', ({ data }: MessageEvent<ImageBitmap>) => answer(() => read(data)));
  answer(async () => {
    const locateFile = () => new URL(wasm, import.meta.url).href;
    await prepareZXingModule({ overrides: { locateFile }, fireImmediately: true });
    return [];
  });
}

async function answer(work: () => Promise<Code[]>): Promise<void> {
  let said: DecoderAnswer;
  try {
    said = { codes: await work() };
  } catch (error) {
    said = { failure: String(error) };
  }
  postMessage(said);
}

async function read(picture: ImageBitmap): Promise<Code[]> {
  try {
    const straight = await codesIn(picture, 0, readerOptions);
    if (straight.length > 0) return straight;
    for (const _ of [1, 2]) {
      const angle = ((turns[turned % turns.length] ?? 0) * Math.PI) / 180;
      turned += 1;
      const found = await codesIn(picture, angle, inTurned);
      if (found.length > 0) return found;
    }
    return [];
  } finally {
    picture.close();
  }
}

async function codesIn(picture: ImageBitmap, angle: number, options: ReaderOptions): Promise<Code[]> {
  const found = await readBarcodes(pixelsOf(picture, angle), options);
  return found.filter(isWhole).flatMap((one) => codeOf(one, angle));
}

/** The pixels of a picture that is turned around its middle. */
function pixelsOf(picture: ImageBitmap, angle: number): ImageData {
  const { width, height } = picture;
  if (context === null) throw new Error('this browser gives a worker no canvas');
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(1, 0, 0, 1, width / 2, height / 2);
  context.rotate(angle);
  context.drawImage(picture, -width / 2, -height / 2);
  return context.getImageData(0, 0, width, height);
}

function codeOf(found: ReadResult, angle: number): Code[] {
  const { symbology, position } = found;
  const ours = ourNames[symbology];
  const text = writtenText(found);
  if (ours === undefined || text === '') return [];
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const corners = [topLeft, topRight, bottomRight, bottomLeft].map((corner) => {
    const x = corner.x - canvas.width / 2;
    const y = corner.y - canvas.height / 2;
    return { x: x * cos + y * sin + canvas.width / 2, y: y * cos - x * sin + canvas.height / 2 };
  });
  return [{ text: saidIn(ours, text), format: ours, corners }];
}
