import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedSettings } from './inherited-settings.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The service as its operator runs it: a process of its own, which can be killed at any moment. */
export class ServiceProcess {
  readonly port: number;
  readonly #environment: Record<string, string>;
  readonly #arguments: readonly string[];
  #child: ChildProcess | null = null;
  #closed: Promise<unknown> = Promise.resolve();
  #printed = '';
  #complained = '';

  /** Runs `punchcard` with these arguments; without any it serves. */
  constructor(port: number, environment: Record<string, string>, args: readonly string[] = []) {
    this.port = port;
    this.#environment = environment;
    this.#arguments = args;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What it wrote to its output stream since the last start: the greeting and the log. */
  get printed(): string {
    return this.#printed;
  }

  /** What it wrote to its error stream since the last start. */
  get complained(): string {
    return this.#complained;
  }

  get said(): string {
    return this.#printed + this.#complained;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether a worker has said that it is up; it has no address to ask. */
  get isWorking(): boolean {
    return this.#printed.includes('does the background work');
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and waits until it is ready. */
  async start(): Promise<void> {
    this.launch();
    while (this.isRunning) {
      if (await isReady(this.url)) return;
      await sleep(20);
    }
    throw new Error(`the service ended while it started:\n${this.said}`);
  }

  /** Starts it and waits for nothing. */
  launch(): void {
    this.#printed = '';
    this.#complained = '';
    const child = spawn(process.execPath, [main, ...this.#arguments], {
      env: {
        PATH: process.env.PATH,
        ...inheritedSettings(),
        LOG_LEVEL: 'warn',
        ...this.#environment,
        PORT: String(this.port),
      },
    });
    this.#child = child;
    this.#closed = once(child, 'close');
    child.stdout.on('data', (chunk) => (this.#printed += chunk));
    child.stderr.on('data', (chunk) => (this.#complained += chunk));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Waits for the end and for all that it wrote; the exit code, or null when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#closed;
    return this.#child?.exitCode ?? null;
  }

  /** Sends the signal, if it still runs, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isRunning) this.signal(signal);
    return this.ended();
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
}

/**
 * A port that no process listens on at this moment. It is none of those that the system gives to outgoing connections and
 * to programs that listen on port 0, so that it stays free until it is used.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port');
}

/** Whether no process listens there at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
