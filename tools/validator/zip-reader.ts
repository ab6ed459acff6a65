import { crc32, inflateRawSync } from 'node:zlib';
import type { Report } from './validate-rules.ts';

/** An entry as the central directory describes it. */
export interface ZipListing {
  readonly name: string;
  readonly directory: boolean;
  readonly encrypted: boolean;
  readonly streamed: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly headerOffset: number;
}

export interface ZipLimits {
  readonly entries: number;
  /** Bytes of all entries together, inflated. */
  readonly bytes: number;
}

/**
 * Reads the central directory (PKWARE APPNOTE §4.3.12) and reports what is wrong with the archive as a whole.
 * null when no directory can be found.
 */
export function listZip(bytes: Buffer, report: Report): ZipListing[] | null {
  const end = findEnd(bytes);
  if (end === null) {
    report('zip-unreadable', 'This is no zip archive, or its end is cut off.');
    return null;
  }
  const trailing = bytes.length - endOf(bytes, end);
  if (trailing > 0) report('zip-unreadable', surplus(trailing, 'after'));
  const count = bytes.readUInt16LE(end + 10);
  const size = bytes.readUInt32LE(end + 12);
  const start = bytes.readUInt32LE(end + 16);
  const locator = end >= 20 && bytes.readUInt32LE(end - 20) === zip64Locator;
  if (locator || count === 0xffff || size === 0xffffffff || start === 0xffffffff) {
    report('zip-zip64', 'The archive uses ZIP64; write it without, passes are far smaller.');
    return null;
  }
  const split = bytes.readUInt16LE(end + 4) !== 0 || bytes.readUInt16LE(end + 8) !== count;
  // Offsets count from the first byte of the archive.
  const shift = end - size - start;
  if (split || shift < 0) {
    report('zip-unreadable', 'The directory of the archive is not where its end says.');
    return null;
  }
  const listings = readDirectory(bytes, { at: end - size, end, shift }, count, report);
  const first = listings?.reduce((least, { headerOffset }) => Math.min(least, headerOffset), end - size) ?? 0;
  if (first > 0) report('zip-unreadable', surplus(first, 'before'));
  return listings;
}

function surplus(count: number, where: 'before' | 'after'): string {
  return `${count} ${count === 1 ? 'byte stands' : 'bytes stand'} ${where} the archive; write the archive alone.`;
}

/** The contents of the entries by name, without directories, broken and unsafe ones; null beyond the limits. */
export function extractZip(
  bytes: Buffer,
  listings: readonly ZipListing[],
  limits: ZipLimits,
  report: Report,
): Map<string, Buffer> | null {
  if (listings.length > limits.entries) {
    report(
      'zip-too-many-entries',
      `The archive has ${listings.length} entries; ${limits.entries} are allowed.`,
    );
    return null;
  }
  const total = listings.reduce((sum, listing) => sum + listing.size, 0);
  if (total > limits.bytes) {
    report('zip-too-large', `The entries inflate to ${total} bytes; ${limits.bytes} are allowed.`);
    return null;
  }
  const files = new Map<string, Buffer>();
  const seen = new Set<string>();
  for (const listing of listings) {
    if (seen.has(listing.name)) {
      report('zip-duplicate-name', 'The archive has two entries of this name.', listing.name);
      continue;
    }
    seen.add(listing.name);
    const safe = checkName(listing.name, report);
    const contents = readEntry(bytes, listing, report);
    if (listing.directory) report('zip-directory-entry', 'Leave out entries for directories.', listing.name);
    else if (safe && contents) files.set(listing.name, contents);
  }
  return files;
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const zip64Locator = 0x07064b50;
const directorySignature = 0x02014b50;
const headerSignature = 0x04034b50;

/** Where the end record begins: the one that ends with the file, else the last one that a directory stands before. */
function findEnd(bytes: Buffer): number | null {
  let fallback: number | null = null;
  for (let at = bytes.length - 22; at >= 0; at--) {
    at = bytes.lastIndexOf(endSignature, at);
    if (at < 0) break;
    if (endOf(bytes, at) === bytes.length) return at;
    if (fallback === null && endOf(bytes, at) < bytes.length && followsDirectory(bytes, at)) fallback = at;
  }
  return fallback;
}

function endOf(bytes: Buffer, end: number): number {
  return end + 22 + bytes.readUInt16LE(end + 20);
}

function followsDirectory(bytes: Buffer, end: number): boolean {
  const start = end - bytes.readUInt32LE(end + 12);
  return start >= 0 && start < end && bytes.readUInt32LE(start) === directorySignature;
}

function readDirectory(
  bytes: Buffer,
  place: { readonly at: number; readonly end: number; readonly shift: number },
  count: number,
  report: Report,
): ZipListing[] | null {
  const listings: ZipListing[] = [];
  const { end, shift } = place;
  let { at } = place;
  while (at + 46 <= end && bytes.readUInt32LE(at) === directorySignature) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const next = at + 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (next > end) break;
    const flags = bytes.readUInt16LE(at + 8);
    const name = decodeName(bytes.subarray(at + 46, at + 46 + nameLength), flags, report);
    listings.push({
      name,
      directory: name.endsWith('/'),
      encrypted: (flags & 0x2041) !== 0,
      streamed: (flags & 8) !== 0,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      headerOffset: bytes.readUInt32LE(at + 42) + shift,
    });
    at = next;
  }
  if (at === end && listings.length === count) return listings;
  report('zip-unreadable', `The directory of the archive is damaged after ${listings.length} entries.`);
  return null;
}

