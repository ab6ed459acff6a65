import { generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { certificateOid } from '../../src/wallet/apple/certificates/certificate-fields.ts';
import {
  authorityExtensions,
  type CertificateExtension,
  issueCertificate,
} from '../../src/wallet/apple/certificates/issue-certificate.ts';
import { der, objectIdentifier, TAG } from '../../src/wallet/apple/der.ts';

/** An authority that signs certificates. */
export interface Authority {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

/** A certificate authority of its own, for as long as a test or a simulation lasts. */
export function makeAuthority(commonName = 'Simulated Root CA'): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = issueCertificate({
    name: [[certificateOid.commonName, commonName]],
    publicKey,
    issuer: null,
    issuerKey: privateKey,
    ...validity(),
    extensions: authorityExtensions(null),
  });
  return { certificate, privateKey };
}

/**
 * PEM certificate and key for a TLS server that is reached under these host names and addresses. The authority's own
 * certificate follows, since it may be one that is certified by another.
 */
export function issueServerCertificate(
  authority: Authority,
  hosts: readonly [string, ...string[]] = ['localhost', '127.0.0.1'],
): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = issueCertificate({
    name: [[certificateOid.commonName, hosts[0]]],
    publicKey,
    issuer: authority.certificate,
    issuerKey: authority.privateKey,
    ...validity(),
    extensions: serverExtensions(hosts),
  });
  return {
    cert: certificate.toString() + authority.certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const dayMs = 86_400_000;

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 365 * dayMs) };
}

/** RFC 5280 §4.2.1: no authority, digitalSignature, serverAuth, and the names as subjectAltName. */
function serverExtensions(hosts: readonly string[]): CertificateExtension[] {
  return [
    { oid: '2.5.29.19', critical: true, value: der(TAG.sequence) },
    { oid: '2.5.29.15', critical: true, value: der(0x03, Buffer.from([7, 0x80])) },
    { oid: '2.5.29.37', critical: false, value: der(TAG.sequence, objectIdentifier('1.3.6.1.5.5.7.3.1')) },
    { oid: '2.5.29.17', critical: false, value: der(TAG.sequence, ...hosts.map(generalName)) },
  ];
}

function generalName(host: string): Buffer {
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split('.').map(Number)));
  return der(0x82, Buffer.from(host));
}
