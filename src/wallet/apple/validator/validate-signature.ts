import { createHash, verify, X509Certificate } from 'node:crypto';
import {
  type Asn1,
  Asn1Error,
  asn1Children,
  asn1Expect,
  asn1Octets,
  asn1Oid,
  asn1SmallInteger,
  asn1Tag,
  asn1Time,
  readAsn1,
} from '../certificates/asn1-reader.ts';
import { certificateFields } from '../certificates/certificate-fields.ts';
import {
  type EmbeddedCertificate,
  type SignatureContext,
  validateCertificates,
} from './validate-certificates.ts';
import type { Report } from './validate-rules.ts';

/** The CMS signature over manifest.json and the certificates in it. */
export function validateSignature(bytes: Buffer, context: SignatureContext, report: Report): void {
  try {
    const signedData = readSignedData(bytes);
    const certificates = readCertificates(signedData, report);
    validateStructure(signedData, report);
    const [signer] = signedData.signers;
    if (!signer) return;
    const leaf = findSigner(signer, certificates);
    if (!leaf)
      report('certificate-missing', "The signer's certificate is not in the signature.", 'signature');
    const time = validateAttributes(signer, context.manifest, report);
    if (time) validateTime(time, leaf, context.now, report);
    if (leaf) {
      verifySignature(signer, leaf.certificate, report);
      validateCertificates(leaf, certificates, context, report);
    }
  } catch (error) {
    if (!(error instanceof Asn1Error)) throw error;
    report(
      'signature-unreadable',
      `The signature is no DER of a CMS SignedData: ${error.message}.`,
      'signature',
    );
  }
}

const idData = '1.2.840.113549.1.7.1';
const attributeOid = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
} as const;

const digests: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
};

/** rsaEncryption goes with either digest, the others with their own. */
const signatureAlgorithms: Readonly<Record<string, readonly string[]>> = {
  '1.2.840.113549.1.1.1': ['sha1', 'sha256'],
  '1.2.840.113549.1.1.5': ['sha1'],
  '1.2.840.113549.1.1.11': ['sha256'],
};

function readCertificates(signedData: SignedData, report: Report): EmbeddedCertificate[] {
  const readable: EmbeddedCertificate[] = [];
  for (const der of signedData.certificates) {
    try {
      const certificate = new X509Certificate(der);
      readable.push({ certificate, fields: certificateFields(certificate) });
    } catch {
      report('certificate-unreadable', 'A certificate in the signature is damaged.', 'signature');
    }
  }
  return readable;
}

function validateStructure(signedData: SignedData, report: Report): void {
  const { signers, digestAlgorithms } = signedData;
  if (!signedData.detached) {
    report('signature-not-detached', 'The signature must not contain the manifest (detached).', 'signature');
  }
  if (signers.length !== 1) {
    report('signature-signer-count', `There are ${signers.length} signers instead of one.`, 'signature');
  }
  const versions = [signedData.version, ...signers.map((signer) => signer.version)];
  if (versions.some((version) => version !== 1) || signers.some((signer) => !signer.serial)) {
    const message = `Versions are ${versions.join(', ')}; name the signer by issuer and serial number, version 1.`;
    report('signature-version', message, 'signature');
  }
  for (const { digestAlgorithm, signatureAlgorithm } of signers) {
    const digest = digests[digestAlgorithm];
    if (!digest || !digestAlgorithms.includes(digestAlgorithm)) {
      const message = `The signer's digest ${digestAlgorithm} is not SHA-1 or SHA-256, or not announced.`;
      report('signature-digest-algorithm', message, 'signature');
    }
    if (digest && !signatureAlgorithms[signatureAlgorithm]?.includes(digest)) {
      const message = `The signature algorithm ${signatureAlgorithm} is not RSA (PKCS #1 v1.5) with ${digest}.`;
      report('signature-algorithm', message, 'signature');
    }
  }
}

