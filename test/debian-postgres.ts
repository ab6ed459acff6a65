import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './server.ts';
import { freePort } from './service-process.ts';

/** Where Debian keeps the programs of its PostgreSQL, which has the time zones of the system; null where there is none. */
const programs = globSync('/usr/lib/postgresql/*/bin/').sort().at(-1) ?? null;

const howToInstall =
  'These need a PostgreSQL of the system. On Debian and Ubuntu: apt-get install postgresql.';
// A machine that decides about changes must not pass them over.
if (programs === null && process.env.CI !== undefined) throw new Error(howToInstall);

/** For `skip`: false where it is there. */
export const debianIsMissing = programs === null && howToInstall;

/** A server in a folder of its own, made with locale C and unlike ours in all that a session may be given. */
export async function startDebianPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-debian-'));
  // PostgreSQL refuses to run as root.
  const nobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
  const program = (name: string) => join(programs ?? '', name);
  const options = { ...nobody, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'postgres', '--locale=C', '--encoding=UTF8', '--auth=trust', '--no-sync'];
  execFileSync(program('initdb'), initdb, { ...options, stdio: 'ignore' });
  const port = await freePort();
  const settings = Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    timezone: 'America/St_Johns',
    datestyle: 'SQL, DMY',
    intervalstyle: 'sql_standard',
    bytea_output: 'escape',
    extra_float_digits: '0',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(program('postgres'), ['-D', data, ...settings], { ...options, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `postgresql://postgres@127.0.0.1:${port}/punchcard`;
  const server = new URL(url);
  server.pathname = '/postgres';
  while (!(await run(server.href, ['create database punchcard']).catch(() => null))) {
    if (child.exitCode !== null) throw new Error('the PostgreSQL of the system has ended while it started');
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
