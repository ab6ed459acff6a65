/** What a file is by its first bytes, whatever its name and its `Content-Type` say. */
export type ImageKind =
  | 'PNG'
  | 'JPEG'
  | 'WebP'
  | 'GIF'
  | 'SVG'
  | 'AVIF'
  | 'HEIF'
  | 'TIFF'
  | 'BMP'
  | 'ICO'
  | 'JPEG XL'
  | 'JPEG 2000'
  | 'PSD'
  | 'PDF';

/** Recognizes an image, or a PDF, by its magic bytes; null for all else. It promises nothing about the rest of the file. */
export function sniffImage(bytes: Buffer): ImageKind | null {
  const found = magics.find(([, magic, at]) => bytes.subarray(at, at + magic.length).equals(magic));
  if (found !== undefined) return found[0];
  if (startsWith(bytes, 'RIFF') && bytes.toString('latin1', 8, 12) === 'WEBP') return 'WebP';
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return brands.get(bytes.toString('latin1', 8, 12)) ?? null;
  if (isBmp(bytes)) return 'BMP';
  if (isIcon(bytes)) return 'ICO';
  return isSvg(bytes) ? 'SVG' : null;
}

const magics: readonly (readonly [kind: ImageKind, magic: Buffer, at: number])[] = [
  ['PNG', hex('89504e470d0a1a0a'), 0],
  ['JPEG', hex('ffd8ff'), 0],
  ['GIF', Buffer.from('GIF87a'), 0],
  ['GIF', Buffer.from('GIF89a'), 0],
  ['TIFF', hex('49492a00'), 0],
  ['TIFF', hex('4d4d002a'), 0],
  // BigTIFF.
  ['TIFF', hex('49492b00'), 0],
  ['TIFF', hex('4d4d002b'), 0],
  // A container, and a bare codestream; ISO/IEC 18181-2.
  ['JPEG XL', hex('0000000c4a584c200d0a870a'), 0],
  ['JPEG XL', hex('ff0a'), 0],
  ['JPEG 2000', hex('0000000c6a5020200d0a870a'), 0],
  ['JPEG 2000', hex('ff4fff51'), 0],
  ['PSD', Buffer.from('8BPS'), 0],
  ['PDF', Buffer.from('%PDF-'), 0],
];

/** The brands of ISO base media files that are images: such files may also be films. */
const brands: ReadonlyMap<string, ImageKind> = new Map([
  ['avif', 'AVIF'],
  ['avis', 'AVIF'],
  ...['mif1', 'msf1', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'].map((brand): [string, ImageKind] => [
    brand,
    'HEIF',
  ]),
]);

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}

/** "BM" may begin a text too: the size of the header that follows is one of a few. */
function isBmp(bytes: Buffer): boolean {
  return startsWith(bytes, 'BM') && bytes.length >= 18 && dibSizes.has(bytes.readUInt32LE(14));
}

const dibSizes: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/** A directory of at least one icon or cursor, with the reserved byte of its first entry. */
function isIcon(bytes: Buffer): boolean {
  if (bytes.length < 22 || bytes.readUInt16LE(0) !== 0) return false;
  const type = bytes.readUInt16LE(2);
  return (type === 1 || type === 2) && bytes.readUInt16LE(4) > 0 && bytes[9] === 0;
}

/** A text whose first element is svg, after what XML lets stand before it. A page with a drawing in it is none. */
function isSvg(bytes: Buffer): boolean {
  const head = textOf(bytes.subarray(0, 65_536));
  let at = 0;
  for (;;) {
    while (/\s/.test(head[at] ?? '')) at++;
    if (head.startsWith('<?', at)) at = after(head, '?>', at);
    else if (head.startsWith('<!--', at)) at = after(head, '-->', at);
    else if (/^<!doctype\b/i.test(head.slice(at, at + 20))) at = afterDoctype(head, at);
    else return /^<(?:[\w.-]{1,64}:)?svg[\s/>]/i.test(head.slice(at, at + 80));
  }
}

/** UTF-16 where the order of its bytes shows, else a character for each byte, without the mark of UTF-8. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const whole = bytes.subarray(2, bytes.length - (bytes.length % 2));
    return Buffer.from(whole).swap16().toString('utf16le');
  }
  return bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
}

function after(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at);
  return found < 0 ? text.length : found + end.length;
}

/** A declaration may hold others in brackets. */
function afterDoctype(text: string, at: number): number {
  const end = text.indexOf('>', at);
  const bracket = text.indexOf('[', at);
  if (bracket < 0 || end < bracket) return after(text, '>', at);
  return after(text, '>', after(text, ']', bracket));
}
