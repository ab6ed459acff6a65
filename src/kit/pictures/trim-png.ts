/**
 * A PNG without what its pixels can do without: texts, which would be decompressed to gigabytes by a reader that
 * collects them, times, further frames, and what follows its end. Null when its chunks do not lead to an end.
 */
export function trimPng(bytes: Buffer): Buffer | null {
  const trimmed = Buffer.allocUnsafe(bytes.length);
  let written = bytes.copy(trimmed, 0, 0, SIGNATURE);
  let at = SIGNATURE;
  // Chunks are copied in runs: a file may have a million.
  let runStart = SIGNATURE;
  while (at + FRAME <= bytes.length) {
    const type = bytes.readUInt32BE(at + 4);
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    if (!isNeeded(type)) {
      written += bytes.copy(trimmed, written, runStart, at);
      runStart = end;
    }
    at = end;
    if (type === END) {
      written += bytes.copy(trimmed, written, runStart, end);
      return trimmed.subarray(0, written);
    }
  }
  return null;
}

const SIGNATURE = 8;
/** Length, type and CRC of a chunk. */
const FRAME = 12;

const END = typeNumber('IEND');
/** Transparency, the colour profile, and which way up. */
const TRANSPARENCY = typeNumber('tRNS');
const PROFILE = typeNumber('iCCP');
const TURN = typeNumber('eXIf');

/** PNG specification §5.4: a capital letter first, without the bit of small ones, means that no image is without it. */
function isNeeded(type: number): boolean {
  return (type & 0x2000_0000) === 0 || type === TRANSPARENCY || type === PROFILE || type === TURN;
}

function typeNumber(type: string): number {
  return Buffer.from(type, 'latin1').readUInt32BE();
}
