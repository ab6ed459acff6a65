import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../test/service-process.ts';
import { type Bench, type Service, startAsShipped, startPartner } from './service.ts';

/** A service as shipped, with a simulator of Apple's push service that it pushes to. */
export interface WithPhones extends Service {
  readonly simulator: ChildProcess;
  readonly simulatorUrl: string;
  /** The folder of the development certificates. */
  readonly certificates: string;
}

/** Starts both, with the defaults but for these settings. */
export async function startWithPhones(
  bench: Bench,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<WithPhones> {
  // The simulator needs certificates that the service makes, which connects when there is something to push.
  const port = await freePort();
  const service = await startAsShipped(bench, name, { ...settings, APNS_URL: `https://localhost:${port}` });
  const certificates = join(service.dataDir, 'apple-development');
  const { child, said } = await startPartner(bench, 'apns-simulator.ts', certificates, String(port));
  return { ...service, simulator: child, simulatorUrl: said, certificates };
}
