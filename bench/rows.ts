import { setTimeout as sleep } from 'node:timers/promises';
import { fillShop } from './filled-shop.ts';
import { httpLoad } from './http-load.ts';
import { options, scaled } from './options.ts';
import { orderTexts } from './order-text.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, type Service, startAsShipped, withBench } from './service.ts';
import { awardTexts, connections, type Shop } from './shop.ts';

/**
 * How many rows PostgreSQL reads for an award and for an order, alone and under load, in a ledger of a thousand entries and
 * in one of 300 times as many, neither of which was ever analysed. Read is what a scan of a table returns
 * (`seq_tup_read`) and what a scan of an index returns (`idx_tup_read`: its entries, those of dead rows too); rows that
 * are fetched by such an entry are not counted twice. Without the background work, which reads rows of its own.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const small = await openUnanalysed(bench, 'small', 1);
    const large = await openUnanalysed(bench, 'large', scaled(300));
    const found: Found[] = [];
    for (const load of loads)
      for (const [work, textsOf] of Object.entries({ award: awardTexts, order: orderTexts })) {
        const [few = 0, many = 0] = await Promise.all(
          [small, large].map((shop) => rowsFor(shop.service, textsOf(shop), load)),
        );
        found.push({ work, load: load.name, few, many });
      }
    return ['award', 'order'].flatMap((work) =>
      figures(
        work,
        found.filter((one) => one.work === work),
      ),
    );
  });
}

interface Found {
  readonly work: string;
  readonly load: string;
  /** Rows read in the small ledger, and in the large one. */
  readonly few: number;
  readonly many: number;
}

const loads = [
  { name: 'one at a time', connections: 1 },
  { name: '64 connections', connections },
];

function figures(work: string, found: readonly Found[]): BenchResult[] {
  const note = found
    .map(({ load, few, many }) => `${load}: ${few.toFixed(0)}, ${many.toFixed(0)}`)
    .join('; ');
  return [
    {
      name: `rows read for an ${work}, at most`,
      value: Math.max(...found.flatMap(({ few, many }) => [few, many])),
      unit: 'rows',
      target: { max: 60 },
      note,
    },
    {
      name: `rows read for an ${work}, large : small ledger`,
      value: Math.max(...found.map(({ few, many }) => many / few)),
      unit: 'x',
      target: { max: 1.2 },
    },
  ];
}

async function rowsFor(
  { pool, port }: Service,
  texts: readonly string[],
  load: { readonly connections: number },
): Promise<number> {
  const before = await rowsRead(pool);
  const ms = options.seconds * 1_000;
  const { statuses } = await httpLoad({ port, connections: load.connections, texts, ms });
  const calls = statuses.get(200);
  if (calls === undefined || statuses.size > 1) throw new Error(`answered ${[...statuses.keys()]}`);
  return ((await rowsRead(pool)) - before) / calls;
}

async function rowsRead(pool: Service['pool']): Promise<number> {
  // An idle session reports what it has read after ten seconds.
  await sleep(11_000);
  const { rows } = await pool.query<{ read: number }>(
    `select ((select sum(seq_tup_read) from pg_stat_user_tables)
      + (select sum(idx_tup_read) from pg_stat_user_indexes))::float8 as read`,
  );
  return rows[0]?.read ?? Number.NaN;
}

/** Filled without statistics, which the database must not make by itself either. */
async function openUnanalysed(bench: Bench, name: string, entriesPerCard: number): Promise<Shop> {
  const service = await startAsShipped(bench, name, { WORKERS: 'off' });
  await service.pool.query('alter system set autovacuum = off');
  await service.pool.query('select pg_reload_conf()');
  return fillShop(service, { cards: 1_000, entriesPerCard, points: 5 }, { perOrder: 5 });
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
