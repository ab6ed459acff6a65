import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { der, objectIdentifier, TAG } from '../der.ts';
import { asn1Children, readAsn1 } from './asn1-reader.ts';
import { certificateOid } from './certificate-fields.ts';

/** What a certificate is to say. `name` is a list of attribute OID and value, in the order of the subject. */
export interface CertificateRequest {
  readonly name: readonly (readonly [oid: string, value: string])[];
  readonly publicKey: KeyObject;
  /** Whose name and key sign it; null makes a self-signed certificate, and the key is the subject's own. */
  readonly issuer: X509Certificate | null;
  readonly issuerKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Extensions besides the key identifiers, which every certificate gets. */
  readonly extensions: readonly CertificateExtension[];
}

/** `value` is the DER that stands inside the extension's OCTET STRING. */
export interface CertificateExtension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

/**
 * Makes an X.509 v3 certificate (RFC 5280 §4.1) with a random serial number, signed RSA with SHA-256. Names are
 * UTF-8; country must be two letters. Times are cut to seconds.
 */
export function issueCertificate(request: CertificateRequest): X509Certificate {
  const { issuer, issuerKey, publicKey } = request;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const issuerSpki = issuer ? issuer.publicKey.export({ type: 'spki', format: 'der' }) : spki;
  const subject = encodeName(request.name);
  const extensions = [
    ...request.extensions,
    { oid: certificateOid.subjectKeyIdentifier, critical: false, value: octets(keyIdentifier(spki)) },
    {
      oid: certificateOid.authorityKeyIdentifier,
      critical: false,
      value: sequence(der(0x80, keyIdentifier(issuerSpki))),
    },
  ];
  const body = sequence(
    der(TAG.context0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    sha256WithRsa,
    issuer ? subjectDer(issuer) : subject,
    sequence(encodeTime(request.notBefore), encodeTime(request.notAfter)),
    subject,
    spki,
    der(0xa3, sequence(...extensions.map(encodeExtension))),
  );
  const signature = sign('sha256', body, issuerKey);
  return new X509Certificate(sequence(body, sha256WithRsa, bitString(signature)));
}

/** basicConstraints and keyUsage of a certificate authority. `pathLength` null: unlimited. */
export function authorityExtensions(pathLength: number | null): CertificateExtension[] {
  const limit = pathLength === null ? [] : [integer(Buffer.from([pathLength]))];
  return [
    { oid: '2.5.29.19', critical: true, value: sequence(der(0x01, Buffer.from([0xff])), ...limit) },
    // keyCertSign and cRLSign.
    { oid: '2.5.29.15', critical: true, value: der(0x03, Buffer.from([1, 0x06])) },
  ];
}

/** The extensions of a Pass Type ID certificate, as Apple's have them. */
export function passCertificateExtensions(passTypeIdentifier: string): CertificateExtension[] {
  const clientAuthentication = '1.3.6.1.5.5.7.3.2';
  const usages = [clientAuthentication, certificateOid.passSigning].map(objectIdentifier);
  return [
    { oid: '2.5.29.19', critical: true, value: sequence() },
    // digitalSignature.
    { oid: '2.5.29.15', critical: true, value: der(0x03, Buffer.from([7, 0x80])) },
    { oid: '2.5.29.37', critical: false, value: sequence(...usages) },
    { oid: certificateOid.passType, critical: false, value: der(0x0c, Buffer.from(passTypeIdentifier)) },
    { oid: certificateOid.production, critical: false, value: der(TAG.null) },
  ];
}

/** The algorithm that signs certificates and requests for them. */
export const sha256WithRsa = sequence(objectIdentifier('1.2.840.113549.1.1.11'), der(TAG.null));

/** A SEQUENCE of encoded parts. */
export function sequence(...parts: Buffer[]): Buffer {
  return der(TAG.sequence, ...parts);
}

function octets(bytes: Buffer): Buffer {
  return der(TAG.octetString, bytes);
}

function integer(bytes: Buffer): Buffer {
  return der(TAG.integer, bytes);
}

/** A BIT STRING of whole bytes. */
export function bitString(bytes: Buffer): Buffer {
  return der(0x03, Buffer.from([0]), bytes);
}

/** 16 bytes, positive and without a leading zero byte. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** A name as certificates and requests for them have it. */
export function encodeName(name: CertificateRequest['name']): Buffer {
  return sequence(
    ...name.map(([oid, value]) => {
      // RFC 5280 app. A: countryName is a PrintableString.
      const text = der(oid === certificateOid.country ? 0x13 : 0x0c, Buffer.from(value));
      return der(TAG.set, sequence(objectIdentifier(oid), text));
    }),
  );
}

/** The subject as it is encoded in the issuer's certificate, so that names match byte for byte. */
function subjectDer(certificate: X509Certificate): Buffer {
  const [body] = asn1Children(readAsn1(certificate.raw));
  const subject = body ? asn1Children(body)[5] : undefined;
  if (!subject) throw new TypeError('The issuer is no X.509 v3 certificate.');
  return subject.raw;
}

/** SHA-1 of the public key's bits: method 1 of RFC 5280 §4.2.1.2. */
function keyIdentifier(spki: Buffer): Buffer {
  const bits = asn1Children(readAsn1(spki))[1]?.body.subarray(1) ?? Buffer.alloc(0);
  return createHash('sha1').update(bits).digest();
}

function encodeExtension({ oid, critical, value }: CertificateExtension): Buffer {
  const flag = critical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(objectIdentifier(oid), ...flag, octets(value));
}

/** RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime after. */
function encodeTime(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
