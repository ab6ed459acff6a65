/**
 * A JPEG without what its pixels can do without: comments and the notes of programs, of which a reader keeps each, and
 * what follows its end. Null when its segments are cut off, or it has more scans than an honest one. Segments:
 * ITU-T T.81, annex B.
 */
export function trimJpeg(bytes: Buffer): Buffer | null {
  const trimmed = Buffer.allocUnsafe(bytes.length);
  let written = bytes.copy(trimmed, 0, 0, START);
  let scans = 0;
  const met = new Map<number, number>();
  for (let at = START; at < bytes.length; ) {
    // Any number of these may stand before a marker.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++;
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff || marker === undefined) return null;
    if (marker === END_OF_IMAGE) {
      written += bytes.copy(trimmed, written, at, at + 2);
      return trimmed.subarray(0, written);
    }
    if (at + 4 > bytes.length) return null;
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return null;
    if (marker === SCAN) {
      if (++scans > MOST_SCANS) return null;
      end = endOfScan(bytes, end);
    }
    if (isNeeded(marker, bytes, at + 4, met)) written += bytes.copy(trimmed, written, at, end);
    at = end;
  }
  // Without an end: whether that will do is the decoder's to say.
  return trimmed.subarray(0, written);
}

const START = 2;
const END_OF_IMAGE = 0xd9;
const SCAN = 0xda;
/** A progressive picture has a dozen; each of them costs as much as a picture. */
const MOST_SCANS = 100;

/** Where the compressed pixels end that begin here: in them a marker is followed by 0, or restarts the decoder. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

/** `met` counts the segments of a kind, so that none is kept more often than it can mean something. */
function isNeeded(marker: number, bytes: Buffer, from: number, met: Map<number, number>): boolean {
  const isTable = marker === 0xdb || marker === 0xdc || marker === 0xdd;
  const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8;
  if (isTable || isFrame || marker === SCAN) return true;
  const note = notes.get(marker);
  if (note === undefined || bytes.toString('latin1', from, from + note.name.length) !== note.name)
    return false;
  const count = (met.get(marker) ?? 0) + 1;
  met.set(marker, count);
  return count <= note.most;
}

/** What tells how colours are meant, and which way up: JFIF, Exif, the colour profile in up to 255 parts, Adobe. */
const notes: ReadonlyMap<number, { readonly name: string; readonly most: number }> = new Map([
  [0xe0, { name: 'JFIF\0', most: 1 }],
  [0xe1, { name: 'Exif\0\0', most: 1 }],
  [0xe2, { name: 'ICC_PROFILE\0', most: 255 }],
  [0xee, { name: 'Adobe', most: 1 }],
]);
