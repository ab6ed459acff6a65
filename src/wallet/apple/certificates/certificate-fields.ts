import type { X509Certificate } from 'node:crypto';
import {
  type Asn1,
  Asn1Error,
  asn1Children,
  asn1Expect,
  asn1Octets,
  asn1Oid,
  asn1Tag,
  asn1Text,
  readAsn1,
} from './asn1-reader.ts';

/** A certificate, key or chain cannot be used for signing; the message says what is wrong and what to do. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}

/** Object identifiers of names and extensions in Apple's pass certificates. */
export const certificateOid = {
  commonName: '2.5.4.3',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  unit: '2.5.4.11',
  userId: '0.9.2342.19200300.100.1.1',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  /** Apple: holds the pass type identifier. */
  passType: '1.2.840.113635.100.6.1.16',
  /** Apple: marks the certificate for production push notifications. */
  production: '1.2.840.113635.100.6.3.2',
  /** Apple: passes that it signs may be read by NFC. */
  nfc: '1.2.840.113635.100.6.1.26',
  /** Apple: extended key usage "signs passes". */
  passSigning: '1.2.840.113635.100.4.14',
} as const;

/** The common name of every generation of Apple's intermediate starts with this. */
export const wwdrCommonName = 'Apple Worldwide Developer Relations Certification Authority';

/** Whether an intermediate was issued by a root of Apple's. By name: the service does not decide about trust, phones do. */
export function endsAtApple({ issuer }: Pick<CertificateFields, 'issuer'>): boolean {
  return (
    nameValue(issuer, certificateOid.organization) === 'Apple Inc.' &&
    (nameValue(issuer, certificateOid.commonName) ?? '').startsWith('Apple Root CA')
  );
}

/** Attribute OID → values, in the order of the name. */
export type CertificateName = ReadonlyMap<string, readonly string[]>;

/** What Node's X509Certificate does not show: names by OID, extensions and identifiers as bytes. */
export interface CertificateFields {
  readonly subject: CertificateName;
  readonly issuer: CertificateName;
  readonly issuerDer: Buffer;
  /** The INTEGER's contents, sign byte included. */
  readonly serial: Buffer;
  readonly extensions: ReadonlyMap<string, Buffer>;
  readonly subjectKeyIdentifier: Buffer | null;
  readonly authorityKeyIdentifier: Buffer | null;
}

/** What a Pass Type ID certificate says about itself; every fact may be missing in another certificate. */
export interface PassCertificateFacts {
  readonly extensionPassType: string | null;
  readonly userId: string | null;
  readonly commonName: string | null;
  /** The identifier after `Pass Type ID: ` or `Pass Type ID with NFC: `. */
  readonly commonNamePassType: string | null;
  readonly nfc: boolean;
  readonly team: string | null;
  readonly organization: string | null;
}

/** Reads a certificate's DER (RFC 5280 §4.1). Throws Asn1Error when it is not well-formed. */
export function certificateFields(certificate: X509Certificate): CertificateFields {
  const [body] = asn1Children(readAsn1(certificate.raw, { ber: true }));
  const parts = asn1Children(asn1Expect(body, asn1Tag.sequence, 'certificate body'));
  if (parts[0]?.tag === asn1Tag.context0) parts.shift();
  const [serial, , issuer, , subject] = parts;
  const issuerName = asn1Expect(issuer, asn1Tag.sequence, 'issuer');
  const extensions = readExtensions(parts.find((part) => part.tag === asn1Tag.context3));
  return {
    subject: readName(asn1Expect(subject, asn1Tag.sequence, 'subject')),
    issuer: readName(issuerName),
    issuerDer: issuerName.raw,
    serial: asn1Expect(serial, asn1Tag.integer, 'serial number').body,
    extensions,
    subjectKeyIdentifier: readSubjectKeyIdentifier(extensions.get(certificateOid.subjectKeyIdentifier)),
    authorityKeyIdentifier: readAuthorityKeyIdentifier(extensions.get(certificateOid.authorityKeyIdentifier)),
  };
}

/** The facts of a Pass Type ID certificate, read from its fields. */
export function passCertificateFacts(fields: CertificateFields): PassCertificateFacts {
  const commonName = nameValue(fields.subject, certificateOid.commonName);
  const named = /^Pass Type ID( with NFC)?: (.+)$/.exec(commonName ?? '');
  return {
    extensionPassType: extensionText(fields.extensions.get(certificateOid.passType)),
    userId: nameValue(fields.subject, certificateOid.userId),
    commonName,
    commonNamePassType: named?.[2] ?? null,
    nfc: named?.[1] !== undefined || fields.extensions.has(certificateOid.nfc),
    team: nameValue(fields.subject, certificateOid.unit),
    organization: nameValue(fields.subject, certificateOid.organization),
  };
}

/** Whether phones take passes for NFC that it has signed. */
export function isForNfc(certificate: X509Certificate): boolean {
  return passCertificateFacts(certificateFields(certificate)).nfc;
}

/** The first value of an attribute, or null. */
export function nameValue(name: CertificateName, oid: string): string | null {
  return name.get(oid)?.[0] ?? null;
}

/** A name as people know it: `Apple Worldwide Developer Relations Certification Authority (G4)`. */
export function describeName(name: CertificateName): string {
  const common = nameValue(name, certificateOid.commonName) ?? nameValue(name, certificateOid.organization);
  const unit = nameValue(name, certificateOid.unit);
  return `"${common ?? 'no name'}${unit === null ? '' : ` (${unit})`}"`;
}

/** True when `issuer` signed `certificate`: names, key identifiers and signature fit. Never throws. */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** RSA of at least 2048 bits, as Apple's pass certificates are. Never throws. */
export function hasStrongRsaKey(certificate: X509Certificate): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}

function readName(name: Asn1): CertificateName {
  const values = new Map<string, string[]>();
  for (const attribute of asn1Children(name).flatMap(asn1Children)) {
    const [type, value] = asn1Children(attribute);
    const text = value ? asn1Text(value) : null;
    if (text === null) continue;
    const oid = asn1Oid(type);
    values.set(oid, [...(values.get(oid) ?? []), text]);
  }
  return values;
}

function readExtensions(wrapper: Asn1 | undefined): Map<string, Buffer> {
  const extensions = new Map<string, Buffer>();
  if (!wrapper) return extensions;
  for (const extension of asn1Children(wrapper).flatMap(asn1Children)) {
    const parts = asn1Children(extension);
    extensions.set(asn1Oid(parts[0]), asn1Octets(parts.at(-1)));
  }
  return extensions;
}

function readSubjectKeyIdentifier(value: Buffer | undefined): Buffer | null {
  return value ? asn1Octets(readAsn1(value, { ber: true })) : null;
}

function readAuthorityKeyIdentifier(value: Buffer | undefined): Buffer | null {
  if (!value) return null;
  return asn1Children(readAsn1(value, { ber: true })).find((part) => part.tag === 0x80)?.body ?? null;
}

function extensionText(value: Buffer | undefined): string | null {
  if (!value) return null;
  try {
    return asn1Text(readAsn1(value, { ber: true }));
  } catch (error) {
    if (error instanceof Asn1Error) return null;
    throw error;
  }
}
