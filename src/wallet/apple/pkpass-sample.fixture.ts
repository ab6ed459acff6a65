import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { certificateFields, certificateOid, wwdrCommonName } from './certificate-fields.ts';
import { authorityExtensions, issueCertificate, passCertificateExtensions } from './issue-certificate.ts';

export const passTypeIdentifier = 'pass.com.example.validator';
export const teamIdentifier = 'TEAM123456';
export const now = new Date();

const dayMs = 86_400_000;

export function daysFromNow(days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

function rsa(modulusLength: number): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength });
}

export const rootKeys: KeyPair = rsa(2048);
export const wwdrKeys: KeyPair = rsa(2048);
export const leafKeys: KeyPair = rsa(2048);

export interface AuthorityOptions {
  readonly commonName?: string;
  readonly unit?: string;
  readonly keys?: KeyPair;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed root. */
export function makeRoot(options: AuthorityOptions = {}): X509Certificate {
  const keys = options.keys ?? rootKeys;
  return issueCertificate({
    name: [[certificateOid.commonName, options.commonName ?? 'Test Root']],
    publicKey: keys.publicKey,
    issuer: null,
    issuerKey: keys.privateKey,
    notBefore: daysFromNow(-1000),
    notAfter: daysFromNow(3000),
    extensions: authorityExtensions(null),
  });
}

export const root: X509Certificate = makeRoot();

/** An intermediate named like Apple's, under `root`. */
export function makeWwdr(options: AuthorityOptions = {}): X509Certificate {
  return issueCertificate({
    name: [
      [certificateOid.commonName, options.commonName ?? wwdrCommonName],
      [certificateOid.unit, options.unit ?? 'G4'],
    ],
    publicKey: (options.keys ?? wwdrKeys).publicKey,
    issuer: root,
    issuerKey: rootKeys.privateKey,
    notBefore: options.notBefore ?? daysFromNow(-900),
    notAfter: options.notAfter ?? daysFromNow(2000),
    extensions: authorityExtensions(0),
  });
}

export const wwdr: X509Certificate = makeWwdr();

export interface LeafOptions {
  readonly userId?: string | null;
  readonly commonName?: string;
  readonly unit?: string | null;
  readonly extensionPassType?: string | null;
  readonly publicKey?: KeyObject;
  readonly issuer?: X509Certificate;
  readonly issuerKey?: KeyObject;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A pass certificate; each fact can be another, or null to leave it out. */
export function makeLeaf(options: LeafOptions = {}): X509Certificate {
  const {
    userId = passTypeIdentifier,
    unit = teamIdentifier,
    extensionPassType = passTypeIdentifier,
  } = options;
  const name: [string, string][] = [];
  if (userId !== null) name.push([certificateOid.userId, userId]);
  name.push([certificateOid.commonName, options.commonName ?? `Pass Type ID: ${passTypeIdentifier}`]);
  if (unit !== null) name.push([certificateOid.unit, unit]);
  name.push([certificateOid.organization, 'Example Ltd'], [certificateOid.country, 'GB']);
  const extensions = passCertificateExtensions(extensionPassType ?? passTypeIdentifier);
  return issueCertificate({
    name,
    publicKey: options.publicKey ?? leafKeys.publicKey,
    issuer: options.issuer ?? wwdr,
    issuerKey: options.issuerKey ?? wwdrKeys.privateKey,
    notBefore: options.notBefore ?? daysFromNow(-100),
    notAfter: options.notAfter ?? daysFromNow(265),
    extensions: extensions.filter(({ oid }) => extensionPassType !== null || oid !== certificateOid.passType),
  });
}

export const leaf: X509Certificate = makeLeaf();

export function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Runs the openssl command in a folder of its own that holds `files`; returns the bytes of `output`. */
export function openssl(
  args: readonly string[],
  files: Record<string, string | Buffer>,
  output: string,
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'punchcard-openssl-'));
  try {
    for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents);
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return readFileSync(join(folder, output));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A detached signature made by openssl. */
export function signWithOpenssl(manifest: Buffer): Buffer {
  const args = 'cms -sign -binary -md sha256 -nosmimecap -signer leaf.pem -inkey leaf.key -certfile wwdr.pem';
  return openssl(
    [...args.split(' '), '-outform', 'DER', '-in', 'manifest.json', '-out', 'signature'],
    {
      'leaf.pem': leaf.toString(),
      'leaf.key': pem(leafKeys.privateKey),
      'wwdr.pem': wwdr.toString(),
      'manifest.json': manifest,
    },
    'signature',
  );
}

export function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = [body.length & 0xff];
  if (body.length > 0xff) length.unshift(body.length >> 8);
  if (body.length > 0x7f) length.unshift(0x80 | length.length);
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

export const oid = {
  data: Buffer.from('06092a864886f70d010701', 'hex'),
  signedData: Buffer.from('06092a864886f70d010702', 'hex'),
  contentType: Buffer.from('06092a864886f70d010903', 'hex'),
  messageDigest: Buffer.from('06092a864886f70d010904', 'hex'),
  signingTime: Buffer.from('06092a864886f70d010905', 'hex'),
  rsa: Buffer.from('06092a864886f70d010101', 'hex'),
  rsaPss: Buffer.from('06092a864886f70d01010a', 'hex'),
  sha1: Buffer.from('06052b0e03021a', 'hex'),
  sha256: Buffer.from('0609608648016503040201', 'hex'),
  sha512: Buffer.from('0609608648016503040203', 'hex'),
} as const;

export interface CmsOptions {
  readonly leaf?: X509Certificate;
  readonly key?: KeyObject;
  /** The embedded certificates; leaf and intermediate unless told. */
  readonly certificates?: readonly Buffer[];
  readonly digest?: 'sha1' | 'sha256' | 'sha512';
  readonly announced?: 'sha1' | 'sha256' | 'sha512';
  readonly algorithm?: Buffer;
  readonly version?: number;
  readonly signers?: number;
  readonly embedded?: Buffer;
  readonly time?: Date;
  /** Changes the list of attributes: content type, signing time, message digest. null leaves them all out. */
  readonly attributes?: ((attributes: Buffer[]) => Buffer[]) | null;
}

export function attribute(type: Buffer, ...values: Buffer[]): Buffer {
  return tlv(0x30, type, tlv(0x31, ...values));
}

/** A CMS SignedData over the manifest in which every part can be made wrong. */
export function signCms(manifest: Buffer, options: CmsOptions = {}): Buffer {
  const signer = options.leaf ?? leaf;
  const digest = options.digest ?? 'sha256';
  const version = tlv(0x02, Buffer.from([options.version ?? 1]));
  const time = (options.time ?? now).toISOString().slice(2, 19).replace(/[-:T]/g, '');
  const standard = [
    attribute(oid.contentType, oid.data),
    attribute(oid.signingTime, tlv(0x17, Buffer.from(`${time}Z`))),
    attribute(oid.messageDigest, tlv(0x04, createHash(digest).update(manifest).digest())),
  ];
  const change = options.attributes === undefined ? (list: Buffer[]) => list : options.attributes;
  const attributes = change === null ? [] : [tlv(0xa0, ...change(standard))];
  const signed = attributes[0] ? Buffer.concat([Buffer.from([0x31]), attributes[0].subarray(1)]) : manifest;
  const fields = certificateFields(signer);
  const signerInfo = tlv(
    0x30,
    version,
    tlv(0x30, fields.issuerDer, tlv(0x02, fields.serial)),
    tlv(0x30, oid[digest]),
    ...attributes,
    tlv(0x30, options.algorithm ?? oid.rsa),
    tlv(0x04, sign(digest, signed, options.key ?? leafKeys.privateKey)),
  );
  const certificates = options.certificates ?? [signer.raw, wwdr.raw];
  const content = tlv(
    0x30,
    version,
    tlv(0x31, tlv(0x30, oid[options.announced ?? digest])),
    tlv(0x30, oid.data, ...(options.embedded ? [tlv(0xa0, tlv(0x04, options.embedded))] : [])),
    tlv(0xa0, ...certificates),
    tlv(0x31, ...Array.from({ length: options.signers ?? 1 }, () => signerInfo)),
  );
  return tlv(0x30, oid.signedData, tlv(0xa0, content));
}

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