function findSigner(
  signer: SignerInfo,
  certificates: readonly EmbeddedCertificate[],
): EmbeddedCertificate | undefined {
  const { issuerDer, serial } = signer;
  if (!issuerDer || !serial) return undefined;
  return certificates.find(
    ({ fields }) => fields.serial.equals(serial) && fields.issuerDer.equals(issuerDer),
  );
}

/** Checks the attributes of RFC 5652 §11 and returns the signing time. */
function validateAttributes(signer: SignerInfo, manifest: Buffer | null, report: Report): Date | null {
  const { attributes } = signer;
  if (!attributes) {
    report('signature-attributes', 'There are no signed attributes.', 'signature');
    return null;
  }
  const firstValue = (oid: string) => attributes.find((attribute) => attribute.oid === oid)?.values[0];
  const repeated = new Set(attributes.map(({ oid }) => oid)).size !== attributes.length;
  if (repeated || attributes.some(({ values }) => values.length !== 1)) {
    report(
      'signature-attributes',
      'A signed attribute is repeated or has not exactly one value.',
      'signature',
    );
  }
  const contentType = firstValue(attributeOid.contentType);
  if (!contentType || asn1Oid(contentType) !== idData) {
    report('signature-content-type', 'The signed attribute contentType is not id-data.', 'signature');
  }
  const hash = digests[signer.digestAlgorithm];
  const digest = firstValue(attributeOid.messageDigest);
  if (!digest || (hash && manifest && !isDigest(asn1Octets(digest), hash, manifest))) {
    const message = 'The signature is for another manifest.json: it was changed after signing.';
    report('signature-digest-mismatch', message, 'signature');
  }
  const inOrder = attributes.every(
    ({ raw }, at) => at === 0 || Buffer.compare(attributes[at - 1]?.raw ?? raw, raw) <= 0,
  );
  if (!inOrder)
    report('signature-attribute-order', 'The signed attributes are not in DER order.', 'signature');
  const time = firstValue(attributeOid.signingTime);
  if (!time) {
    report('signature-time-missing', 'The signed attribute signingTime is missing.', 'signature');
    return null;
  }
  return asn1Time(time);
}

function isDigest(digest: Buffer, hash: string, bytes: Buffer): boolean {
  return createHash(hash).update(bytes).digest().equals(digest);
}

// Clocks of the signing and the checking machine may differ a little.
const clockToleranceMs = 5 * 60_000;

function validateTime(time: Date, leaf: EmbeddedCertificate | undefined, now: Date, report: Report): void {
  if (time.getTime() > now.getTime() + clockToleranceMs) {
    report('signature-time-range', `The signing time ${time.toISOString()} is in the future.`, 'signature');
  }
  if (leaf && (time < leaf.certificate.validFromDate || time > leaf.certificate.validToDate)) {
    const message = `The certificate was not valid at the signing time ${time.toISOString()}.`;
    report('signature-time-range', message, 'signature');
  }
}

function verifySignature(signer: SignerInfo, certificate: X509Certificate, report: Report): void {
  const hash = digests[signer.digestAlgorithm];
  if (!signer.signedBytes || !hash) return;
  if (!verifies(hash, signer.signedBytes, certificate, signer.signature)) {
    const message = "The signature does not verify with the certificate's key: another key made it.";
    report('signature-invalid', message, 'signature');
  }
}

function verifies(hash: string, bytes: Buffer, certificate: X509Certificate, signature: Buffer): boolean {
  try {
    return verify(hash, bytes, certificate.publicKey, signature);
  } catch {
    return false;
  }
}

/** A CMS SignedData (RFC 5652 §5) as far as a pass's signature uses it. */
export interface SignedData {
  readonly version: number;
  readonly digestAlgorithms: readonly string[];
  readonly contentType: string;
  readonly detached: boolean;
  /** DER of each embedded certificate. */
  readonly certificates: readonly Buffer[];
  readonly signers: readonly SignerInfo[];
}

