import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { buildPass, passJson } from '../../../../tools/validator/pkpass-sample.fixture.ts';
import { validatePkpass } from '../../../../tools/validator/validate-pkpass.ts';
import {
  CertificateProblem,
  certificateFields,
  isIssuedBy,
  passCertificateFacts,
  wwdrCommonName,
} from './certificate-fields.ts';
import type { SigningIdentity } from './certificates.ts';
import {
  createDevelopmentIdentity,
  type DevelopmentOptions,
  loadOrCreateDevelopmentIdentity,
} from './development-ca.ts';

const options: DevelopmentOptions = {
  passTypeIdentifier: 'pass.com.example.development',
  teamIdentifier: 'DEVTEAM123',
  organizationName: 'Café Example',
  now: new Date(),
};

const base = await mkdtemp(join(tmpdir(), 'punchcard-development-'));
after(() => rm(base, { recursive: true, force: true }));

function inDays(days: number): Date {
  return new Date(options.now.getTime() + days * 86_400_000);
}

describe('createDevelopmentIdentity', () => {
  it('makes a chain like that of Apple, marked as development', async () => {
    const made = await createDevelopmentIdentity(options);
    const [root, wwdr, leaf] = [made.root, made.wwdr, made.cert].map((pem) => new X509Certificate(pem));
    assert.ok(root && wwdr && leaf);
    assert.ok(isIssuedBy(leaf, wwdr) && isIssuedBy(wwdr, root) && isIssuedBy(root, root));
    assert.match(root.subject, /CN=Punchcard Development Root CA$/);
    assert.match(wwdr.subject, new RegExp(`CN=${wwdrCommonName} \\(Punchcard development\\)`));
    assert.match(wwdr.subject, /OU=G4/);
    assert.equal(leaf.ca, false);
    assert.deepEqual(leaf.keyUsage, ['1.3.6.1.5.5.7.3.2', '1.2.840.113635.100.4.14']);
    const fields = certificateFields(leaf);
    assert.deepEqual(passCertificateFacts(fields), {
      extensionPassType: options.passTypeIdentifier,
      userId: options.passTypeIdentifier,
      commonName: `Pass Type ID: ${options.passTypeIdentifier}`,
      commonNamePassType: options.passTypeIdentifier,
      nfc: false,
      team: options.teamIdentifier,
      organization: options.organizationName,
    });
    assert.deepEqual(fields.extensions.get('1.2.840.113635.100.6.3.2'), Buffer.from([5, 0]));
    assert.deepEqual(fields.authorityKeyIdentifier, certificateFields(wwdr).subjectKeyIdentifier);
    const years = (certificate: X509Certificate): number =>
      certificate.validToDate.getUTCFullYear() - certificate.validFromDate.getUTCFullYear();
    assert.deepEqual([years(root), years(wwdr), years(leaf)], [10, 10, 1]);
  });
});

