/**
 * A JPEG without what its pixels can do without: comments and the notes of programs, of which a reader keeps each, and
 * what follows its end. Null when its segments are cut off, or it has more scans than an honest one. Segments:
 * ITU-T T.81, annex B.
 */
export function trimJpeg(bytes: Buffer): Buffer | null {
  const trimmed = Buffer.allocUnsafe(bytes.length);
  let written = bytes.copy(trimmed, 0, 0, JPEG_START);
  let scans = 0;
  const met = new Map<number, number>();
  for (let at = JPEG_START; at < bytes.length; ) {
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
    if (isNeededSegment(marker, bytes, at + 4, met)) written += bytes.copy(trimmed, written, at, end);
    at = end;
  }
  // Without an end: the decoder decides whether it accepts that.
  return trimmed.subarray(0, written);
}

const JPEG_START = 2;
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
function isNeededSegment(marker: number, bytes: Buffer, from: number, met: Map<number, number>): boolean {
  const isTable = marker === 0xdb || marker === 0xdc || marker === 0xdd;
  const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8;
  if (isTable || isFrame || marker === SCAN) return true;
  const note = keptNotes.get(marker);
  if (note === undefined || bytes.toString('latin1', from, from + note.name.length) !== note.name)
    return false;
  const count = (met.get(marker) ?? 0) + 1;
  met.set(marker, count);
  return count <= note.most;
}

/** Segments that define colours and orientation: JFIF, Exif, the colour profile in up to 255 parts, Adobe. */
const keptNotes: ReadonlyMap<number, { readonly name: string; readonly most: number }> = new Map([
  [0xe0, { name: 'JFIF\0', most: 1 }],
  [0xe1, { name: 'Exif\0\0', most: 1 }],
  [0xe2, { name: 'ICC_PROFILE\0', most: 255 }],
  [0xee, { name: 'Adobe', most: 1 }],
]);

/**
 * A PNG without what its pixels can do without: texts, which would be decompressed to gigabytes by a reader that
 * collects them, times, further frames, and what follows its end. Null when its chunks do not lead to an end.
 */
export function trimPng(bytes: Buffer): Buffer | null {
  const trimmed = Buffer.allocUnsafe(bytes.length);
  let written = bytes.copy(trimmed, 0, 0, PNG_SIGNATURE);
  let at = PNG_SIGNATURE;
  // Chunks are copied in runs: a file may have a million.
  let runStart = PNG_SIGNATURE;
  while (at + CHUNK_FRAME <= bytes.length) {
    const type = bytes.readUInt32BE(at + 4);
    const end = at + CHUNK_FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    if (!isNeededChunk(type)) {
      written += bytes.copy(trimmed, written, runStart, at);
      runStart = end;
    }
    at = end;
    if (type === END_OF_PNG) {
      written += bytes.copy(trimmed, written, runStart, end);
      return trimmed.subarray(0, written);
    }
  }
  return null;
}

const PNG_SIGNATURE = 8;
/** Length, type and CRC of a chunk. */
const CHUNK_FRAME = 12;

const END_OF_PNG = typeNumber('IEND');
/** Transparency, the colour profile, and which way up. */
const TRANSPARENCY = typeNumber('tRNS');
const PROFILE = typeNumber('iCCP');
const TURN = typeNumber('eXIf');

/** PNG specification §5.4: a capital letter first, without the bit of small ones, means that no image is without it. */
function isNeededChunk(type: number): boolean {
  return (type & 0x2000_0000) === 0 || type === TRANSPARENCY || type === PROFILE || type === TURN;
}

function typeNumber(type: string): number {
  return Buffer.from(type, 'latin1').readUInt32BE();
}

/**
 * A WebP of its first picture alone. A reader of moving pictures walks all frames for each of them, which for hundreds
 * of thousands of frames takes minutes; texts are left out too. Null when its chunks do not lead to an end.
 * Container: RFC 9649 §2.3 to §2.7.
 */
export function trimWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < WEBP_HEADER) return null;
  const end = CHUNK_HEADER + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const parts = [bytes.subarray(0, WEBP_HEADER)];
  const seen = new Set<number>();
  for (let at = WEBP_HEADER; at < end; ) {
    if (at + CHUNK_HEADER > end) return null;
    const type = bytes.readUInt32LE(at);
    const next = at + CHUNK_HEADER + even(bytes.readUInt32LE(at + 4));
    // Some writers leave out the last padding.
    if (next > end + 1) return null;
    if (neededInWebp.has(type) && !seen.has(type)) {
      parts.push(bytes.subarray(at, Math.min(next, end)));
      seen.add(type);
    }
    at = next;
  }
  const trimmed = Buffer.concat(parts);
  trimmed.writeUInt32LE(trimmed.length - CHUNK_HEADER, 4);
  return trimmed;
}

/** `RIFF`, length, `WEBP`. */
const WEBP_HEADER = 12;
/** A type of four letters and a length. */
const CHUNK_HEADER = 8;

/** What the pixels of a picture, or of the first of several, are made of; the colour profile, and which way up. */
const neededInWebp: ReadonlySet<number> = new Set(
  ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'].map((type) =>
    Buffer.from(type).readUInt32LE(),
  ),
);

function even(length: number): number {
  return length + (length & 1);
}
