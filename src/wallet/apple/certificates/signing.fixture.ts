import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  readonly organization?: string;
  readonly unit?: string;
  readonly keys?: KeyPair;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed root. */
export function makeRoot(options: AuthorityOptions = {}): X509Certificate {
  const keys = options.keys ?? rootKeys;
  return issueCertificate({
    name: [
      [certificateOid.commonName, options.commonName ?? 'Test Root'],
      ...(options.organization ? [[certificateOid.organization, options.organization] as const] : []),
    ],
    publicKey: keys.publicKey,
    issuer: null,
    issuerKey: keys.privateKey,
    notBefore: daysFromNow(-1000),
    notAfter: daysFromNow(3000),
    extensions: authorityExtensions(null),
  });
}

export const root: X509Certificate = makeRoot();

/** An intermediate named like Apple's, under `root` by default. */
export function makeWwdr(
  options: AuthorityOptions & { readonly issuer?: X509Certificate } = {},
): X509Certificate {
  return issueCertificate({
    name: [
      [certificateOid.commonName, options.commonName ?? wwdrCommonName],
      [certificateOid.unit, options.unit ?? 'G4'],
    ],
    publicKey: (options.keys ?? wwdrKeys).publicKey,
    issuer: options.issuer ?? root,
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

/** A detached signature made by openssl, with further options of it. */
export function signWithOpenssl(manifest: Buffer, more: readonly string[] = []): Buffer {
  const args = 'cms -sign -binary -md sha256 -nosmimecap -signer leaf.pem -inkey leaf.key -certfile wwdr.pem';
  return openssl(
    [...args.split(' '), ...more, '-outform', 'DER', '-in', 'manifest.json', '-out', 'signature'],
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
  /** The embedded certificates; leaf and intermediate by default. */
  readonly certificates?: readonly Buffer[];
  readonly digest?: 'sha1' | 'sha256' | 'sha512';
  readonly announced?: 'sha1' | 'sha256' | 'sha512';
  readonly algorithm?: Buffer;
  readonly version?: number;
  /** Names the signer by key identifier. */
  readonly byKey?: boolean;
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
    options.byKey
      ? tlv(0x80, fields.subjectKeyIdentifier ?? Buffer.alloc(0))
      : tlv(0x30, fields.issuerDer, tlv(0x02, fields.serial)),
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