describe('loadOrCreateDevelopmentIdentity', () => {
  it('makes files on first use, keys for the owner only, and keeps them', async () => {
    const dir = join(base, 'new', 'apple');
    const first = await loadOrCreateDevelopmentIdentity(dir, options);
    assert.equal(first.development, true);
    assert.equal(first.organizationName, options.organizationName);
    assert.ok(first.root);
    assert.deepEqual((await readdir(dir)).sort(), ['pass.pem', 'root.pem', 'wwdr.key', 'wwdr.pem']);
    assert.deepEqual(await readdir(join(base, 'new')), ['apple']);
    for (const [file, mode] of [
      ['pass.pem', 0o600],
      ['wwdr.key', 0o600],
      ['root.pem', 0o644],
    ] as const) {
      assert.equal((await stat(join(dir, file))).mode & 0o777, mode, file);
    }
    const second = await loadOrCreateDevelopmentIdentity(dir, options);
    assert.deepEqual(fingerprints(second), fingerprints(first));
  });

  it('makes passes that the validator accepts', async () => {
    const identity = await loadOrCreateDevelopmentIdentity(join(base, 'passes'), options);
    const { certificate, privateKey, wwdr, root } = identity;
    const { passTypeIdentifier, teamIdentifier } = options;
    const bytes = buildPass({
      pass: passJson({ passTypeIdentifier, teamIdentifier }),
      cms: { leaf: certificate, key: privateKey, certificates: [certificate.raw, wwdr.raw] },
    });
    assert.deepEqual(validatePkpass(bytes, { root, now: options.now }), []);
  });

  it('renews the leaf with the same authority when less than 30 days are left', async () => {
    const dir = join(base, 'renewed');
    const first = await loadOrCreateDevelopmentIdentity(dir, options);
    const early = await loadOrCreateDevelopmentIdentity(dir, { ...options, now: inDays(333) });
    assert.deepEqual(fingerprints(early), fingerprints(first));
    const later = await loadOrCreateDevelopmentIdentity(dir, { ...options, now: inDays(340) });
    assert.notEqual(later.certificate.fingerprint256, first.certificate.fingerprint256);
    assert.equal(later.wwdr.fingerprint256, first.wwdr.fingerprint256);
    assert.ok(later.certificate.validToDate > inDays(700));
    assert.equal((await stat(join(dir, 'pass.pem'))).mode & 0o777, 0o600);
    const expired = await loadOrCreateDevelopmentIdentity(dir, { ...options, now: inDays(1500) });
    assert.ok(expired.certificate.validToDate > inDays(1800));
  });

  it('issues another leaf when the pass type or team changed', async () => {
    const dir = join(base, 'changed');
    const first = await loadOrCreateDevelopmentIdentity(dir, options);
    const changed = {
      ...options,
      passTypeIdentifier: 'pass.com.example.other',
      teamIdentifier: 'OTHERTEAM1',
    };
    const second = await loadOrCreateDevelopmentIdentity(dir, changed);
    assert.equal(second.passTypeIdentifier, 'pass.com.example.other');
    assert.equal(second.teamIdentifier, 'OTHERTEAM1');
    assert.equal(second.wwdr.fingerprint256, first.wwdr.fingerprint256);
  });

  it('gives one consistent set to callers and processes that start at once', async () => {
    const dir = join(base, 'raced');
    const script = `
      import { loadOrCreateDevelopmentIdentity } from ${JSON.stringify(import.meta.resolve('./development-ca.ts'))};
      const options = { ...${JSON.stringify(options)}, now: new Date() };
      const { certificate, wwdr, root } = await loadOrCreateDevelopmentIdentity(${JSON.stringify(dir)}, options);
      console.log([certificate, wwdr, root].map((one) => one.fingerprint256).join(' '));
    `;
    const run = promisify(execFile);
    const processes = [1, 2].map(() => run(process.execPath, ['--input-type=module', '-e', script]));
    const callers = Array.from({ length: 3 }, () => loadOrCreateDevelopmentIdentity(dir, options));
    const printed = (await Promise.all(processes)).map(({ stdout }) => stdout.trim());
    const loaded = (await Promise.all(callers)).map((identity) => fingerprints(identity).join(' '));
    assert.equal(new Set([...printed, ...loaded]).size, 1);
    assert.deepEqual(
      (await readdir(base)).filter((name) => name.includes('raced')),
      ['raced'],
    );
  });

  it('refuses a folder that is damaged or holds something else, and says which to delete', async () => {
    const refuses = async (dir: string, reason: RegExp): Promise<void> => {
      await assert.rejects(loadOrCreateDevelopmentIdentity(dir, options), (error) => {
        assert.ok(error instanceof CertificateProblem, String(error));
        assert.match(error.message, reason);
        assert.ok(
          error.message.includes(`${dir} cannot be used`) && error.message.includes('Delete that folder'),
        );
        return true;
      });
    };
    const dir = join(base, 'damaged');
    await loadOrCreateDevelopmentIdentity(dir, options);
    const pass = await readFile(join(dir, 'pass.pem'), 'utf8');
    await writeFile(join(dir, 'pass.pem'), 'nothing');
    await refuses(dir, /pass\.pem holds no certificate/);
    await writeFile(join(dir, 'pass.pem'), pass.slice(0, pass.indexOf('-----BEGIN PRIVATE KEY')));
    await refuses(dir, /private key is missing/i);
    await writeFile(join(dir, 'pass.pem'), pass);
    await rm(join(dir, 'wwdr.key'));
    await refuses(dir, /wwdr\.key is missing or empty/);
    const foreign = join(base, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'notes.txt'), 'mine');
    await refuses(foreign, /its files are missing/);
    assert.deepEqual(await readdir(foreign), ['notes.txt']);
  });

  it('says so when the folder cannot be written', async () => {
    const file = join(base, 'file');
    await writeFile(file, '');
    await assert.rejects(loadOrCreateDevelopmentIdentity(join(file, 'apple'), options), (error) => {
      assert.ok(error instanceof CertificateProblem, String(error));
      assert.match(error.message, /ENOTDIR/);
      return true;
    });
  });
});

function fingerprints({ certificate, wwdr, root }: SigningIdentity): (string | undefined)[] {
  return [certificate.fingerprint256, wwdr.fingerprint256, root?.fingerprint256];
}
