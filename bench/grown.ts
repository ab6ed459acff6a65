import assert from 'node:assert/strict';
import pg from 'pg';
import { migrationsFolder } from '../src/app.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { encodeId } from '../src/kit/ids.ts';
import { placement } from '../src/start/placement.ts';
import { growDatabase } from '../test/growth/grow.ts';
import { makeCluster } from '../test/server.ts';
import { connectAdmin, newDatabases, serversOfCluster } from './citus.ts';
import { options, scaled } from './options.ts';
import { type BenchResult, report } from './result.ts';
import {
  type Bench,
  type Caller,
  callService,
  passTypeIdentifier,
  startOnFilled,
  withBench,
  withPostgres,
} from './service.ts';
import { awardTexts, barcodesOf, getText, lookUpTexts, shopLoad, type Till } from './shop.ts';
import { compare, p99Of, takeTurns } from './turns.ts';

/**
 * What a till, a console and phones ask of a service that has grown, by what `npm start` runs: 100 workspaces, 500,000
 * cards and five million entries, two years old, against one workspace with a hundredth of the rows. All questions are about
 * as many cards of the largest pass of the largest workspace, 64 at a time. On the cluster that `TEST_DATABASE_URL` names, else
 * on one server.
 */
export async function bench(): Promise<BenchResult[]> {
  const servers = await serversOfCluster();
  if (servers.length > 0) return withBench((bench) => compareSizes(bench, servers, 'cluster'));
  return withPostgres((server) => compareSizes(server, [server.url], 'one server'));
}

/** A tenth of what `npm run grow` counts as a service after two years, and a new shop, which represents an empty one. */
const sizes = {
  grown: { scale: 0.1 * options.scale, workspaces: 100 },
  young: { scale: 0.001, workspaces: 1 },
};
/** How many of each service and how many phones: with fewer, the processor's caches would still hold their rows. */
const cardsAsked = scaled(400);
const pagesAsked = 5;

/** A till of the largest pass, and what its phones are called. */
interface Filled extends Till {
  readonly devices: readonly string[];
}

/** The measurements, and the requests of a service. */
const works = [
  ['award', async (filled: Filled) => awardTexts(filled)],
  ['look-up', async (filled: Filled) => lookUpTexts(filled.service, barcodesOf(filled))],
  ['lists', listTexts],
  ['changed serials', async (filled: Filled) => serialTexts(filled)],
] as const;

async function compareSizes(
  bench: Bench,
  servers: readonly string[],
  engine: string,
): Promise<BenchResult[]> {
  const young = await startGrown(bench, servers, 'young', sizes.young);
  const grown = await startGrown(bench, servers, 'grown', sizes.grown);
  const results: BenchResult[] = [];
  for (const [work, textsOf] of works) {
    const [youngTexts, grownTexts] = [await textsOf(young), await textsOf(grown)];
    const measured = await takeTurns(200, {
      young: () => shopLoad(young.service, youngTexts),
      grown: () => shopLoad(grown.service, grownTexts),
    });
    const { ratio, rate, refused } = compare(measured);
    results.push(
      {
        name: `${work}, ${engine}, p99: grown : young`,
        value: ratio('grown', 'young', p99Of),
        unit: 'x',
        target: { max: 1.2 },
      },
      refused(),
      rate(`${work}, ${engine}, young`, 'young'),
      rate(`${work}, ${engine}, grown`, 'grown'),
    );
  }
  return results;
}

/** A service on a database of this size. */
async function startGrown(
  bench: Bench,
  servers: readonly string[],
  name: string,
  size: { readonly scale: number; readonly workspaces: number },
): Promise<Filled> {
  const urls = await newDatabases(bench, servers, name);
  const [url = ''] = urls;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on('error', () => undefined);
  bench.onEnd(() => pool.end());
  await migrate(pool, migrationsFolder, placement);
  const until = new Date(new Date().toISOString().slice(0, 10));
  await growDatabase(url, { ...size, seed: 1, until, hasBacklog: false }, () => undefined);
  if (urls.length > 1) await spread(bench, pool, urls);
  const [largest] = (await pool.query(largestPass)).rows;
  const service = await startOnFilled(bench, name, url, encodeId('ws', largest.workspace_id));
  const named = [largest.workspace_id, largest.pass_id];
  const cards = (await pool.query(cardsOfTill, [...named, cardsAsked])).rows;
  const devices = (await pool.query(phones, [...named, cardsAsked])).rows;
  assert.deepEqual([cards.length, devices.length], [cardsAsked, cardsAsked], 'too few cards to ask about');
  return {
    service,
    publicPassId: encodeId('pass', largest.pass_id),
    cards: cards.map(({ instance_id, ...card }) => ({ ...card, instanceId: encodeId('inst', instance_id) })),
    devices: devices.map(({ device }) => device),
  };
}

/** As an operator does whose one server has become too small: the rows move to the workers. */
async function spread(bench: Bench, pool: pg.Pool, urls: readonly string[]): Promise<void> {
  await makeCluster(urls);
  await migrate(pool, migrationsFolder, placement);
  const admin = await connectAdmin(bench, urls[0] ?? '');
  await admin.query('vacuum (analyze)');
}

const largestPass = `
  select workspace_id, pass_id from instances group by workspace_id, pass_id order by count(*) desc limit 1`;

/** Cards in no wallet: an award to one that is in a wallet also pushes. */
const cardsOfTill = `
  select i.instance_id, i.barcode, h.identifier
  from instances i join holders h on h.workspace_id = i.workspace_id and h.instance_id = i.instance_id
  where i.workspace_id = $1 and i.pass_id = $2 and not i.installed and i.status = 'active'
  order by random() limit $3`;

/** Phones of customers, which hold a card or two. */
const phones = `
  select d.device_library_identifier as device
  from apple_registrations r
  join instances i on i.workspace_id = r.workspace_id and i.instance_id = r.instance_id
  join apple_devices d on d.workspace_id = r.workspace_id and d.device_id = r.device_id
  where r.workspace_id = $1 and i.pass_id = $2
  group by 1 having count(*) <= 2
  order by random() limit $3`;

/** Half are pages of the pass's cards, half are of a card's ledger. */
async function listTexts({ service, publicPassId, cards }: Filled): Promise<string[]> {
  const pages = await firstPages(service, `/passes/${publicPassId}/instances?limit=50`);
  return cards.flatMap(({ instanceId }, at) => [
    getText(service, `/v1${pages[at % pages.length]}`),
    getText(service, `/v1/loyalty/entries?limit=50&instanceId=${instanceId}`),
  ]);
}

async function firstPages(service: Caller, path: string): Promise<string[]> {
  const pages = [path];
  while (pages.length < pagesAsked) {
    const { nextCursor } = await callService<{ nextCursor: string | null }>(
      service,
      'GET',
      pages.at(-1) ?? path,
    );
    assert.ok(nextCursor !== null);
    pages.push(`${path}&cursor=${encodeURIComponent(nextCursor)}`);
  }
  return pages;
}

/** As a phone asks that does not know what it has: all of its cards have changed. */
function serialTexts({ service, devices }: Filled): string[] {
  return devices.map((device) =>
    getText(service, `/apple/v1/devices/${device}/registrations/${passTypeIdentifier}`),
  );
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
