import { type KeyObject, sign } from 'node:crypto';
import { der, TAG } from '../der.ts';
import { bitString, encodeName, sequence, sha256WithRsa } from './issue-certificate.ts';

/** What a certificate is asked for with. */
export interface SigningRequest {
  /** Attribute OID and value, in the order of the subject. */
  readonly name: readonly (readonly [oid: string, value: string])[];
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A certificate signing request (PKCS#10, RFC 2986 §4) in PEM, as Apple's Developer account takes it. RSA with SHA-256. */
export function makeSigningRequest({ name, publicKey, privateKey }: SigningRequest): string {
  const info = sequence(
    der(TAG.integer, Buffer.from([0])),
    encodeName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    // No attributes.
    der(TAG.context0),
  );
  const request = sequence(info, sha256WithRsa, bitString(sign('sha256', info, privateKey)));
  const lines = request.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join(
    '\n',
  );
}
