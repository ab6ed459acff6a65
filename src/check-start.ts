import { access, constants, mkdir } from 'node:fs/promises';
import type { Config } from './config.ts';
import { explainFileErrors } from './kit/embedded-postgres/errors.ts';
import { requireFreePort } from './kit/http/listeners.ts';

/**
 * What can be known before anything is built: the data directory can be used, and the port is free for whoever serves.
 * Raises an error that says what to change. Another program may still take the port before the service listens.
 */
export async function checkStart({ dataDir, host, port }: Config, serves: boolean): Promise<void> {
  await explainFileErrors(dataDir, async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  });
  if (serves) await requireFreePort({ host, port });
}
