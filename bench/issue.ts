import pg from 'pg';
import { type BareClient, bareIssue, bareLoad, bareLookUp } from './bare-postgres.ts';
import { fillInstances } from './fill-instances.ts';
import { httpLoad } from './http-load.ts';
import { settle } from './insert-like.ts';
import { scaled } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { type Bench, type Service, startAsShipped, withBench } from './service.ts';
import { issueText, lookUpTexts } from './shop.ts';
import { connections, figures, roundMs, takeTurns } from './turns.ts';

/**
 * Issue and look-up over HTTP, 32 connections, by what `npm start` runs in a database that was never analysed, against the
 * same work sent straight from `pg` by as many clients to an analysed database; and the same again in a database
 * that holds a million instances. All of them take turns, so that a machine that slows down slows each.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => {
    const [small, large] = [await startAsShipped(bench, 'small'), await startAsShipped(bench, 'large')];
    // Without statistics the statements of the bare clients scan whole tables, and nothing could be held against them.
    const analysed = await startAsShipped(bench, 'analysed', { WORKERS: 'off' });
    for (const { pool, workspaceId, passId } of [small, analysed])
      await fillInstances(pool, workspaceId, passId, 0, 10_000);
    await fillInstances(large.pool, large.workspaceId, large.passId, 0, scaled(1_000_000));
    for (const { pool } of [large, analysed]) await settle(pool);
    const clients = await connectBare(bench, analysed);
    const issue = await takeTurns(201, {
      service: () => load(small, [issueText(small, small.publicPassId)]),
      large: () => load(large, [issueText(large, large.publicPassId)]),
      bare: () =>
        bareLoad(clients, roundMs, (client) => bareIssue(client, analysed.workspaceId, analysed.passId)),
    });
    const barcodes = { small: await anyBarcodes(small), large: await anyBarcodes(large) };
    const bareBarcodes = await anyBarcodes(analysed);
    const lookUp = await takeTurns(200, {
      service: () => load(small, lookUpTexts(small, barcodes.small)),
      large: () => load(large, lookUpTexts(large, barcodes.large)),
      bare: () =>
        bareLoad(clients, roundMs, (client) => bareLookUp(client, analysed.workspaceId, anyOf(bareBarcodes))),
    });
    return [
      ...figures({ ...names, work: 'issue' }, issue, 1.4),
      ...figures({ ...names, work: 'look-up' }, lookUp, 0.7),
    ];
  });
}

const names = { ours: 'over HTTP', bare: 'straight from pg', rows: 'instances' };

function load({ port }: Service, texts: readonly string[]) {
  return httpLoad({ port, connections, texts, ms: roundMs });
}

async function connectBare(bench: Bench, { databaseUrl }: Service): Promise<readonly BareClient[]> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  bench.onEnd(() => Promise.all(clients.map((client) => client.end())));
  return clients;
}

async function anyBarcodes({ pool }: Service): Promise<string[]> {
  const { rows } = await pool.query<{ barcode: string }>(
    'select barcode from instances order by random() limit 5000',
  );
  return rows.map(({ barcode }) => barcode);
}

function anyOf(barcodes: readonly string[]): string {
  return barcodes[Math.floor(Math.random() * barcodes.length)] ?? '';
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
