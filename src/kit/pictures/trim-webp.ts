/**
 * A WebP of its first picture alone. A reader of moving pictures walks all frames for each of them, which for hundreds
 * of thousands of frames takes minutes; texts are left out too. Null when its chunks do not lead to an end.
 * Container: RFC 9649 §2.3 to §2.7.
 */
export function trimWebp(bytes: Buffer): Buffer | null {
  if (bytes.length < HEADER) return null;
  const end = LENGTH + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const parts = [bytes.subarray(0, HEADER)];
  const seen = new Set<number>();
  for (let at = HEADER; at < end; ) {
    if (at + LENGTH > end) return null;
    const type = bytes.readUInt32LE(at);
    const next = at + LENGTH + even(bytes.readUInt32LE(at + 4));
    // Some writers leave out the last padding.
    if (next > end + 1) return null;
    if (needed.has(type) && !seen.has(type)) {
      parts.push(bytes.subarray(at, Math.min(next, end)));
      seen.add(type);
    }
    at = next;
  }
  const trimmed = Buffer.concat(parts);
  trimmed.writeUInt32LE(trimmed.length - LENGTH, 4);
  return trimmed;
}

/** `RIFF`, length, `WEBP`. */
const HEADER = 12;
/** A type of four letters and a length. */
const LENGTH = 8;

/** What the pixels of a picture, or of the first of several, are made of; the colour profile, and which way up. */
const needed: ReadonlySet<number> = new Set(
  ['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L', 'EXIF'].map((type) =>
    Buffer.from(type).readUInt32LE(),
  ),
);

function even(length: number): number {
  return length + (length & 1);
}
