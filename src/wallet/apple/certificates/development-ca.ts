import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  CertificateProblem,
  certificateFields,
  certificateOid,
  nameValue,
  wwdrCommonName,
} from './certificate-fields.ts';
import { loadSigningIdentity, type SigningIdentity } from './certificates.ts';
import { authorityExtensions, issueCertificate, passCertificateExtensions } from './issue-certificate.ts';

export interface DevelopmentOptions {
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  readonly organizationName: string;
  readonly now: Date;
}

/** PEM text of a chain like Apple's. `wwdrKey` issues the next leaf; the root's key is not kept. */
export interface DevelopmentIdentity {
  readonly root: string;
  readonly wwdr: string;
  readonly wwdrKey: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * Makes a root, an intermediate named like Apple's WWDR but marked as development, and a Pass Type ID
 * certificate: root and intermediate for ten years, the leaf for one. Phones do not accept passes signed with it.
 */
export async function createDevelopmentIdentity(options: DevelopmentOptions): Promise<DevelopmentIdentity> {
  const [rootPair, wwdrPair, leafPair] = await Promise.all([newKeyPair(), newKeyPair(), newKeyPair()]);
  const notBefore = startOfValidity(options.now);
  const notAfter = yearsAfter(notBefore, 10);
  const root = issueCertificate({
    name: [
      [certificateOid.country, 'US'],
      [certificateOid.organization, 'Punchcard'],
      [certificateOid.commonName, 'Punchcard Development Root CA'],
    ],
    publicKey: rootPair.publicKey,
    issuer: null,
    issuerKey: rootPair.privateKey,
    notBefore,
    notAfter,
    extensions: authorityExtensions(null),
  });
  const wwdr = issueCertificate({
    name: [
      [certificateOid.country, 'US'],
      [certificateOid.organization, 'Punchcard'],
      [certificateOid.unit, 'G4'],
      [certificateOid.commonName, `${wwdrCommonName} (Punchcard development)`],
    ],
    publicKey: wwdrPair.publicKey,
    issuer: root,
    issuerKey: rootPair.privateKey,
    notBefore,
    notAfter,
    extensions: authorityExtensions(0),
  });
  const leaf = issueLeaf(options, leafPair.publicKey, wwdr, wwdrPair.privateKey);
  return {
    root: root.toString(),
    wwdr: wwdr.toString(),
    wwdrKey: keyPem(wwdrPair.privateKey),
    cert: leaf.toString(),
    key: keyPem(leafPair.privateKey),
  };
}

/**
 * The development identity kept as PEM files in a folder of its own, made on first use: root.pem, wwdr.pem,
 * wwdr.key (0600) and pass.pem (leaf and key, 0600). Several processes may call it at once: the folder appears
 * complete or not at all, and all load the same set. The leaf is replaced, by the same intermediate, when less
 * than 30 days are left or the options name another pass type, team or organization. Throws CertificateProblem
 * when the folder holds something else or is damaged.
 */
export async function loadOrCreateDevelopmentIdentity(
  dir: string,
  options: DevelopmentOptions,
): Promise<SigningIdentity> {
  let stored = await readStored(dir);
  if (!stored) {
    await createFolder(dir, await createDevelopmentIdentity(options));
    stored = await readStored(dir);
  }
  if (!stored) throw damaged(dir, 'its files are missing');
  if (needsNewLeaf(dir, stored, options)) stored = { ...stored, pass: await renewLeaf(dir, stored, options) };
  try {
    const wwdr = `${stored.wwdr}\n${stored.root}`;
    return loadSigningIdentity({ cert: stored.pass, key: null, passphrase: null, wwdr }, options.now);
  } catch (error) {
    throw error instanceof CertificateProblem ? damaged(dir, error.message) : error;
  }
}

interface Stored {
  readonly root: string;
  readonly wwdr: string;
  readonly wwdrKey: string;
  readonly pass: string;
}

const renewBeforeMs = 30 * 86_400_000;
const makeKeyPair = promisify(generateKeyPair);

function newKeyPair(): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  return makeKeyPair('rsa', { modulusLength: 2048 });
}

/** A day earlier, so that a peer whose clock is behind accepts it at once. */
function startOfValidity(now: Date): Date {
  return new Date(now.getTime() - 86_400_000);
}

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

