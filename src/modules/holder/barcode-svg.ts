import { type RenderOptions, toSVG } from 'bwip-js';
import { escapeHtml } from '../../kit/html.ts';

export type BarcodeFormat = 'qr' | 'pdf417' | 'aztec' | 'code128';

export interface BarcodeSvgOptions {
  /** The accessible name; without one the symbol's own, such as `QR code`. */
  readonly title?: string;
}

/**
 * The barcode with its quiet zone, black on white, as an SVG document that may also stand inside HTML. It has a
 * view box and no size of its own. Equal arguments give equal text. Throws an Error that says what to change
 * when the symbol cannot hold the value.
 */
export function barcodeSvg(format: BarcodeFormat, value: string, options: BarcodeSvgOptions = {}): string {
  const title = escapeHtml(options.title ?? SYMBOLS[format].name);
  // Bars may be stretched: the page decides how high they are.
  const stretch = format === 'code128' ? ' preserveAspectRatio="none"' : '';
  return draw(format, value).replace(
    /^<svg ([^>]+)>/,
    (_opening, attributes: string) =>
      `<svg ${attributes}${stretch} role="img" shape-rendering="crispEdges"><title>${title}</title>`,
  );
}

/**
 * Scanners read bytes as Latin-1 unless told otherwise, so that is how they are written whenever it can carry
 * the value; the pass file announces the same choice to Apple Wallet.
 */
function draw(format: BarcodeFormat, value: string): string {
  const { name, quiet, ...symbol } = SYMBOLS[format];
  const isLatin1 = /^[\0-\xff]*$/.test(value);
  if (value === '') throw new Error(`A ${name} needs a value; it is empty.`);
  if (!isLatin1 && format === 'code128') {
    throw new Error(`A ${name} holds Latin letters, digits and signs only; use qr, pdf417 or aztec.`);
  }
  try {
    return toSVG({
      ...symbol,
      text: value,
      binarytext: isLatin1,
      scale: 1,
      padding: quiet,
      backgroundcolor: 'ffffff',
    });
  } catch (cause) {
    throw new Error(`A ${name} cannot hold this value of ${value.length} characters; shorten it.`, { cause });
  }
}

/** Quiet zones in units of the drawing, where a module of QR and Aztec is 2 wide and one of the others 1. */
const SYMBOLS = {
  qr: { name: 'QR code', bcid: 'qrcode', eclevel: 'M', quiet: 8 },
  pdf417: { name: 'PDF417 barcode', bcid: 'pdf417', quiet: 4 },
  aztec: { name: 'Aztec code', bcid: 'azteccode', quiet: 4 },
  code128: { name: 'Code 128 barcode', bcid: 'code128', height: 18, quiet: 10 },
} as const satisfies Record<BarcodeFormat, Omit<RenderOptions, 'text'> & Record<string, unknown>>;
