import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { Asn1Error, asn1Children, asn1Octets, readAsn1 } from './asn1-reader.ts';
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
    const { certificates, keys } = readPkcs12(withoutPassword, null);
    assert.match(certificates[0]?.subject ?? '', /CN=Sample/);
    assert.ok(keys[0] && certificates[0]?.checkPrivateKey(keys[0]));
  });

  it('reads indefinite lengths and strings in pieces', () => {
    const bytes = toBer(exportWithOpenssl(''));
    assert.deepEqual([...bytes.subarray(0, 2)], [0x30, 0x80]);
    assertComplete(bytes, passphrase);
  });

  it('recognizes a wrong passphrase, with and without a MAC', () => {
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

/** Of node-forge without a password: it takes none for no bytes at all, where OpenSSL takes it for an empty text. */
const withoutPassword = Buffer.from(
  `
MIIFLAIBAzCCBPIGCSqGSIb3DQEHAaCCBOMEggTfMIIE2zCCAgQGCSqGSIb3DQEHAaCCAfUEggHxMIIB7TCCAekGCyqGSIb3DQEMCgEDoIIBsT
CCAa0GCiqGSIb3DQEJFgGgggGdBIIBmTCCAZUwgf+gAwIBAgIBATANBgkqhkiG9w0BAQsFADARMQ8wDQYDVQQDEwZTYW1wbGUwHhcNMjAwMTAx
MDAwMDAwWhcNNDAwMTAxMDAwMDAwWjARMQ8wDQYDVQQDEwZTYW1wbGUwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAOxCME50nzLoXkIJHS
EvAmSHWfXNOWza7cd/ERTBNIoAWxD6KMJ/cL1LPrGYR7BX+ktZFd7c36iEU4RTtRGPr2QGuSO1R6xbsfy71uSE4ORpFbyjY2gwPL+Q3EP+u83e
tzRYBEAhOKT417cpGiEQwhDJwHzLlq8Hcp4SIdZxBaEtAgMBAAEwDQYJKoZIhvcNAQELBQADgYEAamJIfBYUBSHNRO7qcZkSWH1qiKKAmRrmU5
Wme6iOVxCTdKw3NilUneyi/BySatmol+PMr7RNue/lGaeyA4j3w2fpNm8k1s8LJV9z25Z5U4/XiJCdRj8PZmo29koDy3TvlqaBM/SqOGehqjKu
b6OTxTNHncLymv2BrLGYtE4OVYgxJTAjBgkqhkiG9w0BCRUxFgQU3wXdvdLN8a09p1rxDkALHF8Y/OwwggLPBgkqhkiG9w0BBwGgggLABIICvD
CCArgwggK0BgsqhkiG9w0BDAoBAaCCAnwwggJ4AgEAMA0GCSqGSIb3DQEBAQUABIICYjCCAl4CAQACgYEA7EIwTnSfMuheQgkdIS8CZIdZ9c05
bNrtx38RFME0igBbEPoown9wvUs+sZhHsFf6S1kV3tzfqIRThFO1EY+vZAa5I7VHrFux/LvW5ITg5GkVvKNjaDA8v5DcQ/67zd63NFgEQCE4pP
jXtykaIRDCEMnAfMuWrwdynhIh1nEFoS0CAwEAAQKBgQDiROna2dp2eRF9ERly5IDYIsFHpksvM+WywMFtLTTSTlDpS4yp6j/hKyVaFUvjWf7/
FszZapRR4pnSDBFIRmJkBL63drj3OXFyAsVbl0BUdV9DtvUGbJRDku9yTS2Bc752WaJ7rR3LzMcQ8NFUB/OXH2IyGAS9PYc7qMjNWqyCgQJBAP
0vYdkpmR8JizdNwNnaXR7jwOvRSsmmo4lI4I8Jh8qUdo/geUWiGjz038zy8rhjH7JP/W66TdHGCWx49026LlECQQDu4qFILN1QzcHPGIjjqW47
W7g7IN6sPysl9zIlwFvafyehW0xN7DS6t1Cs8RIAZ36PMO4QeQCosrOxk1gQRcIdAkAji7BwHa/6tItQE2F89HRYbt9Z/ENEtlmFX67vRgZDgb
53iqtcBFssrbByBLXg/0Gm9iX9krh0OBqAmScXSYlRAkEAkgRPJyndQbXzQF4z1kzLR1ch/mpyEYEvI668pVy2CJFurO98bajy9ip1ErDsGvkn
3+i9q6363CMXOXTiAFhTdQJBAN0qw/9hqrBQmZlZVfHafmoh69t5HTzHp9mMk7g+8lCrn0mwyQGBSMLffSYgeMfG3M09tkaH5Sj3Wqv6Uzfsbm
kxJTAjBgkqhkiG9w0BCRUxFgQU3wXdvdLN8a09p1rxDkALHF8Y/OwwMTAhMAkGBSsOAwIaBQAEFAHMM9zO5IxkavdK3oUPeb0Fb4hMBAgubbi9
eeXyngICCAA=`,
  'base64',
);

/** The same file with the outer structures in the indefinite form, which DER readers refuse. */
function toBer(der: Buffer): Buffer {
  const [version, authSafe, mac] = asn1Children(readAsn1(der));
  assert.ok(version && authSafe && mac);
  const [type, wrapper] = asn1Children(authSafe);
  assert.ok(type && wrapper);
  const content = asn1Octets(asn1Children(wrapper)[0]);
  const pieces = [content.subarray(0, 100), content.subarray(100)].map((piece) => tlv(0x04, piece));
  const info = indefinite(0x30, type.raw, indefinite(0xa0, indefinite(0x24, ...pieces)));
  return indefinite(0x30, version.raw, info, mac.raw);
}

function indefinite(tag: number, ...contents: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.alloc(2)]);
}
