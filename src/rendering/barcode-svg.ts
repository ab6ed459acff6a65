import { type RenderOptions, toSVG } from 'bwip-js';
import { encodeQR } from 'qr';
import { escapeHtml } from '../kit/html.ts';
import { type BarcodeFormat, isLinear, linearNames } from '../wallet/barcode-format.ts';

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
  const stretch = isLinear(format) ? ' preserveAspectRatio="none"' : '';
  return draw(format, value).replace(
    /^<svg ([^>]+)>/,
    (_opening, attributes: string) =>
      `<svg ${attributes}${stretch} role="img" shape-rendering="crispEdges"><title>${title}</title>`,
  );
}

/**
 * Readers guess the character set of bytes, each in its own way: so what is not ASCII is written as UTF-8, and the symbol
 * says so (ECI 26). Bars cannot say it: Code 128 is always Latin-1, and the others are ASCII.
 */
function draw(format: BarcodeFormat, value: string): string {
  const { name } = SYMBOLS[format];
  if (value === '') throw new Error(`A ${name} needs a value; it is empty.`);
  if (format === 'code128' && !/^[\0-\xff]*$/.test(value)) {
    throw new Error(`A ${name} holds Latin letters, digits and signs only; use qr, pdf417 or aztec.`);
  }
  try {
    const isPlain = isLinear(format) || /^\p{ASCII}*$/u.test(value);
    if (isPlain && format === 'qr') return drawQr(value);
    // The letters at both ends belong to the symbol: readers leave them out.
    const text = format === 'codabar' ? `A${value}A` : value;
    return drawOther(SYMBOLS[format], isPlain ? { text, binarytext: true } : utf8(value));
  } catch (cause) {
    throw new Error(`A ${name} cannot hold this value of ${value.length} characters; shorten it.`, { cause });
  }
}

/** A library of its own draws QR codes: most cards have this code, and every page has one to scan. */
function drawQr(value: string): string {
  const rows = encodeQR(value, 'raw', { ecc: 'medium', border: 4 });
  const size = rows.length;
  return `<svg viewBox="0 0 ${size} ${size}" xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#ffffff" /><path d="${rows.map(darkRuns).join('')}" /></svg>`;
}

/** A row of modules as a path: one rectangle for the dark ones that lie side by side. */
function darkRuns(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x++) {
    const from = x;
    while (row[x] === true) x++;
    if (x > from) path += `M${from} ${y}h${x - from}v1H${from}z`;
  }
  return path;
}

function drawOther(
  { bcid, quiet, height }: Drawn,
  value: Pick<RenderOptions, 'text' | 'binarytext' | 'parsefnc'>,
): string {
  return toSVG({
    bcid,
    ...(height !== undefined && { height }),
    ...value,
    scale: 1,
    padding: quiet,
    backgroundcolor: 'ffffff',
  });
}

function utf8(value: string) {
  return { text: `^ECI000026${value.replaceAll('^', '^^')}`, parsefnc: true };
}

interface Drawn extends Pick<RenderOptions, 'bcid' | 'height'> {
  /** The quiet zone in units of the drawing, where a module of QR and Aztec is 2 wide and one of the others 1. */
  readonly quiet: number;
}

const SYMBOLS = {
  qr: { name: 'QR code', bcid: 'qrcode', quiet: 8 },
  pdf417: { name: 'PDF417 barcode', bcid: 'pdf417', quiet: 4 },
  aztec: { name: 'Aztec code', bcid: 'azteccode', quiet: 4 },
  code128: linear('code128', 'code128'),
  ean13: linear('ean13', 'ean13', 11),
  code39: linear('code39', 'code39'),
  codabar: linear('codabar', 'rationalizedCodabar'),
  itf: linear('itf', 'interleaved2of5'),
} as const satisfies Record<BarcodeFormat, Drawn & { name: string }>;

function linear(format: keyof typeof linearNames, bcid: string, quiet = 10) {
  return { name: `${linearNames[format]} barcode`, bcid, height: 18, quiet };
}
