import { createHash, verify, X509Certificate } from 'node:crypto';
import { Asn1Error, asn1Octets, asn1Oid, asn1Time } from '../../src/wallet/apple/certificates/asn1-reader.ts';
import { certificateFields } from '../../src/wallet/apple/certificates/certificate-fields.ts';
import { readSignedData, type SignedData, type SignerInfo } from './signed-data.ts';
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
    const form = isText(bytes) ? 'it is text: write the DER, not PEM or base64' : error.message;
    report('signature-unreadable', `The signature is no CMS SignedData: ${form}.`, 'signature');
  }
}

function isText(bytes: Buffer): boolean {
  return /^(-----BEGIN|MI[A-Za-z0-9+/]{16})/.test(bytes.toString('latin1', 0, 24).trimStart());
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
  validateVersions(signedData, report);
  for (const { digestAlgorithm, signatureAlgorithm } of signers) {
    const digest = digests[digestAlgorithm];
    if (!digest) {
      const message = `The signer's digest ${digestAlgorithm} is neither SHA-1 nor SHA-256.`;
      report('signature-digest-algorithm', message, 'signature');
    } else if (!digestAlgorithms.includes(digestAlgorithm)) {
      const message = `The signer's digest ${digestAlgorithm} is not among the digests that SignedData lists.`;
      report('signature-digest-algorithm', message, 'signature');
    }
    if (digest && !signatureAlgorithms[signatureAlgorithm]?.includes(digest)) {
      const message = `The signature algorithm ${signatureAlgorithm} is not RSA (PKCS #1 v1.5) with ${digest}.`;
      report('signature-algorithm', message, 'signature');
    }
  }
}

/** RFC 5652 §5.1 and §5.3: version 1 names the signer by issuer and serial number, version 3 by key identifier. */
function validateVersions({ version, signers }: SignedData, report: Report): void {
  const named = signers.every((signer) => signer.version === (signer.keyIdentifier ? 3 : 1));
  const byKey = signers.some(({ keyIdentifier }) => keyIdentifier !== null);
  if (!named || version !== (byKey ? 3 : 1)) {
    const versions = [version, ...signers.map((signer) => signer.version)].join(', ');
    const wanted = byKey ? 'a signer named by key identifier needs 3' : 'issuer and serial number need 1';
    report('signature-version', `Versions are ${versions}; ${wanted}.`, 'signature');
  } else if (byKey) {
    const message =
      'The signer is named by key identifier; name it by issuer and serial number, as Apple does.';
    report('signature-key-identifier', message, 'signature');
  }
}

function findSigner(
  signer: SignerInfo,
  certificates: readonly EmbeddedCertificate[],
): EmbeddedCertificate | undefined {
  const { issuerDer, serial, keyIdentifier } = signer;
  return certificates.find(({ fields }) =>
    keyIdentifier
      ? fields.subjectKeyIdentifier?.equals(keyIdentifier)
      : serial && issuerDer && fields.serial.equals(serial) && fields.issuerDer.equals(issuerDer),
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
  if (!digest) {
    const message =
      'The signed attribute messageDigest is missing: nothing ties the signature to manifest.json.';
    report('signature-digest-mismatch', message, 'signature');
  } else if (hash && manifest && !isDigest(asn1Octets(digest), hash, manifest)) {
    const message = 'The signature is for another manifest.json: it was changed after signing.';
    report('signature-digest-mismatch', message, 'signature');
  }
  const inOrder = attributes.every(
    ({ encoded }, at) => at === 0 || Buffer.compare(attributes[at - 1]?.encoded ?? encoded, encoded) <= 0,
  );
  if (!inOrder)
    report('signature-attribute-order', 'The signed attributes are not in DER order.', 'signature');
  else if (!signer.attributesInDer)
    report('signature-attribute-order', 'The signed attributes are in BER; RFC 5652 wants DER.', 'signature');
  const time = firstValue(attributeOid.signingTime);
  if (!time) {
    report('signature-time-missing', 'The signed attribute signingTime is missing.', 'signature');
    return null;
  }
  try {
    return asn1Time(time);
  } catch (error) {
    if (!(error instanceof Asn1Error)) throw error;
    report('signature-time-missing', `The signing time cannot be read: ${error.message}.`, 'signature');
    return null;
  }
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
