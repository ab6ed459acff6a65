/**
 * A PNG without what its pixels can do without: texts, which would be decompressed to gigabytes by a reader that
 * collects them, times, further frames, and what follows its end. Null when its chunks do not lead to an end.
 */
export function trimPng(bytes: Buffer): Buffer | null {
  const trimmed = Buffer.allocUnsafe(bytes.length);
  let written = bytes.copy(trimmed, 0, 0, SIGNATURE);
  let at = SIGNATURE;
  while (at + FRAME <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + FRAME + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    if (isNeeded(type)) written += bytes.copy(trimmed, written, at, end);
    at = end;
    if (type === 'IEND') return trimmed.subarray(0, written);
  }
  return null;
}

const SIGNATURE = 8;
/** Length, type and CRC of a chunk. */
const FRAME = 12;

/** PNG specification §5.4: a capital letter first means that no image is without it. */
function isNeeded(type: string): boolean {
  return /^[A-Z]/.test(type) || colours.has(type);
}

/** Transparency, the colour profile, and which way up. */
const colours: ReadonlySet<string> = new Set(['tRNS', 'iCCP', 'eXIf']);