export interface SignerInfo {
  readonly version: number;
  /** null when the signer is named by key identifier. */
  readonly issuerDer: Buffer | null;
  readonly serial: Buffer | null;
  readonly digestAlgorithm: string;
  /** null when there are no signed attributes. */
  readonly attributes: readonly SignedAttribute[] | null;
  /** The bytes that the signature is over: the attributes, tagged as SET (RFC 5652 §5.4). */
  readonly signedBytes: Buffer | null;
  readonly signatureAlgorithm: string;
  readonly signature: Buffer;
}

export interface SignedAttribute {
  readonly oid: string;
  readonly values: readonly Asn1[];
  readonly raw: Buffer;
}

/** Reads the DER of a CMS ContentInfo with SignedData. Throws Asn1Error when it is something else. */
function readSignedData(bytes: Buffer): SignedData {
  const [type, wrapper] = asn1Children(asn1Expect(readAsn1(bytes), asn1Tag.sequence, 'ContentInfo'));
  const oid = asn1Oid(type);
  if (oid !== '1.2.840.113549.1.7.2') throw new Asn1Error(`the content is ${oid}, not SignedData`);
  const [signedData] = asn1Children(asn1Expect(wrapper, asn1Tag.context0, 'content'));
  const parts = asn1Children(asn1Expect(signedData, asn1Tag.sequence, 'SignedData'));
  const [version, digests, content] = parts;
  const rest = parts.slice(3);
  const certificates = rest.find((part) => part.tag === asn1Tag.context0);
  const signers = asn1Expect(rest.at(-1), asn1Tag.set, 'SignerInfos');
  const [contentType, embedded] = asn1Children(asn1Expect(content, asn1Tag.sequence, 'content info'));
  return {
    version: asn1SmallInteger(version),
    digestAlgorithms: asn1Children(asn1Expect(digests, asn1Tag.set, 'digest algorithms')).map(algorithm),
    contentType: asn1Oid(contentType),
    detached: embedded === undefined,
    certificates: certificates ? asn1Children(certificates).map((certificate) => certificate.raw) : [],
    signers: asn1Children(signers).map(readSigner),
  };
}

function readSigner(signer: Asn1): SignerInfo {
  const [version, identifier, digest, ...rest] = asn1Children(
    asn1Expect(signer, asn1Tag.sequence, 'SignerInfo'),
  );
  const attributes = rest[0]?.tag === asn1Tag.context0 ? rest.shift() : undefined;
  const [signatureAlgorithm, signature] = rest;
  const named = identifier?.tag === asn1Tag.sequence ? asn1Children(identifier) : null;
  return {
    version: asn1SmallInteger(version),
    issuerDer: named ? asn1Expect(named[0], asn1Tag.sequence, 'issuer').raw : null,
    serial: named ? asn1Expect(named[1], asn1Tag.integer, 'serial number').body : null,
    digestAlgorithm: algorithm(asn1Expect(digest, asn1Tag.sequence, 'digest algorithm')),
    attributes: attributes ? asn1Children(attributes).map(readAttribute) : null,
    signedBytes: attributes ? Buffer.concat([Buffer.from([asn1Tag.set]), attributes.raw.subarray(1)]) : null,
    signatureAlgorithm: algorithm(asn1Expect(signatureAlgorithm, asn1Tag.sequence, 'signature algorithm')),
    signature: asn1Octets(signature),
  };
}

function readAttribute(attribute: Asn1): SignedAttribute {
  const [type, values] = asn1Children(asn1Expect(attribute, asn1Tag.sequence, 'attribute'));
  const set = asn1Expect(values, asn1Tag.set, 'attribute values');
  return { oid: asn1Oid(type), values: asn1Children(set), raw: attribute.raw };
}

function algorithm(identifier: Asn1): string {
  return asn1Oid(asn1Children(identifier)[0]);
}
