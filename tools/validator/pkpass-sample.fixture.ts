import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import {
  type CmsOptions,
  passTypeIdentifier,
  signCms,
  teamIdentifier,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';

export interface ZipEntryOptions {
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly localName?: string;
  /** Stored instead of the deflated or plain contents. */
  readonly packed?: Buffer;
}

export type ZipInput = readonly [name: string, contents: Buffer, options?: ZipEntryOptions];

/** A zip archive whose headers can lie. */
export function writeZip(entries: readonly ZipInput[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, contents, options = {}] of entries) {
    const method = options.method ?? 0;
    const packed = options.packed ?? (method === 8 ? deflateRawSync(contents) : contents);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(options.flags ?? 0x0800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(options.crc ?? crc32(contents), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(options.size ?? contents.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const localName = Buffer.from(options.localName ?? name);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, localName, packed]);
    local.writeUInt16LE(localName.length, 26);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, tail, Buffer.from(name)]));
    bodies.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

/** A grey PNG of the given size in pixels. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x80).fill(0, 0, 1);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The least that a reader takes for a PDF. */
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type), body, Buffer.alloc(4)]);
  chunk.writeUInt32BE(body.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

export type Json = Record<string, unknown>;
export type Files = Record<string, Buffer>;

/** A pass.json without any finding: a store card, unless `changes` say otherwise. undefined removes a key. */
export function passJson(changes: Json = {}): Json {
  return {
    formatVersion: 1,
    passTypeIdentifier,
    serialNumber: 'p69f2J',
    teamIdentifier,
    organizationName: 'Example Ltd',
    description: 'Example card',
    barcodes: [{ format: 'PKBarcodeFormatQR', message: '12345', messageEncoding: 'iso-8859-1' }],
    ...('storeCard' in changes ? {} : { storeCard: { primaryFields: [{ key: 'points', value: 12 }] } }),
    ...changes,
  };
}

export function icons(): Files {
  return { 'icon.png': png(29, 29), 'icon@2x.png': png(58, 58), 'icon@3x.png': png(87, 87) };
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

export function manifestOf(files: Files): Json {
  return Object.fromEntries(
    Object.entries(files).map(([name, contents]) => [
      name,
      createHash('sha1').update(contents).digest('hex'),
    ]),
  );
}

export interface PassOptions {
  /** The bytes of pass.json, or its value; null leaves it out. */
  readonly pass?: Json | Buffer | null;
  /** Further files; null removes one of the icons. */
  readonly files?: Record<string, Buffer | null>;
  readonly manifest?: (manifest: Json) => Json | Buffer;
  readonly cms?: CmsOptions;
  readonly sign?: (manifest: Buffer) => Buffer;
  /** Changes the entries before they are zipped. */
  readonly zip?: (entries: ZipInput[]) => ZipInput[];
}

/** A complete, signed .pkpass. */
export function buildPass(options: PassOptions = {}): Buffer {
  const pass = options.pass === undefined ? passJson() : options.pass;
  const all: Record<string, Buffer | null> = {
    ...(pass === null ? {} : { 'pass.json': Buffer.isBuffer(pass) ? pass : jsonBytes(pass) }),
    ...icons(),
    ...options.files,
  };
  const files = Object.fromEntries(
    Object.entries(all).flatMap(([name, contents]) => (contents ? [[name, contents] as const] : [])),
  );
  const changed = (options.manifest ?? ((same: Json) => same))(manifestOf(files));
  const manifest = Buffer.isBuffer(changed) ? changed : jsonBytes(changed);
  const signature = (options.sign ?? ((bytes: Buffer) => signCms(bytes, options.cms)))(manifest);
  const entries: ZipInput[] = Object.entries({ ...files, 'manifest.json': manifest, signature });
  return writeZip(options.zip ? options.zip(entries) : entries);
}
