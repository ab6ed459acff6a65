import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startShop } from './filled-shop.ts';
import { type BenchResult, report } from './result.ts';
import { type BenchServer, createDatabase, type Service, startProcess, withPostgres } from './service.ts';

/**
 * `punchcard backup` of a running service, and `punchcard restore` into an empty database, of a ledger with a hundred
 * thousand entries and of one with a million.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const small = await measure(server, 'small', 10);
    const large = await measure(server, 'large', 100);
    return [
      { name: 'backup of 1,000,000 entries', value: large.backup.ms, unit: 'ms' },
      {
        name: 'its file',
        value: large.megabytes,
        unit: 'MB',
        note: `${large.databaseMegabytes} MB as a database`,
      },
      { name: 'restore of it', value: large.restore.ms, unit: 'ms', target: { max: 900_000 } },
      ...(['backup', 'restore'] as const).flatMap((command): BenchResult[] => [
        { name: `memory of ${command}`, value: large[command].megabytes, unit: 'MB' },
        {
          name: `memory of ${command}, ten times the entries`,
          value: large[command].megabytes / small[command].megabytes,
          unit: 'x',
          target: { max: 1.5 },
        },
      ]),
    ];
  });
}

async function measure(server: BenchServer, name: string, entriesPerCard: number) {
  const shop = await startShop(server, name, { cards: 10_000, entriesPerCard, points: 1 });
  const file = join(server.folder, `${name}.backup`);
  const backup = await run(server, ['backup', file], shop);
  const restored = await createDatabase(server, `${name}_restored`);
  const restore = await run(server, ['restore', file], shop, { DATABASE_URL: restored });
  const { rows } = await shop.pool.query('select pg_database_size(current_database())::float8 as size');
  return {
    backup,
    restore,
    megabytes: (await stat(file)).size / 1e6,
    databaseMegabytes: Math.round(rows[0].size / 1e6),
  };
}

/** How long a command takes, and how much memory it holds at most. */
async function run(
  server: BenchServer,
  args: readonly string[],
  { environment }: Service,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ ms: number; megabytes: number }> {
  const began = performance.now();
  const child = startProcess(server, [], args, { ...environment, ...settings });
  const exit = once(child, 'exit');
  let kilobytes = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? kilobytes);
    await Promise.race([exit, sleep(50)]);
  }
  assert.equal(child.exitCode, 0);
  return { ms: performance.now() - began, megabytes: kilobytes / 1_000 };
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
