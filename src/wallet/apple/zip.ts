/** A file to store in an archive. */
export interface ZipEntry {
  /** Path with `/` separators. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** CRC-32 of the bytes. */
  readonly crc32: number;
}

/**
 * A ZIP archive that stores its entries uncompressed, in the given order, dated 1980-01-01: equal entries give
 * equal bytes. Throws an Error above the limits of an archive without ZIP64 and for a repeated name. Layout:
 * PKWARE APPNOTE 6.3, 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end record).
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  return Buffer.concat(zipChunks(entries));
}

/**
 * The same archive as consecutive chunks. The bytes of entries of 4 kB or more are not copied, so that an archive of
 * large, long-lived files costs a few kilobytes of new memory. Callers must not write to a chunk.
 */
export function zipChunks(entries: readonly ZipEntry[]): Uint8Array[] {
  const members = place(entries);
  const directoryOffset = sum(members, localSize);
  const directorySize = sum(members, directoryEntrySize);
  refuseOversize(members, directoryOffset + directorySize);
  const size = directoryOffset + directorySize + END_RECORD_SIZE;
  const own = Buffer.allocUnsafe(size - sum(members, sharedSize));
  const chunks: Uint8Array[] = [];
  let chunkStart = 0;
  let position = 0;
  for (const member of members) {
    position = writeLocalHeader(own, position, member);
    if (isShared(member)) {
      chunks.push(own.subarray(chunkStart, position), member.bytes);
      chunkStart = position;
    } else {
      own.set(member.bytes, position);
      position += member.bytes.length;
    }
  }
  for (const member of members) position = writeDirectoryEntry(own, position, member);
  writeEndRecord(own, position, members.length, directorySize, directoryOffset);
  chunks.push(own.subarray(chunkStart));
  return chunks;
}

interface Member extends ZipEntry {
  readonly nameBytes: number;
  readonly flags: number;
  /** Where its local header stands. */
  readonly offset: number;
}

const LOCAL_HEADER_SIZE = 30;
const DIRECTORY_HEADER_SIZE = 46;
const END_RECORD_SIZE = 22;
/** Bytes from which a chunk of its own costs less than a copy. */
const SHARED_SIZE = 4096;
const MAX_ENTRIES = 0xffff - 1;
const MAX_SIZE = 0xffffffff - 1;
/** The version of the format that a reader must know: 1.0, the first, has everything used here. */
const VERSION = 10;
/** General purpose bit 11: the name is UTF-8. ASCII names are the same without it, so they go without it. */
const UTF8_NAME = 0x0800;
/** 1980-01-01, the first day that the format can express. */
const DOS_DATE = 0x0021;

function place(entries: readonly ZipEntry[]): Member[] {
  const names = new Set<string>();
  let offset = 0;
  return entries.map((entry) => {
    if (names.has(entry.name))
      throw new Error(`${JSON.stringify(entry.name)} occurs twice; name each file once.`);
    names.add(entry.name);
    const nameBytes = Buffer.byteLength(entry.name);
    const { name, bytes, crc32 } = entry;
    const member = {
      name,
      bytes,
      crc32,
      nameBytes,
      flags: nameBytes === name.length ? 0 : UTF8_NAME,
      offset,
    };
    offset += localSize(member);
    return member;
  });
}

function isShared(member: Member): boolean {
  return member.bytes.length >= SHARED_SIZE;
}

function sharedSize(member: Member): number {
  return isShared(member) ? member.bytes.length : 0;
}

function localHeaderSize(member: Member): number {
  return LOCAL_HEADER_SIZE + member.nameBytes;
}

function localSize(member: Member): number {
  return localHeaderSize(member) + member.bytes.length;
}

function directoryEntrySize(member: Member): number {
  return DIRECTORY_HEADER_SIZE + member.nameBytes;
}

function sum(members: readonly Member[], size: (member: Member) => number): number {
  return members.reduce((total, member) => total + size(member), 0);
}

function refuseOversize(members: readonly Member[], size: number): void {
  if (members.length > MAX_ENTRIES || size > MAX_SIZE) {
    throw new Error('The archive is too large: at most 65,534 files and 4 GiB fit.');
  }
  const longest = Math.max(0, ...members.map((member) => member.nameBytes));
  if (longest > 0xffff) throw new Error('A file name is longer than 65,535 bytes.');
}

/** Returns the position after the header. */
function writeLocalHeader(archive: Buffer, position: number, member: Member): number {
  archive.writeUInt32LE(0x04034b50, position);
  writeCommonFields(archive, position + 4, member);
  archive.write(member.name, position + LOCAL_HEADER_SIZE, 'utf8');
  return position + localHeaderSize(member);
}

/** Returns the position after the entry. */
function writeDirectoryEntry(archive: Buffer, position: number, member: Member): number {
  archive.writeUInt32LE(0x02014b50, position);
  archive.writeUInt16LE(VERSION, position + 4); // made by: 1.0, MS-DOS attributes
  writeCommonFields(archive, position + 6, member);
  archive.fill(0, position + 32, position + 42); // no comment, disk 0, no attributes
  archive.writeUInt32LE(member.offset, position + 42);
  archive.write(member.name, position + DIRECTORY_HEADER_SIZE, 'utf8');
  return position + directoryEntrySize(member);
}

/** The 26 bytes that the local header and the central directory share. */
function writeCommonFields(archive: Buffer, position: number, member: Member): void {
  archive.writeUInt16LE(VERSION, position);
  archive.writeUInt16LE(member.flags, position + 2);
  archive.writeUInt32LE(0, position + 4); // method 0: stored; time 00:00
  archive.writeUInt16LE(DOS_DATE, position + 8);
  archive.writeUInt32LE(member.crc32, position + 10);
  archive.writeUInt32LE(member.bytes.length, position + 14);
  archive.writeUInt32LE(member.bytes.length, position + 18);
  archive.writeUInt16LE(member.nameBytes, position + 22);
  archive.writeUInt16LE(0, position + 24); // no extra field
}

function writeEndRecord(
  archive: Buffer,
  position: number,
  entries: number,
  size: number,
  offset: number,
): void {
  archive.writeUInt32LE(0x06054b50, position);
  archive.writeUInt32LE(0, position + 4); // one disk
  archive.writeUInt16LE(entries, position + 8);
  archive.writeUInt16LE(entries, position + 10);
  archive.writeUInt32LE(size, position + 12);
  archive.writeUInt32LE(offset, position + 16);
  archive.writeUInt16LE(0, position + 20); // no comment
}
