import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { type BareAwards, openBareClients } from './bare-awards.ts';
import type { Load } from './load-plan.ts';
import { options } from './options.ts';
import { type Bench, createDatabase } from './service.ts';

const accounts = 1_000;
const clients = 64;

/**
 * PostgreSQL's own benchmark, with one statement that moves a balance and inserts an entry with a unique reference, in a
 * database of its own on the server with this URL. Where it is not installed, clients of `pg` do the same.
 */
export async function openBareAwards(bench: Bench, serverUrl: string): Promise<BareAwards> {
  const program = findPgbench();
  if (program === null) {
    console.log('There is no pgbench here (apt-get install postgresql-15): clients of `pg` replace it.');
    return openBareClients(serverUrl, 'instead_of_pgbench', clients);
  }
  const url = await createDatabase({ url: serverUrl }, 'pgbench');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(tablesSql);
  await client.query('vacuum (analyze) account');
  await client.end();
  const folder = join(bench.folder, 'pgbench');
  await mkdir(folder);
  await writeFile(join(folder, 'award.sql'), awardScript);
  return { name: 'pgbench', run: () => runPgbench(program, url, folder) };
}

function findPgbench(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  // Before those of the PATH, where Debian has a wrapper that knows its own servers only.
  const folders = [...versions.map((version) => join(root, version, 'bin')), ...paths()];
  return folders.map((folder) => join(folder, 'pgbench')).find(existsSync) ?? null;
}

function paths(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}

async function runPgbench(program: string, url: string, folder: string): Promise<Load> {
  const [script, log] = [join(folder, 'award.sql'), join(folder, 'log')];
  const { password, username, port, pathname, searchParams, hostname } = new URL(url);
  const args = [
    ['--client', String(clients), '--jobs', '2', '--protocol', 'prepared', '--no-vacuum', '--file', script],
    ['--time', String(options.seconds), '--log', '--log-prefix', log, '--sampling-rate', '0.1'],
  ];
  const child = spawn(program, args.flat(), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PGHOST: searchParams.get('host') ?? hostname,
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: pathname.slice(1),
    },
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(said)?.[1] ?? Number.NaN);
  if (code !== 0 || Number.isNaN(perSecond)) throw new Error(`pgbench failed:\n${said}`);
  const times = (await readLatencies(folder)).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const figures = { perSecond, p50Ms: at(0.5), p99Ms: at(0.99) };
  return { ...figures, statuses: new Map(), bySecond: [], ownMicros: Number.NaN };
}

/** In ms, of the tenth of the transactions that it has logged; the logs are gone afterwards. */
async function readLatencies(folder: string): Promise<number[]> {
  const logs = (await readdir(folder)).filter((name) => name.startsWith('log'));
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')));
  await Promise.all(logs.map((name) => rm(join(folder, name))));
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[2]) / 1_000),
  );
}

const tablesSql = `
  create table account (account_id int primary key, seq bigint not null, balance bigint not null) with (fillfactor = 80);
  create table entry (
    account_id int, seq bigint, points bigint not null, balance bigint not null, ref text not null unique,
    primary key (account_id, seq)
  );
  insert into account select n, 0, 0 from generate_series(1, ${accounts}) n`;

const awardScript = `\\set account random(1, ${accounts})
\\set ref random(1, 9000000000000000000)
with moved as (
  update account set seq = seq + 1, balance = balance + 5 where account_id = :account returning seq, balance
)
insert into entry (account_id, seq, points, balance, ref)
select :account, seq, 5, balance, (:ref)::text from moved;
`;
