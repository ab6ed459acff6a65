import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import forge from 'node-forge';
import { Asn1Error } from './asn1-reader.ts';
import { isPkcs12, readPkcs12 } from './pkcs12.ts';
import { UnsupportedEncryption, WrongPassphrase } from './pkcs12-decrypt.ts';
import { leaf, leafKeys, openssl, pem, tlv, wwdr } from './signing.fixture.ts';

const passphrase = 'pass wörd';
const files = {
  'leaf.pem': leaf.toString(),
  'leaf.key': pem(leafKeys.privateKey),
  'wwdr.pem': wwdr.toString(),
};

function exportWithOpenssl(options: string, password = passphrase): Buffer {
  const args = 'pkcs12 -export -in leaf.pem -inkey leaf.key -certfile wwdr.pem -out pass.p12';
  const more = options === '' ? [] : options.split(' ');
  return openssl([...args.split(' '), '-passout', `pass:${password}`, ...more], files, 'pass.p12');
}

function hasLegacyProvider(): boolean {
  try {
    return execFileSync('openssl', ['list', '-providers', '-provider', 'legacy']).includes('legacy');
  } catch {
    return false;
  }
}

function assertComplete(bytes: Buffer, password: string | null): void {
  assert.ok(isPkcs12(bytes));
  const { certificates, keys } = readPkcs12(bytes, password);
  assert.deepEqual(
    certificates.map(({ fingerprint256 }) => fingerprint256).sort(),
    [leaf.fingerprint256, wwdr.fingerprint256].sort(),
  );
  assert.equal(keys.length, 1);
  assert.ok(keys[0] && leaf.checkPrivateKey(keys[0]));
}

const written: Record<string, { options: string; legacy?: boolean }> = {
  'OpenSSL 3: PBES2 with AES-256, SHA-256 MAC': { options: '' },
  'OpenSSL 1: 3DES, SHA-1 MAC': { options: '-certpbe PBE-SHA1-3DES -keypbe PBE-SHA1-3DES -macalg sha1' },
  'Keychain: RC2-40 certificates, 3DES key': { options: '-legacy', legacy: true },
  'RC2-40 for both': {
    options: '-legacy -certpbe PBE-SHA1-RC2-40 -keypbe PBE-SHA1-RC2-40',
    legacy: true,
  },
  'RC2-128': { options: '-legacy -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-RC2-128', legacy: true },
  'two-key 3DES': { options: '-certpbe PBE-SHA1-2DES -keypbe PBE-SHA1-2DES' },
  'AES-128 and AES-192, SHA-512 MAC': {
    options: '-certpbe aes-128-cbc -keypbe aes-192-cbc -macalg sha512',
  },
  'PBES2 with 3DES': { options: '-certpbe des-ede3-cbc -keypbe des-ede3-cbc' },
  'no MAC': { options: '-nomac' },
  'no encryption at all': { options: '-certpbe NONE -keypbe NONE -nomac' },
};

describe('readPkcs12', () => {
  for (const [name, { options, legacy }] of Object.entries(written)) {
    it(`reads ${name}`, {
      skip: legacy && !hasLegacyProvider() ? 'openssl without legacy ciphers' : false,
    }, () => {
      assertComplete(exportWithOpenssl(options), passphrase);
    });
  }

  it('reads an empty passphrase, in either of its encodings', () => {
    assertComplete(exportWithOpenssl('', ''), null);
    assertComplete(exportWithOpenssl('', ''), '');
    assertComplete(exportWithForge(null), null);
  });

  it('reads 3DES as node-forge writes it', () => {
    assertComplete(exportWithForge('secret'), 'secret');
  });

  it('reads indefinite lengths and strings in pieces', () => {
    const bytes = toBer(exportWithOpenssl(''));
    assert.deepEqual([...bytes.subarray(0, 2)], [0x30, 0x80]);
    assertComplete(bytes, passphrase);
  });

  it('tells a wrong passphrase, with and without a MAC', () => {
    for (const options of ['', '-nomac', '-nomac -certpbe PBE-SHA1-3DES -keypbe PBE-SHA1-3DES']) {
      const bytes = exportWithOpenssl(options);
      for (const wrong of [null, '', 'other']) {
        assert.throws(() => readPkcs12(bytes, wrong), WrongPassphrase, `${options} ${wrong}`);
      }
    }
  });

  it('names an encryption that it does not know', () => {
    const bytes = exportWithOpenssl('-certpbe camellia-128-cbc -keypbe camellia-128-cbc');
    assert.throws(
      () => readPkcs12(bytes, passphrase),
      (error) => {
        assert.ok(error instanceof UnsupportedEncryption);
        assert.match(error.message, /1\.2\.392\.200011\.61\.1\.1\.1\.2/);
        return true;
      },
    );
  });

  it('refuses a damaged file', () => {
    const bytes = exportWithOpenssl('');
    assert.throws(() => readPkcs12(bytes.subarray(0, -10), passphrase), Asn1Error);
  });

  it('is not mistaken for a certificate or key', () => {
    assert.equal(isPkcs12(leaf.raw), false);
    assert.equal(isPkcs12(leafKeys.privateKey.export({ type: 'pkcs8', format: 'der' })), false);
    assert.equal(isPkcs12(Buffer.alloc(0)), false);
  });
});

function exportWithForge(password: string | null): Buffer {
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(leafKeys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
    [forge.pki.certificateFromPem(leaf.toString()), forge.pki.certificateFromPem(wwdr.toString())],
    password,
    { algorithm: '3des' },
  );
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
}

/** The same file with the outer structures in the indefinite form, which DER readers refuse. */
function toBer(der: Buffer): Buffer {
  const asn1 = forge.asn1.fromDer(der.toString('binary'));
  const [version, authSafe, mac] = parts(asn1);
  const [type, wrapper] = authSafe ? parts(authSafe) : [];
  const content = Buffer.from(String(wrapper ? parts(wrapper)[0]?.value : ''), 'binary');
  const pieces = [content.subarray(0, 100), content.subarray(100)].map((piece) => tlv(0x04, piece));
  const string = indefinite(0x24, ...pieces);
  const info = indefinite(0x30, toDer(type), indefinite(0xa0, string));
  return indefinite(0x30, toDer(version), info, toDer(mac));
}

function parts(asn1: forge.asn1.Asn1): forge.asn1.Asn1[] {
  return Array.isArray(asn1.value) ? asn1.value : [];
}

function toDer(asn1: forge.asn1.Asn1 | undefined): Buffer {
  assert.ok(asn1);
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
}

function indefinite(tag: number, ...contents: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)]);
}
