import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeApns, startFakeApns } from '../../test/fakes/apns.ts';
import type { Authority } from '../../test/fakes/authority.ts';
import { CertificateProblem } from '../wallet/apple/certificates/certificate-problem.ts';

/** The simulated push service, or why there is none. */
export type Pushes = { readonly apns: FakeApns } | { readonly apns: null; readonly reason: string };

/**
 * Starts Apple's push service on this machine, with a certificate of the development CA in `folder`: services with
 * certificates of that CA trust it. Rejects with `CertificateProblem` when the folder is damaged.
 */
export async function startPushes(folder: string, port: number): Promise<Pushes> {
  if (!existsSync(folder)) {
    return {
      apns: null,
      reason: `there are no development certificates in ${folder}, and no service trusts others`,
    };
  }
  const { authority, root } = await readAuthority(folder);
  try {
    const clientAuthorities = [authority.certificate, root];
    return { apns: await startFakeApns({ authority, clientAuthorities, port }) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') return { apns: null, reason: `port ${port} is in use` };
    if (code === 'EACCES') return { apns: null, reason: `this account may not listen on port ${port}` };
    throw error;
  }
}

async function readAuthority(folder: string): Promise<{ authority: Authority; root: X509Certificate }> {
  const read = (name: string) => readFile(join(folder, name));
  try {
    const certificate = new X509Certificate(await read('wwdr.pem'));
    const privateKey = createPrivateKey(await read('wwdr.key'));
    return { authority: { certificate, privateKey }, root: new X509Certificate(await read('root.pem')) };
  } catch {
    throw new CertificateProblem(
      `The development certificates in ${folder} cannot be read. Run this as the account of the service, or set DATA_DIR to its folder.`,
    );
  }
}
