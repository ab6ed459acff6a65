import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeId, encodeBase32 } from '../src/kit/ids.ts';
import { httpLoad } from './http-load.ts';
import type { Load } from './load-plan.ts';
import { options, scaled } from './options.ts';
import { type BenchResult, median, report } from './result.ts';
import { type BenchServer, callService, type Service, startService, withPostgres } from './service.ts';
import { connections } from './turns.ts';

/**
 * A million codes uploaded as CSV over HTTP, 50,000 a call, against COPY of as many rows from a file of the server into
 * the same table, constraints, indexes and commits included; and cards issued from a pool of a thousand codes against
 * one of five million, behind a million that are taken and not vacuumed away.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => [
    ...(await compareUploads(server, await startService(server, 'uploads'))),
    ...(await comparePools(await startService(server, 'issues'))),
  ]);
}

const calls = 20;
const codesPerCall = 50_000;

async function compareUploads(server: BenchServer, service: Service): Promise<BenchResult[]> {
  const uploaded = await makePool(service);
  const copied = await makePool(service);
  // Where the server, which may be another user, can read it.
  const file = join(tmpdir(), `punchcard-codes-${process.pid}.csv`);
  server.onEnd(() => rm(file, { force: true }));
  const uploads: number[] = [];
  const copies: number[] = [];
  // The first of each is not counted: it finds nothing in memory.
  for (let call = 0; call <= calls; call++) {
    uploads.push(await timed(() => upload(service, uploaded, newCodes(codesPerCall))));
    const ids = `${service.workspaceId},${decodeId('pass', copied)}`;
    const lines = newCodes(codesPerCall).map((code) => `${ids},${code}`);
    await writeFile(file, lines.join('\n'), { mode: 0o644 });
    copies.push(
      await timed(() =>
        service.pool.query(
          `copy pool_barcodes (workspace_id, pass_id, barcode) from '${file}' with (format csv)`,
        ),
      ),
    );
  }
  const total = (times: readonly number[]) => times.slice(1).reduce((sum, ms) => sum + ms, 0);
  const rate = (times: readonly number[]) => (calls * codesPerCall * 1_000) / total(times);
  const longest = (times: readonly number[]) => `at most ${Math.max(...times.slice(1)).toFixed(0)} ms a call`;
  return [
    {
      name: 'a million codes uploaded over HTTP : COPY',
      value: total(copies) / total(uploads),
      unit: 'x',
      target: { min: 0.5 },
    },
    { name: 'codes uploaded over HTTP', value: rate(uploads), unit: '/s', note: longest(uploads) },
    { name: 'codes by COPY', value: rate(copies), unit: '/s', note: longest(copies) },
  ];
}

const few = 1_000;
const many = scaled(5_000_000);
const takenBefore = scaled(1_000_000);
const rounds = options.rounds < 5 ? options.rounds : 9;
/** Fewer than the small pool holds, so that it is never empty. */
const cardsPerTurn = few - 2 * connections;

async function comparePools(service: Service): Promise<BenchResult[]> {
  const { pool, workspaceId } = service;
  const [small, large] = [await makePool(service), await makePool(service)];
  await pool.query('alter table pool_barcodes set (autovacuum_enabled = false)');
  await fillPool(service, large, takenBefore + many);
  await pool.query(
    `update pool_barcodes set instance_id = gen_random_uuid(), assigned_at = now()
     where workspace_id = $1 and pass_id = $2
       and seq < (select min(seq) from pool_barcodes where pass_id = $2) + $3`,
    [workspaceId, decodeId('pass', large), takenBefore],
  );
  await pool.query('analyze pool_barcodes');
  const measured: Record<'small' | 'large', Load[]> = { small: [], large: [] };
  for (let round = 0; round <= rounds; round++) {
    await upload(service, small, newCodes(round === 0 ? few : cardsPerTurn));
    for (const [who, passId] of Object.entries({ small, large })) {
      const load = await issue(service, passId);
      if (round > 0) measured[who as 'small' | 'large'].push(load);
    }
  }
  const ratios = measured.small.map(({ perSecond }, at) => perSecond / (measured.large[at]?.perSecond ?? 0));
  const rate = (loads: readonly Load[]) => median(loads.map(({ perSecond }) => perSecond));
  const p99 = (loads: readonly Load[]) => `p99 ${median(loads.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`;
  return [
    {
      name: 'issue from a pool of 1,000 : 5,000,000 codes',
      value: median(ratios),
      unit: 'x',
      target: { max: 1.2 },
    },
    { name: 'issue, 1,000 codes', value: rate(measured.small), unit: '/s', note: p99(measured.small) },
    { name: 'issue, 5,000,000 codes', value: rate(measured.large), unit: '/s', note: p99(measured.large) },
  ];
}

async function issue({ port, headers }: Service, passId: string): Promise<Load> {
  const text = `POST /v1/passes/${passId}/instances HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const texts = Array<string>(cardsPerTurn).fill(text);
  const load = await httpLoad({ port, connections, texts, once: true });
  for (const status of load.statuses.keys()) assert.equal(status, 201);
  return load;
}

async function makePool(service: Service): Promise<string> {
  const design = { title: 'Tea Club', type: 'coupon', barcode: { mode: 'pool' } };
  const { passId } = await callService<{ passId: string }>(service, 'POST', '/passes', design);
  await callService(service, 'PATCH', `/passes/${passId}`, { status: 'published' });
  return passId;
}

/** Without the API, which takes 50,000 at once, and without looking the pass up for each row. */
async function fillPool({ pool, workspaceId }: Service, passId: string, codes: number): Promise<void> {
  await pool.query('alter table pool_barcodes disable trigger all');
  await pool.query(
    `insert into pool_barcodes (workspace_id, pass_id, barcode)
     select $1, $2, 'MANY' || n from generate_series(1, $3::int) n order by n`,
    [workspaceId, decodeId('pass', passId), codes],
  );
  await pool.query('alter table pool_barcodes enable trigger all');
}

async function upload({ port, apiKey }: Service, passId: string, codes: readonly string[]): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1/passes/${passId}/barcodes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'text/csv' },
    body: `barcode\n${codes.join('\n')}\n`,
  });
  const { added } = (await reply.json()) as { added: number };
  assert.equal(added, codes.length);
}

function newCodes(count: number): string[] {
  return Array.from({ length: count }, () => encodeBase32(randomBytes(10)));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
