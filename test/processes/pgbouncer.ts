import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../service-process.ts';
import { pgbouncerProgram } from './programs.ts';

/** PgBouncer in transaction mode, in front of a PostgreSQL that listens on TCP. */
export class PgBouncer {
  /** The given URL, by way of PgBouncer. */
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  /** `settings` override its own; it has this many connections to the server. */
  static async start(
    databaseUrl: string,
    connections: number,
    settings: Record<string, string> = {},
  ): Promise<PgBouncer> {
    const server = new pg.Client({ connectionString: databaseUrl });
    const { host, port, user = '' } = server;
    // An account that the server trusts has none.
    const password = server.password ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'punchcard-pgbouncer-'));
    const listens = await freePort();
    const lines = Object.entries({
      listen_addr: '127.0.0.1',
      listen_port: listens,
      unix_socket_dir: '',
      auth_type: password === '' ? 'trust' : 'scram-sha-256',
      auth_file: join(folder, 'users'),
      pool_mode: 'transaction',
      default_pool_size: connections,
      max_client_conn: 1_000,
      ...settings,
    }).map(([name, value]) => `${name} = ${value}`);
    await writeFile(join(folder, 'users'), `"${user}" "${password}"\n`);
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      `[databases]\n* = host=${host} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`,
    );
    // It refuses to run as root, and another account must be able to read this.
    await chmod(folder, 0o755);
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(listens);
    const pooler = new PgBouncer(folder, listens, url.href);
    await pooler.start();
    return pooler;
  }

  private constructor(folder: string, port: number, url: string) {
    this.#folder = folder;
    this.#port = port;
    this.url = url;
  }

  /** Starts it, again on the same port; resolves when it takes connections. */
  async start(): Promise<void> {
    const nobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = spawn(pgbouncerProgram.path, [join(this.#folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...nobody,
    });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    while (!said.includes(`listening on 127.0.0.1:${this.#port}`)) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended while it started:\n${said}`);
      await sleep(20);
    }
  }

  /** Ends it at once, with every connection through it. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What PgBouncer must pass over, since it knows no such settings: the account has them instead. */
export const ignoringBounds = {
  ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
};
