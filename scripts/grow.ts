import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrationsFolder } from '../src/app.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/kit/embedded-postgres/start.ts';
import { placement } from '../src/start/placement.ts';
import { growDatabase, type Progress } from '../test/growth/grow.ts';
import { readSizes, sizeTable } from '../test/growth/sizes.ts';

/**
 * Fills an empty database with what a service would hold after two years: with --scale 1, 1,000 workspaces, 5 million
 * cards and 50 million ledger entries. The database is that of --database-url, whose user must be a superuser, or an
 * embedded one in --folder, which the service then takes with `DATA_DIR`. --sizes prints what each table takes; without
 * --scale, of a database that was filled before.
 */
const { values } = parseArgs({
  options: {
    scale: { type: 'string' },
    workspaces: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'database-url': { type: 'string' },
    folder: { type: 'string', default: 'data/grown' },
    backlog: { type: 'boolean', default: false },
    sizes: { type: 'boolean', default: false },
  },
});
const scale = values.scale === undefined ? null : Number(values.scale);
const workspaces = values.workspaces === undefined ? undefined : Number(values.workspaces);
if ((scale === null && !values.sizes) || (scale !== null && !(scale > 0 && scale <= 10))) {
  console.error('Give --scale as a number above 0, such as 0.01, or --sizes.');
  process.exit(2);
}

const given = values['database-url'];
const embedded =
  given === undefined ? await startEmbeddedPostgres({ dataDir: resolve(values.folder) }) : null;
const url = given ?? embedded?.url ?? '';
const pool = new pg.Pool({ connectionString: url, max: 1 });
try {
  if (scale !== null) await grow(scale);
  if (values.sizes) {
    const client = await pool.connect();
    console.log(sizeTable(await readSizes(client)));
    client.release();
  }
} finally {
  await pool.end();
  await embedded?.stop();
}

async function grow(wanted: number): Promise<void> {
  await migrate(pool, migrationsFolder, placement);
  const midnight = new Date(new Date().toISOString().slice(0, 10));
  const growth = { scale: wanted, seed: Number(values.seed), until: midnight, hasBacklog: values.backlog };
  const rows = await growDatabase(url, workspaces === undefined ? growth : { ...growth, workspaces }, show);
  for (const [table, count] of rows)
    console.log(`${table.padEnd(22)} ${count.toLocaleString('en').padStart(14)}`);
}

function show({ part, doing, rows, seconds }: Progress): void {
  const bar = '█'.repeat(Math.round(part * 30)).padEnd(30, '·');
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  console.log(
    `${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${rows.toLocaleString('en')} rows, ` +
      `${rate.toLocaleString('en')}/s, ${seconds.toFixed(0)} s  ${doing}`,
  );
}
