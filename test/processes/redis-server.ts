import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from '../service-process.ts';
import { redisProgram } from './programs.ts';

/** A Redis or Valkey of its own that keeps nothing on the disk. */
export class RedisServer {
  readonly url: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  private constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Starts it, again on the same port; resolves when it takes connections. */
  async start(): Promise<void> {
    const flags = ['--port', `${this.#port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const child = spawn(redisProgram.path, [...flags, '--dir', tmpdir()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`Redis ended while it started:\n${said}`)));
      child.stdout.on('data', (chunk) => {
        said += chunk;
        if (/ready to accept connections/i.test(said)) resolve();
      });
    });
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Stops it with its connections open, as a machine that hangs. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }
}
