import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CertificateProblem } from './certificates/certificate-fields.ts';
import { createDevelopmentIdentity, type DevelopmentIdentity } from './certificates/development-ca.ts';
import { createSigner, type SigningMaterial } from './signature.ts';

const manifest = Buffer.from('{"pass.json":"a9993e364706816aba3e25717850c26c9cd0d89d"}');
const now = new Date();

describe('createSigner', () => {
  let folder: string;
  let pem: DevelopmentIdentity;
  let material: SigningMaterial;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signature-'));
    pem = await createDevelopmentIdentity({
      passTypeIdentifier: 'pass.com.example.card',
      teamIdentifier: 'TEAM123456',
      organizationName: 'Example Größe & Söhne',
      now,
    });
    material = {
      passTypeIdentifier: 'pass.com.example.card',
      teamIdentifier: 'TEAM123456',
      certificate: new X509Certificate(pem.cert),
      privateKey: createPrivateKey(pem.key),
      wwdr: new X509Certificate(pem.wwdr),
    };
    await writeFile(join(folder, 'root.pem'), pem.root);
  });

  after(() => rm(folder, { recursive: true }));

  it('makes a signature that OpenSSL verifies up to the root', async () => {
    await verify(manifest, await createSigner(material).sign(manifest, now));
  });

  it('makes one for exactly these bytes of the manifest', async () => {
    const signature = await createSigner(material).sign(manifest, now);
    for (const at of [0, manifest.length >> 1, manifest.length - 1]) {
      const changed = Buffer.from(manifest);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(verify(changed, signature), /verification failure/i);
    }
  });

  it('makes one that no change of the signing time survives', async () => {
    const signature = await createSigner(material).sign(manifest, now);
    const time = signature.indexOf(utcTime(now));
    assert.ok(time > 0);
    signature.writeUInt8(signature.readUInt8(time + 11) ^ 1, time + 11);
    await assert.rejects(verify(manifest, signature), /verification failure/i);
  });

  it('states what the format asks for: detached, SHA-256, both certificates, attributes in DER order', async () => {
    const signature = await createSigner(material).sign(manifest, now);
    const printed = await openssl(['cms', '-cmsout', '-print', '-noout', '-inform', 'DER'], signature);
    assert.match(printed, /eContent: <ABSENT>/);
    assert.match(printed, /digestAlgorithm: *\n? *algorithm: sha256/);
    assert.match(printed, /signatureAlgorithm: *\n? *algorithm: rsaEncryption/);
    const order = [...printed.matchAll(/object: (contentType|signingTime|messageDigest)/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(order, ['contentType', 'signingTime', 'messageDigest']);
    const certificates = [material.certificate.raw, material.wwdr.raw];
    for (const certificate of certificates) assert.ok(signature.includes(certificate));
    assert.equal(printed.match(/d\.certificate:/g)?.length, 2);
  });

  it('is in DER as OpenSSL would write it', async () => {
    const signature = await createSigner(material).sign(manifest, now);
    const rewritten = await openssl(
      ['cms', '-cmsout', '-inform', 'DER', '-outform', 'DER'],
      signature,
      'latin1',
    );
    assert.ok(signature.equals(Buffer.from(rewritten, 'latin1')));
  });

  it('gives equal bytes for equal input', async () => {
    const first = await createSigner(material).sign(manifest, now);
    assert.deepEqual(await createSigner(material).sign(manifest, now), first);
  });

  it('keeps many signatures in flight apart', async () => {
    const signer = createSigner(material);
    const manifests = Array.from({ length: 100 }, (_, index) => Buffer.from(`{"pass.json":"${index}"}`));
    const together = await Promise.all(manifests.map((each) => signer.sign(each, now)));
    for (const [index, each] of manifests.entries()) {
      assert.deepEqual(together[index], await signer.sign(each, now));
    }
  });

  it('moves a signing time before the certificate to its first second', async () => {
    const signature = await createSigner(material).sign(manifest, new Date('2001-02-03T04:05:06Z'));
    assert.ok(signature.includes(utcTime(material.certificate.validFromDate)));
    await verify(manifest, signature);
  });

  it('refuses to sign after the certificate has expired', async () => {
    const late = new Date(material.certificate.validToDate.getTime() + 1000);
    await assert.rejects(createSigner(material).sign(manifest, late), {
      name: 'CertificateProblem',
      message: /pass\.com\.example\.card expired on .*; renew it/,
    });
    await assert.rejects(createSigner(material).sign(manifest, new Date(Number.NaN)), CertificateProblem);
  });

  it('refuses a key, or an intermediate, of another certificate', () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const root = new X509Certificate(pem.root);
    assert.throws(
      () => createSigner({ ...material, privateKey: rsa }),
      /does not belong to the pass certificate/,
    );
    assert.throws(() => createSigner({ ...material, privateKey: curve }), /not an RSA key/);
    assert.throws(() => createSigner({ ...material, wwdr: root }), /did not issue the pass certificate/);
  });

  /** The leaf is a signing certificate of Apple's kind, not one for mail, hence `-purpose any`. */
  async function verify(content: Buffer, signature: Buffer): Promise<void> {
    const file = join(folder, 'manifest.json');
    await writeFile(file, content);
    const flags = ['-verify', '-binary', '-inform', 'DER', '-purpose', 'any'];
    await openssl(['cms', ...flags, '-content', file, '-CAfile', join(folder, 'root.pem')], signature);
  }
});

/** Runs OpenSSL with `input` on its standard input; rejects with what it said on standard error. */
async function openssl(args: string[], input: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): Promise<string> {
  const running = promisify(execFile)('openssl', args, { encoding });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function utcTime(date: Date): string {
  return `${date.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`;
}
