import assert from 'node:assert/strict';
import pg from 'pg';
import { makeCluster, run, serversOf } from '../test/server.ts';
import type { Load } from './load-plan.ts';
import { type BenchResult, median, report } from './result.ts';
import { type Bench, startOn, withBench } from './service.ts';
import { awardTexts, barcodesOf, issueText, lookUpTexts, type Shop } from './shop.ts';
import { loadOf, openShops } from './shops.ts';
import { compare, takeTurns } from './turns.ts';

/**
 * Awards, issues and look-ups by the service on a Citus cluster and on a database of the cluster's coordinator that is not
 * distributed: one workspace, and fifty. They take turns. Then shards move to a second worker under load. `TEST_DATABASE_URL`
 * names the cluster.
 */
export async function bench(): Promise<BenchResult[]> {
  const servers = await serversOfCluster();
  const [coordinator] = servers;
  if (coordinator === undefined) return [];
  return withBench(async (bench) => {
    const plain = await openShops(
      await startOn(bench, 'plain', await newDatabase(bench, [coordinator], 'plain')),
    );
    const citus = await openShops(await startOn(bench, 'citus', await newDatabase(bench, servers, 'citus')));
    const figures: BenchResult[] = [];
    for (const [work, status, textsOf] of works) {
      const run = (shops: readonly Shop[]) => loadOf(shops, textsOf);
      const measured = await takeTurns(status, {
        plain: run(plain.slice(0, 1)),
        citus: run(citus.slice(0, 1)),
        plainMany: run(plain),
        citusMany: run(citus),
      });
      const { ratio, rate, refused } = compare(measured);
      figures.push(
        {
          name: `${work}, one workspace, cluster : one server`,
          value: ratio('citus', 'plain'),
          unit: 'x',
          target: { min: 0.6 },
        },
        {
          name: `${work}, fifty workspaces, cluster : one server`,
          value: ratio('citusMany', 'plainMany'),
          unit: 'x',
          target: { min: 0.6 },
        },
        refused(),
        rate(`${work}, one workspace, one server`, 'plain'),
        rate(`${work}, one workspace, cluster`, 'citus'),
        rate(`${work}, fifty workspaces, one server`, 'plainMany'),
        rate(`${work}, fifty workspaces, cluster`, 'citusMany'),
      );
    }
    return [...figures, ...(await moveShards(bench, citus))];
  });
}

/** The coordinator and its workers; none, and a line that says so, where TEST_DATABASE_URL does not name a cluster. */
export async function serversOfCluster(): Promise<string[]> {
  const url = process.env.TEST_DATABASE_URL;
  const servers = url === undefined ? [] : await serversOf(url);
  if (servers.length >= 3) return servers;
  console.log(
    'Passed over: TEST_DATABASE_URL does not name the coordinator of a Citus cluster with two workers.',
  );
  return [];
}

/** The measurements, the status of success, and the requests of a shop. */
const works = [
  ['award', 200, (shop: Shop) => awardTexts(shop)],
  ['issue', 201, (shop: Shop) => [issueText(shop.service, shop.publicPassId)]],
  ['look-up', 200, (shop: Shop) => lookUpTexts(shop.service, barcodesOf(shop))],
] as const;

/** A database of the first server, on a cluster with its twins on the workers. Dropped at the end. */
async function newDatabase(bench: Bench, servers: readonly string[], name: string): Promise<string> {
  const urls = await newDatabases(bench, servers, name);
  if (urls.length > 1) await makeCluster(urls);
  return urls[0] ?? '';
}

/** A database on each server, which know nothing of each other. Dropped at the end. */
export async function newDatabases(
  bench: Bench,
  servers: readonly string[],
  name: string,
): Promise<string[]> {
  const urls = servers.map((server) => Object.assign(new URL(server), { pathname: `/bench_${name}` }).href);
  const drop = `drop database if exists bench_${name} with (force)`;
  bench.onEnd(() => Promise.all(servers.map((server) => run(server, [drop]))));
  for (const server of servers) await run(server, [drop, `create database bench_${name}`]);
  return urls;
}

/** How many requests fail while half of the shards move from one worker to the other, and what the load was during that. */
async function moveShards(bench: Bench, shops: readonly Shop[]): Promise<BenchResult[]> {
  const [{ service }] = shops as [Shop];
  const admin = await connectAdmin(bench, service.databaseUrl);
  const load = loadOf(shops, awardTexts);
  // All of one worker's go to the other, and half of them back.
  const [worker] = (await admin.query('select nodename, nodeport from pg_dist_node where groupid = 2')).rows;
  await admin.query('select citus_drain_node($1, $2)', [worker.nodename, worker.nodeport]);
  const set = "select citus_set_node_property($1, $2, 'shouldhaveshards', true)";
  await admin.query(set, [worker.nodename, worker.nodeport]);
  const still = await load();
  await admin.query('select citus_rebalance_start()');
  const during: Load[] = [];
  let state = '';
  while (!['finished', 'failed', 'cancelled'].includes(state)) {
    during.push(await load());
    [{ state }] = (
      await admin.query('select state from pg_dist_background_job order by job_id desc limit 1')
    ).rows;
  }
  assert.equal(state, 'finished');
  const answers = during.flatMap(({ statuses }) => [...statuses]);
  const failed = answers.filter(([status]) => status !== 200);
  return [
    {
      name: 'requests that fail while shards move',
      value: (100 * sumOf(failed)) / sumOf(answers),
      unit: '%',
      target: { max: 0 },
      note: `${sumOf(failed)} of ${sumOf(answers)}`,
    },
    {
      name: 'awards while shards move : before',
      value: median(during.map(({ perSecond }) => perSecond)) / still.perSecond,
      unit: 'x',
    },
    {
      name: 'p99 of awards while shards move',
      value: Math.max(...during.map(({ p99Ms }) => p99Ms)),
      unit: 'ms',
    },
  ];
}

/** As another account than the service's: what moves shards or vacuums them is not bound to be short. */
export async function connectAdmin(bench: Bench, url: string): Promise<pg.Client> {
  const name = 'punchcard_bench_admin';
  await run(url, [`drop role if exists ${name}`, `create role ${name} superuser login`]);
  const admin = new pg.Client({ connectionString: Object.assign(new URL(url), { username: name }).href });
  await admin.connect();
  bench.onEnd(async () => {
    await admin.end();
    await run(url, [`drop role ${name}`]);
  });
  return admin;
}

function sumOf(answers: readonly (readonly [status: number, count: number])[]): number {
  return answers.reduce((sum, [, count]) => sum + count, 0);
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
