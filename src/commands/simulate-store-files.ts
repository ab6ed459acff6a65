import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Authority, makeAuthority } from '../../test/fakes/authority.ts';

/** What simulated stores keep from one run to the next, so that a connected store stays connected. */
export interface StoreFiles {
  readonly authority: Authority;
  /** The certificate of the authority, for whoever shall trust the stores. */
  readonly authorityFile: string;
  /** 40 hexadecimal digits for each purpose, always the same. */
  readonly secrets: Readonly<Record<'token' | 'key' | 'webhooks', string>>;
}

/** Reads them from the folder, or makes them there. */
export async function readStoreFiles(folder: string): Promise<StoreFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const authorityFile = join(folder, 'ca.pem');
  return {
    authority: await readAuthority(authorityFile, join(folder, 'ca.key')),
    authorityFile,
    secrets: await readSecrets(join(folder, 'secrets.json')),
  };
}

async function readAuthority(certificateFile: string, keyFile: string): Promise<Authority> {
  if (existsSync(certificateFile) && existsSync(keyFile)) {
    const certificate = new X509Certificate(await readFile(certificateFile));
    const privateKey = createPrivateKey(await readFile(keyFile));
    const tomorrow = Date.now() + 86_400_000;
    if (certificate.checkPrivateKey(privateKey) && certificate.validToDate.getTime() > tomorrow)
      return { certificate, privateKey };
  }
  const authority = makeAuthority('Simulated stores CA');
  const key = authority.privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(certificateFile, authority.certificate.toString());
  return authority;
}

async function readSecrets(file: string): Promise<StoreFiles['secrets']> {
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'));
  const make = () => randomBytes(20).toString('hex');
  const secrets = { token: make(), key: make(), webhooks: make() };
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}
