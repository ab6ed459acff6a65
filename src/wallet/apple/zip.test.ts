import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { type ZipEntry, zip, zipChunks } from './zip.ts';

function entry(name: string, bytes: Uint8Array): ZipEntry {
  return { name, bytes, crc32: crc32(bytes) };
}

describe('zip', () => {
  it('writes the layout of the format, byte for byte', () => {
    const archive = zip([entry('a', Buffer.from('hi'))]);
    const fields = '0a00 0000 0000 0000 2100 ac2a93d8 02000000 02000000 0100 0000';
    const local = `504b0304 ${fields} 61 6869`;
    const directory = `504b0102 0a00 ${fields} 0000 0000 0000 00000000 00000000 61`;
    const end = '504b0506 0000 0000 0100 0100 2f000000 21000000 0000';
    assert.equal(archive.toString('hex'), `${local}${directory}${end}`.replaceAll(' ', ''));
  });

  it('flags a name as UTF-8 exactly when it is not ASCII', () => {
    const [plain, accented] = readDirectory(zip([entry('a', Buffer.alloc(0)), entry('é', Buffer.alloc(0))]));
    assert.equal(plain?.flags, 0);
    assert.equal(accented?.flags, 0x0800);
  });

  it('writes an empty archive as an end record', () => {
    assert.equal(zip([]).toString('hex'), `504b0506${'00'.repeat(18)}`);
  });

  it('refuses a name that occurs twice', () => {
    const twice = [entry('icon.png', Buffer.from('a')), entry('icon.png', Buffer.from('b'))];
    assert.throws(() => zip(twice), /"icon\.png" occurs twice/);
  });

  it('refuses what would need ZIP64 instead of writing a wrong length', () => {
    const many = Array.from({ length: 65_535 }, (_, index) => entry(String(index), Buffer.alloc(0)));
    assert.throws(() => zip(many), /too large/);
    const large = { name: 'large', bytes: lengthOnly(2 ** 32), crc32: 0 };
    assert.throws(() => zipChunks([large]), /too large/);
    assert.throws(() => zip([entry('n'.repeat(65_536), Buffer.alloc(0))]), /file name is longer/);
  });

  it('gives back any entries to a reader, in order', () => {
    const entries = fc.uniqueArray(
      fc.record(
        {
          name: fc.string({ unit: 'grapheme', minLength: 1 }),
          bytes: fc.uint8Array({ size: 'large', maxLength: 9000 }),
        },
        { noNullPrototype: true },
      ),
      {
        selector: ({ name }) => name,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(entries, (files) => {
        const archive = zip(files.map(({ name, bytes }) => entry(name, bytes)));
        const read = readDirectory(archive).map(({ name, bytes }) => ({
          name,
          bytes: Uint8Array.from(bytes),
        }));
        assert.deepEqual(read, files);
      }),
    );
  });
});

describe('zipChunks', () => {
  it('is the same archive, with the bytes of large entries not copied', () => {
    const sizes = [0, 4095, 4096, 100_000, 10, 8000];
    const entries = sizes.map((size, index) => entry(`${index}.png`, Buffer.alloc(size, index)));
    const chunks = zipChunks(entries);
    assert.deepEqual(Buffer.concat(chunks), zip(entries));
    const shared = entries.filter(({ bytes }) => chunks.includes(bytes)).map(({ bytes }) => bytes.length);
    assert.deepEqual(shared, [4096, 100_000, 8000]);
    assert.equal(readDirectory(zip(entries)).length, sizes.length);
  });

  it('is one chunk when all entries are small', () => {
    assert.equal(zipChunks([entry('a', Buffer.from('a')), entry('b', Buffer.from('b'))]).length, 1);
  });
});

interface ReadEntry {
  readonly name: string;
  readonly flags: number;
  readonly bytes: Buffer;
}

/** Reads by the central directory and insists that each local header says the same. */
function readDirectory(archive: Buffer): ReadEntry[] {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), 0x06054b50);
  let position = archive.readUInt32LE(end + 16);
  assert.equal(position + archive.readUInt32LE(end + 12), end);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    assert.equal(archive.readUInt32LE(position), 0x02014b50);
    const nameLength = archive.readUInt16LE(position + 28);
    const name = archive.subarray(position + 46, position + 46 + nameLength);
    const local = archive.readUInt32LE(position + 42);
    assert.equal(archive.readUInt32LE(local), 0x04034b50);
    assert.deepEqual(archive.subarray(local + 4, local + 30), archive.subarray(position + 6, position + 32));
    assert.deepEqual(archive.subarray(local + 30, local + 30 + nameLength), name);
    const start = local + 30 + nameLength;
    const bytes = archive.subarray(start, start + archive.readUInt32LE(position + 24));
    assert.equal(archive.readUInt32LE(position + 16), crc32(bytes));
    const flags = archive.readUInt16LE(position + 8);
    position += 46 + nameLength;
    return { name: name.toString('utf8'), flags, bytes };
  });
}

/** Bytes that say how many they are without taking the memory. */
function lengthOnly(length: number): Uint8Array {
  return Object.defineProperty(new Uint8Array(0), 'length', { value: length });
}
