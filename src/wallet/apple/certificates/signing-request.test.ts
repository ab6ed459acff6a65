import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { asn1Children, readAsn1 } from './asn1-reader.ts';
import { certificateOid } from './certificate-fields.ts';
import { openssl } from './signing.fixture.ts';
import { makeSigningRequest } from './signing-request.ts';

describe('a signing request', () => {
  it('is one to openssl: signed by its key, RSA 2048 with SHA-256, and with its name', () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const csr = makeSigningRequest({ name: [[certificateOid.commonName, 'Café Blue & Co']], ...keys });
    const args = [
      'req',
      '-verify',
      '-noout',
      '-text',
      '-nameopt',
      'utf8',
      '-in',
      'request.pem',
      '-out',
      'text',
    ];
    const text = openssl(args, { 'request.pem': csr }, 'text').toString();
    assert.match(text, /Subject: CN ?= ?Café Blue & Co/);
    assert.match(text, /Public-Key: \(2048 bit\)/);
    assert.match(text, /Signature Algorithm: sha256WithRSAEncryption/);
    const shown = openssl(
      ['req', '-pubkey', '-noout', '-in', 'request.pem', '-out', 'key'],
      { 'request.pem': csr },
      'key',
    );
    assert.equal(shown.toString(), keys.publicKey.export({ type: 'spki', format: 'pem' }));
    const der = Buffer.from(csr.replaceAll(/-----.*-----/g, ''), 'base64');
    const [info, , signature] = asn1Children(readAsn1(der));
    assert.ok(info !== undefined && signature !== undefined);
    assert.ok(verify('sha256', info.raw, keys.publicKey, signature.body.subarray(1)));
  });
});
