import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CertificateProblem } from './certificate-fields.ts';
import type { CertificateMaterial, PartNames } from './certificate-source.ts';

/** What a thread is asked to open. */
export interface P12Question {
  readonly base64: string;
  readonly passphrase: string | null;
  readonly names: PartNames;
}

/** What it answers: DER, or what is the matter. */
export type OpenedP12 =
  | { readonly certificates: readonly Uint8Array[]; readonly keys: readonly Uint8Array[] }
  | { readonly problem: string };

const timeoutMs = 30_000;

/**
 * As `readUploadedP12`, in a thread of its own: a file says itself how long its keys take to derive. Raises CertificateProblem,
 * also for one that takes too long.
 */
export async function openP12(question: P12Question): Promise<CertificateMaterial> {
  const worker = new Worker(new URL('./p12-worker.ts', import.meta.url), {
    workerData: question,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const [opened] = (await once(worker, 'message', { signal })) as [OpenedP12];
    if ('problem' in opened) throw new CertificateProblem(opened.problem);
    return {
      form: '.p12',
      certificates: opened.certificates.map((der) => new X509Certificate(der)),
      keys: opened.keys.map((der) =>
        createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' }),
      ),
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CertificateProblem(
      `${question.names.cert}: the .p12 file takes too long to open. Export it again.`,
    );
  } finally {
    await worker.terminate();
  }
}
