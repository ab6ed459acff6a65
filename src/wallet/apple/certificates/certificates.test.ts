import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CertificateProblem } from './certificate-fields.ts';
import { loadSigningIdentity, type SigningSource } from './certificates.ts';
import {
  daysFromNow,
  leaf,
  leafKeys,
  makeLeaf,
  makeWwdr,
  now,
  openssl,
  passTypeIdentifier,
  pem,
  root,
  teamIdentifier,
  wwdr,
  wwdrKeys,
} from './signing.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'punchcard-certificates-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const key = pem(leafKeys.privateKey);
const source: SigningSource = {
  cert: leaf.toString(),
  key,
  passphrase: null,
  wwdr: wwdr.toString(),
};

function save(name: string, contents: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

function encryptedKey(type: 'pkcs1' | 'pkcs8'): string {
  const options = { type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  return leafKeys.privateKey.export(options).toString();
}

function p12(args: string): string {
  const bytes = openssl(
    ['pkcs12', '-export', '-out', 'pass.p12', '-passout', 'pass:secret', ...args.split(' ')],
    { 'leaf.pem': leaf.toString(), 'leaf.key': key, 'wwdr.pem': wwdr.toString() },
    'pass.p12',
  );
  return save(`${args.replace(/\W+/g, '-')}.p12`, bytes);
}

/** Asserts that loading fails with a message that matches all patterns. */
function refuses(changes: Partial<SigningSource>, patterns: readonly RegExp[], at: Date = now): void {
  assert.throws(
    () => loadSigningIdentity({ ...source, ...changes }, at),
    (error) => {
      assert.ok(error instanceof CertificateProblem, String(error));
      for (const pattern of patterns) assert.match(error.message, pattern);
      return true;
    },
  );
}

describe('loadSigningIdentity', () => {
  const sources: Record<string, () => SigningSource> = {
    'PEM text': () => source,
    'PEM text with line breaks written as \\n': () => ({
      cert: source.cert.replaceAll('\n', '\\n'),
      key: key.replaceAll('\n', '\\n'),
      passphrase: null,
      wwdr: wwdr.toString().replaceAll('\n', '\\n'),
    }),
    'PEM files': () => ({
      cert: save('leaf.pem', leaf.toString()),
      key: save('leaf.key', key),
      passphrase: null,
      wwdr: save('wwdr.pem', wwdr.toString()),
    }),
    'one PEM text with everything and notes between': () => ({
      cert: `Bag Attributes\n  name: x\n${key}\n${wwdr}\nsubject=…\n${leaf}`,
      key: null,
      passphrase: null,
      wwdr: null,
    }),
    '.cer files as Apple offers them, and a DER key': () => ({
      cert: save('pass.cer', leaf.raw),
      key: save('key.der', leafKeys.privateKey.export({ type: 'pkcs8', format: 'der' })),
      passphrase: null,
      wwdr: save('AppleWWDRCAG4.cer', wwdr.raw),
    }),
    'an encrypted PKCS #8 key': () => ({ ...source, key: encryptedKey('pkcs8'), passphrase: 'secret' }),
    'an encrypted key of the old form': () => ({
      ...source,
      key: encryptedKey('pkcs1'),
      passphrase: 'secret',
    }),
    'a plain key with a needless passphrase': () => ({ ...source, passphrase: 'needless' }),
    'a .p12 with the chain': () => ({
      cert: p12('-in leaf.pem -inkey leaf.key -certfile wwdr.pem'),
      key: null,
      passphrase: 'secret',
      wwdr: null,
    }),
    'a .p12 and the intermediate next to it': () => ({
      cert: p12('-in leaf.pem -inkey leaf.key'),
      key: null,
      passphrase: 'secret',
      wwdr: save('wwdr2.cer', wwdr.raw),
    }),
    'several intermediates, of which one issued the certificate': () => ({
      ...source,
      wwdr: [makeWwdr({ unit: 'G3' }), makeWwdr({ notAfter: daysFromNow(-5) }), wwdr].join('\n'),
    }),
  };

  for (const [name, make] of Object.entries(sources)) {
    it(`loads ${name}`, () => {
      const identity = loadSigningIdentity(make(), now);
      assert.equal(identity.passTypeIdentifier, passTypeIdentifier);
      assert.equal(identity.teamIdentifier, teamIdentifier);
      assert.equal(identity.organizationName, 'Example Ltd');
      assert.equal(identity.certificate.fingerprint256, leaf.fingerprint256);
      assert.equal(identity.wwdr.fingerprint256, wwdr.fingerprint256);
      assert.equal(identity.root, null);
      assert.equal(identity.development, true);
      assert.ok(identity.certificate.checkPrivateKey(identity.privateKey));
    });
  }

  it('keeps the root when it is supplied', () => {
    const identity = loadSigningIdentity({ ...source, wwdr: `${wwdr}\n${root}` }, now);
    assert.equal(identity.root?.fingerprint256, root.fingerprint256);
  });
});

describe('loadSigningIdentity refuses, and says what to do', () => {
  it('an unreadable file', () => {
    refuses({ cert: '/nowhere/pass.pem' }, [
      /^APPLE_PASS_CERT:/,
      /ENOENT/,
      /"\/nowhere\/pass\.pem"/,
      /Give the path/,
    ]);
    refuses({ key: folder }, [/^APPLE_PASS_KEY:/, /EISDIR/]);
  });

  it('text and files without a certificate', () => {
    refuses({ cert: key }, [/no certificate/, /Create a Pass Type ID certificate/]);
    refuses({ cert: '-----BEGIN CERTIFICATE-----\nMIIB' }, [/neither a complete CERTIFICATE/]);
    refuses({ cert: save('noise.cer', 'hello') }, [/neither PEM text, a DER certificate/]);
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    refuses({ cert: damaged }, [/CERTIFICATE block in the PEM text is damaged/]);
    refuses({ key: damaged.replaceAll('CERTIFICATE', 'PRIVATE KEY') }, [/^APPLE_PASS_KEY:.*damaged/]);
  });

  it('a wrong or missing passphrase', () => {
    const file = p12('-in leaf.pem -inkey leaf.key -name x');
    for (const encrypted of [encryptedKey('pkcs8'), encryptedKey('pkcs1')]) {
      refuses({ key: encrypted }, [/^APPLE_PASS_KEY: the private key is encrypted/, /APPLE_PASS_PASSPHRASE/]);
      refuses({ key: encrypted, passphrase: 'x' }, [/the passphrase does not open the private key/]);
    }
    refuses({ cert: file, key: null }, [/^APPLE_PASS_CERT: the \.p12 file is encrypted/]);
    refuses({ cert: file, key: null, passphrase: 'x' }, [/the passphrase does not open the \.p12 file/]);
  });

  it('a missing key', () => {
    refuses({ key: null }, [/private key is missing/, /APPLE_PASS_KEY/]);
    refuses({ key: wwdr.toString() }, [/^APPLE_PASS_KEY: there is no private key/]);
    const file = p12('-in leaf.pem -nokeys');
    refuses({ cert: file, key: null, passphrase: 'secret' }, [/holds no private key/, /Keychain Access/]);
  });

  it('a damaged .p12', () => {
    const file = save('cut.p12', Buffer.from('30820100020103308200', 'hex'));
    refuses({ cert: file, key: null }, [/neither PEM text/]);
    const odd = save('odd.p12', Buffer.from('30080201033003060100', 'hex'));
    refuses({ cert: odd, key: null }, [/^APPLE_PASS_CERT: the \.p12 file cannot be read/, /openssl pkcs12/]);
  });

  it("a key that is another certificate's", () => {
    refuses({ key: pem(wwdrKeys.privateKey) }, [
      /does not belong to the certificate "Pass Type ID: pass\.com/,
    ]);
  });

  it('a certificate that is no Pass Type ID certificate', () => {
    const other = makeLeaf({ userId: null, commonName: 'Apple Development: Ann', extensionPassType: null });
    refuses({ cert: other.toString() }, [/"Apple Development: Ann .* is not a Pass Type ID certificate/]);
    const renamed = makeLeaf({ commonName: 'Pass Type ID: pass.com.example.other' });
    refuses({ cert: renamed.toString() }, [/does not name one pass type/, /"pass\.com\.example\.other"/]);
    const bare = makeLeaf({ extensionPassType: null });
    refuses({ cert: bare.toString() }, [/does not name one pass type/, /6\.1\.16 missing/]);
    const id = 'com.example';
    const foreign = makeLeaf({ userId: id, extensionPassType: id, commonName: `Pass Type ID: ${id}` });
    refuses({ cert: foreign.toString() }, [/begins with "pass\."/]);
  });

  it('a team that is missing or has the wrong form', () => {
    refuses({ cert: makeLeaf({ unit: null }).toString() }, [/organizational unit is missing/]);
    refuses({ cert: makeLeaf({ unit: 'Marketing' }).toString() }, [/"Marketing"; it must be the team/]);
  });

  it('a certificate outside its validity', () => {
    refuses({}, [/^The pass certificate expired on \d{4}-\d\d-\d\d\./, /Create a new one/], daysFromNow(300));
    refuses({}, [/valid from \d{4}-\d\d-\d\d only/, /clock/], daysFromNow(-200));
  });

  it('a missing intermediate, and says which generation is needed', () => {
    const ski = /key identifier [0-9A-F]{40}/;
    refuses({ wwdr: null }, [
      /The intermediate is missing/,
      /\(G4\)/,
      ski,
      /apple\.com\/certificateauthority/,
    ]);
    refuses({ wwdr: leaf.toString() }, [
      /APPLE_WWDR_CERT holds no intermediate/,
      /"Worldwide Developer Relations - G4"/,
    ]);
  });

  it('an intermediate of another generation, or of the same name and another key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const keys = { publicKey, privateKey };
    const g3 = makeWwdr({ unit: 'G3', keys }).toString();
    refuses({ wwdr: g3 }, [/issued by "Apple Worldwide.*\(G4\)"/, /given is "Apple Worldwide.*\(G3\)"/]);
    refuses({ wwdr: makeWwdr({ keys }).toString() }, [/issued by .*\(G4\)", key identifier/]);
  });

  it('an expired intermediate', () => {
    const expired = makeWwdr({ notAfter: daysFromNow(-1) });
    const cert = makeLeaf({ issuer: expired });
    refuses({ cert: cert.toString(), wwdr: expired.toString() }, [
      /^The intermediate .* expired on/,
      /APPLE_WWDR_CERT/,
    ]);
  });

  it('keys that are weak or no RSA keys', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const { publicKey, privateKey } of [weak, ec]) {
      const cert = makeLeaf({ publicKey }).toString();
      refuses({ cert, key: pem(privateKey) }, [/RSA key of at least 2048 bits/]);
    }
  });

  it('never shows the key or the passphrase', () => {
    const shown = (changes: Partial<SigningSource>): string => {
      try {
        loadSigningIdentity({ ...source, ...changes }, now);
        return '';
      } catch (error) {
        return String(error);
      }
    };
    const message = shown({ key: encryptedKey('pkcs8'), passphrase: 'my-secret-guess' });
    assert.match(message, /passphrase does not open/);
    assert.ok(!message.includes('my-secret-guess'));
    assert.ok(!shown({ key: key.slice(0, -40) }).includes(key.slice(100, 140)));
  });
});
