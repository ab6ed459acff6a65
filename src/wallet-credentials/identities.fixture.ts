import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../test/client.ts';
import { asn1Children, readAsn1 } from '../wallet/apple/certificates/asn1-reader.ts';
import { type LeafOptions, makeLeaf, openssl, pem } from '../wallet/apple/certificates/signing.fixture.ts';

const folder = process.env.PUNCHCARD_TEST_APPLE ?? '';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Plays Apple: the authority that issued the certificate of the tests' services, and its root. */
export const issuer = new X509Certificate(read('wwdr.pem'));
const issuerKey = createPrivateKey(read('wwdr.key'));
export const developmentRoot = new X509Certificate(read('root.pem'));

/** A certificate for a pass type, as Apple would issue it. */
export function issue(
  passTypeIdentifier: string,
  publicKey: KeyObject,
  options: LeafOptions = {},
): X509Certificate {
  return makeLeaf({
    userId: passTypeIdentifier,
    extensionPassType: passTypeIdentifier,
    commonName: `Pass Type ID: ${passTypeIdentifier}`,
    publicKey,
    issuer,
    issuerKey,
    ...options,
  });
}

/** The certificate that Apple would issue for a signing request. */
export function issueFor(
  csr: string,
  passTypeIdentifier: string,
  options: LeafOptions = {},
): X509Certificate {
  const der = Buffer.from(csr.replaceAll(/-----.*-----/g, ''), 'base64');
  const [info] = asn1Children(readAsn1(der));
  const spki = info === undefined ? undefined : asn1Children(info)[2]?.raw;
  if (spki === undefined) throw new Error('this is no signing request');
  return issue(passTypeIdentifier, createPublicKey({ key: spki, format: 'der', type: 'spki' }), options);
}

/** Has a workspace sign with a certificate of its own, as a merchant does. */
export async function signFor(
  client: Client,
  passTypeIdentifier: string,
  options: LeafOptions = {},
): Promise<X509Certificate> {
  const { csr } = (await client.post('/workspace/wallets/apple/signing-request')).body;
  const certificate = issueFor(csr, passTypeIdentifier, options);
  const { status, text } = await client.put('/workspace/wallets/apple', {
    certificate: certificate.toString(),
  });
  if (status !== 200) throw new Error(text);
  return certificate;
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** A PKCS#12 file in base64, as Keychain Access exports it, with the passphrase "secret". */
export function p12For(
  passTypeIdentifier: string,
  args: readonly string[] = ['-certfile', 'wwdr.pem'],
): string {
  const files = {
    'leaf.pem': issue(passTypeIdentifier, keys.publicKey).toString(),
    'leaf.key': pem(keys.privateKey),
    'wwdr.pem': issuer.toString(),
  };
  const all = ['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', ...args];
  return openssl([...all, '-passout', 'pass:secret', '-out', 'pass.p12'], files, 'pass.p12').toString(
    'base64',
  );
}

/** An account of an issuer, as a merchant hands it in. */
export function accountOf(issuerId: string): { readonly serviceAccount: string; readonly issuerId: string } {
  const members = {
    type: 'service_account',
    client_email: 'shop@example.com',
    private_key: pem(keys.privateKey),
  };
  return { serviceAccount: JSON.stringify(members), issuerId };
}
