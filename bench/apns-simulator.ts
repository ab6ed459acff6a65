import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeApns } from '../tools/fakes/apns.ts';

/** What the simulator saw since it was asked last. */
export interface Seen {
  readonly pushes: number;
  /** Between the first push and the last. */
  readonly ms: number;
  /** The most that one device got. */
  readonly most: number;
}

/**
 * The push service as a process of its own, for a service with the development certificates in the folder of the first
 * argument, at the port of the second. Sends its URL to its parent, and what it saw whenever the parent sends anything.
 */
const folder = process.argv[2] ?? '';
const certificate = new X509Certificate(await readFile(join(folder, 'wwdr.pem')));
const privateKey = createPrivateKey(await readFile(join(folder, 'wwdr.key')));
const apns = await startFakeApns({
  authority: { certificate, privateKey },
  ...(process.argv[3] !== undefined && { port: Number(process.argv[3]) }),
  clientAuthorities: [new X509Certificate(await readFile(join(folder, 'root.pem'))), certificate],
});
let pushes = 0;
let firstAt = 0;
let lastAt = 0;
let perDevice = new Map<string, number>();
apns.onPush(({ token }) => {
  lastAt = performance.now();
  if (pushes === 0) firstAt = lastAt;
  pushes += 1;
  perDevice.set(token, (perDevice.get(token) ?? 0) + 1);
});
process.on('message', (message) => {
  const seen: Seen = { pushes, ms: lastAt - firstAt, most: Math.max(0, ...perDevice.values()) };
  process.send?.(seen);
  if (message !== 'reset') return;
  pushes = 0;
  perDevice = new Map();
});
process.send?.(apns.url);