function issueLeaf(
  options: DevelopmentOptions,
  publicKey: KeyObject,
  wwdr: X509Certificate,
  wwdrKey: KeyObject,
): X509Certificate {
  const notBefore = startOfValidity(options.now);
  const notAfter = Math.min(yearsAfter(notBefore, 1).getTime(), wwdr.validToDate.getTime());
  return issueCertificate({
    name: [
      [certificateOid.userId, options.passTypeIdentifier],
      [certificateOid.commonName, `Pass Type ID: ${options.passTypeIdentifier}`],
      [certificateOid.unit, options.teamIdentifier],
      [certificateOid.organization, options.organizationName],
      [certificateOid.country, 'US'],
    ],
    publicKey,
    issuer: wwdr,
    issuerKey: wwdrKey,
    notBefore,
    notAfter: new Date(notAfter),
    extensions: passCertificateExtensions(options.passTypeIdentifier),
  });
}

function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** null when the folder has none of the files: it does not exist yet, or is empty. */
async function readStored(dir: string): Promise<Stored | null> {
  const names = ['root.pem', 'wwdr.pem', 'wwdr.key', 'pass.pem'];
  const files = await Promise.all(names.map((name) => readIfThere(join(dir, name))));
  const [root, wwdr, wwdrKey, pass] = files;
  if (root && wwdr && wwdrKey && pass) return { root, wwdr, wwdrKey, pass };
  if (files.every((file) => file === null)) return null;
  throw damaged(dir, `${names.filter((_, at) => !files[at]).join(', ')} is missing or empty`);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new CertificateProblem(
      `The development certificate ${path} cannot be read (${errorCode(error) ?? 'unreadable'}). ` +
        'Give the service read and write access to its data folder.',
    );
  }
}

/** Renaming a folder onto a non-empty one fails, so of several makers one wins and the others use its set. */
async function createFolder(dir: string, made: DevelopmentIdentity): Promise<void> {
  const temporary = besides(dir);
  try {
    await mkdir(dirname(dir), { recursive: true });
    await mkdir(temporary, { mode: 0o700 });
    await Promise.all([
      writeDurably(join(temporary, 'root.pem'), made.root, 0o644),
      writeDurably(join(temporary, 'wwdr.pem'), made.wwdr, 0o644),
      writeDurably(join(temporary, 'wwdr.key'), made.wwdrKey, 0o600),
      writeDurably(join(temporary, 'pass.pem'), made.cert + made.key, 0o600),
    ]);
    await rename(temporary, dir);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw unwritable(dir, error);
  }
}

function needsNewLeaf(dir: string, stored: Stored, options: DevelopmentOptions): boolean {
  try {
    const leaf = new X509Certificate(stored.pass);
    const { subject } = certificateFields(leaf);
    return (
      leaf.validToDate.getTime() - options.now.getTime() < renewBeforeMs ||
      nameValue(subject, certificateOid.userId) !== options.passTypeIdentifier ||
      nameValue(subject, certificateOid.unit) !== options.teamIdentifier ||
      nameValue(subject, certificateOid.organization) !== options.organizationName
    );
  } catch {
    throw damaged(dir, 'pass.pem holds no certificate');
  }
}

/** Certificate and key share a file, so that no reader ever sees one without the other. */
async function renewLeaf(dir: string, stored: Stored, options: DevelopmentOptions): Promise<string> {
  const { publicKey, privateKey } = await newKeyPair();
  const leaf = issueLeaf(options, publicKey, ...authorityOf(dir, stored));
  const pass = join(dir, 'pass.pem');
  const temporary = besides(pass);
  try {
    await writeDurably(temporary, leaf.toString() + keyPem(privateKey), 0o600);
    await rename(temporary, pass);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(dir, error);
  }
  // Another process may have renewed at the same time; the file on disk is the one that all use.
  return readFile(pass, 'utf8');
}

function authorityOf(dir: string, stored: Stored): [X509Certificate, KeyObject] {
  try {
    return [new X509Certificate(stored.wwdr), createPrivateKey(stored.wwdrKey)];
  } catch {
    throw damaged(dir, 'wwdr.pem or wwdr.key is unreadable');
  }
}

function besides(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}`);
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  await writeFile(path, text, { mode, flag: 'wx', flush: true });
  // The process's umask may have taken bits away from the public files; keys only ever lose some.
  if (mode !== 0o600) await chmod(path, mode);
}

function damaged(dir: string, reason: string): CertificateProblem {
  return new CertificateProblem(
    `The development certificates in ${dir} cannot be used: ${reason}. Delete that folder; the next start ` +
      'makes new ones, and passes installed from the simulator must be added again.',
  );
}

function unwritable(dir: string, error: unknown): CertificateProblem {
  return new CertificateProblem(
    `The development certificates cannot be written to ${dir} (${errorCode(error) ?? String(error)}). ` +
      'Give the service write access to its data folder.',
  );
}

function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