function decodeName(raw: Buffer, flags: number, report: Report): string {
  const marked = (flags & 0x0800) !== 0;
  const ascii = raw.every((byte) => byte < 0x80);
  const name = raw.toString('utf8');
  const valid = Buffer.from(name).equals(raw);
  if (valid && (ascii || marked)) return name;
  report('zip-name-encoding', 'The name is not marked as UTF-8; other systems will read another name.', name);
  return valid ? name : raw.toString('latin1');
}

function checkName(name: string, report: Report): boolean {
  const segments = name.replace(/\/$/, '').split('/');
  const odd = segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters in names are what is looked for
  if (!odd && !/[\\\x00-\x1f\x7f]/.test(name) && !/^[A-Za-z]:/.test(name)) return true;
  report('zip-unsafe-path', `"${name}" is no plain relative path with forward slashes.`, name);
  return false;
}

function readEntry(bytes: Buffer, listing: ZipListing, report: Report): Buffer | null {
  const { name } = listing;
  if (listing.encrypted) {
    report('zip-encrypted', 'The entry is encrypted.', name);
    return null;
  }
  const start = checkHeader(bytes, listing, report);
  if (start === null) return null;
  const packed = bytes.subarray(start, start + listing.packedSize);
  const contents = unpack(packed, listing, report);
  if (contents === null) return null;
  if (contents.length !== listing.size || crc32(contents) !== listing.crc) {
    report('zip-corrupt', 'The contents do not fit the size and CRC of the directory.', name);
    return null;
  }
  return contents;
}

/** The start of the entry's data. Readers differ in which header they trust, so both must say the same. */
function checkHeader(bytes: Buffer, listing: ZipListing, report: Report): number | null {
  const at = listing.headerOffset;
  const { name } = listing;
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== headerSignature) {
    report('zip-unreadable', 'The entry does not begin where the directory says.', name);
    return null;
  }
  const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
  const start = nameEnd + bytes.readUInt16LE(at + 28);
  if (start + listing.packedSize > bytes.length) {
    report('zip-unreadable', 'The entry reaches beyond the end of the archive.', name);
    return null;
  }
  const rawName = bytes.subarray(at + 30, nameEnd);
  const sameName = rawName.toString('utf8') === name || rawName.toString('latin1') === name;
  const sameSizes =
    bytes.readUInt32LE(at + 14) === listing.crc &&
    bytes.readUInt32LE(at + 18) === listing.packedSize &&
    bytes.readUInt32LE(at + 22) === listing.size;
  const streamed = (bytes.readUInt16LE(at + 6) & 8) !== 0;
  const sameRest = bytes.readUInt16LE(at + 8) === listing.method && streamed === listing.streamed;
  if (!sameName || !sameRest || !(streamed || sameSizes)) {
    report('zip-headers-disagree', 'The local header differs from the directory.', name);
    return null;
  }
  return start;
}

function unpack(packed: Buffer, listing: ZipListing, report: Report): Buffer | null {
  if (listing.method === 0) return packed;
  if (listing.method !== 8) {
    report('zip-method', `Compression method ${listing.method} is not supported; use 0 or 8.`, listing.name);
    return null;
  }
  try {
    // Inflating stops at the declared size, however much the data would give.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, listing.size) });
  } catch {
    report('zip-corrupt', 'The entry does not inflate to the size that the directory states.', listing.name);
    return null;
  }
}
