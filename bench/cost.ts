import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { encodeId, newUuidV7 } from '../src/kit/ids.ts';
import { httpLoad } from './http-load.ts';
import { options, scaled } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { createDatabase, type Service, startAsShipped, withBench } from './service.ts';
import { awardTexts, connections, getText, openShop } from './shop.ts';

/**
 * What a call costs the process that `npm start` runs, in processor time of its own, PostgreSQL's apart; and what the same
 * process asks of the database and of a processor when no client calls.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const service = await startAsShipped(bench, 'cost');
    // The figures of all databases can be read in any, and reading them must not count.
    const outside = new pg.Client({
      connectionString: await createDatabase({ url: service.databaseUrl }, 'outside'),
    });
    await outside.connect();
    bench.onEnd(() => outside.end());
    const idle = await idleFigures(service, outside);
    const shop = await openShop(service);
    const unknown = encodeId('inst', newUuidV7());
    return [
      await costOf(service, 'award', awardTexts(shop), 200, 150),
      await costOf(service, 'GET /me', [getText(service, '/v1/me')], 200, 150),
      await costOf(service, 'GET /healthz', [getText(service, '/healthz')], 200),
      await costOf(service, 'an unknown card', [getText(service, `/v1/instances/${unknown}`)], 404),
      ...idle,
    ];
  });
}

async function costOf(
  { pid, port }: Service,
  name: string,
  texts: readonly string[],
  status: number,
  most?: number,
): Promise<BenchResult> {
  const ms = options.seconds * 1_000;
  // The first turn compiles.
  await httpLoad({ port, connections, texts, ms });
  const before = processorMs(pid);
  const load = await httpLoad({ port, connections, texts, ms: 3 * ms });
  const spent = processorMs(pid) - before;
  const calls = load.statuses.get(status) ?? Number.NaN;
  if (load.statuses.size !== 1) throw new Error(`${name} answered ${[...load.statuses.keys()]}`);
  const share = (spent / (3 * ms)) * 100;
  return {
    name: `processor time of the service: ${name}`,
    value: (spent * 1_000) / calls,
    unit: 'µs',
    ...(most !== undefined && { target: { max: most } }),
    note: `${load.perSecond.toFixed(0)}/s, ${share.toFixed(0)} % of a core; the client takes ${load.ownMicros.toFixed(0)} µs a call`,
  };
}

async function idleFigures({ pid, databaseUrl }: Service, outside: pg.Client): Promise<BenchResult[]> {
  const database = new URL(databaseUrl).pathname.slice(1);
  const transactions = async () => {
    const { rows } = await outside.query<{ count: number }>(
      'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = $1',
      [database],
    );
    return rows[0]?.count ?? Number.NaN;
  };
  // The start is over, and its work is counted: an idle session reports its statistics after ten seconds.
  await sleep(15_000);
  const seconds = Math.max(20, scaled(60));
  const [spent, count] = [processorMs(pid), await transactions()];
  await sleep(seconds * 1_000);
  const [share, rate] = [
    (processorMs(pid) - spent) / (seconds * 10),
    ((await transactions()) - count) / seconds,
  ];
  return [
    { name: 'statements a second of an idle process', value: rate, unit: '/s', target: { max: 5 } },
    { name: 'part of a core of an idle process', value: share, unit: '%', target: { max: 1 } },
  ];
}

/** What a process and its threads have used, in user mode and in the system's. The kernel counts in hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
