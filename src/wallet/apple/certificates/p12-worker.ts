import { parentPort, workerData } from 'node:worker_threads';
import { CertificateProblem } from './certificate-fields.ts';
import { readUploadedP12 } from './certificate-source.ts';
import type { OpenedP12, P12Question } from './open-p12.ts';

/** What `openP12` runs in a thread of its own. */
const { base64, passphrase, names } = workerData as P12Question;
let opened: OpenedP12;
try {
  const { certificates, keys } = readUploadedP12(base64, passphrase, names);
  opened = {
    certificates: certificates.map(({ raw }) => raw),
    keys: keys.map((key) => key.export({ type: 'pkcs8', format: 'der' })),
  };
} catch (error) {
  if (!(error instanceof CertificateProblem)) throw error;
  opened = { problem: error.message };
}
parentPort?.postMessage(opened);
