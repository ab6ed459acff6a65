import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The service as its operator runs it: a process of its own, which can be killed at any moment. */
export class ServiceProcess {
  readonly port: number;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;
  #said = '';

  constructor(port: number, environment: Record<string, string>) {
    this.port = port;
    this.#environment = environment;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it wrote to its output and error streams since the last start. */
  get said(): string {
    return this.#said;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    this.#said = '';
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...this.#environment, PORT: String(this.port) },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (this.#said += chunk));
    while (child.exitCode === null && child.signalCode === null) {
      if (await isReady(this.url)) return;
      await sleep(20);
    }
    throw new Error(`the service ended while it started:\n${this.#said}`);
  }

  /** Sends the signal and waits for the end; the exit code, or null when the signal ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = await exit;
    return code;
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
