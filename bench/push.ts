import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deviceOf, fillInstalledCards } from '../test/fill-cards.ts';
import type { Seen } from './apns-simulator.ts';
import { loadDuring } from './http-load.ts';
import type { Load } from './load-plan.ts';
import { options, scaled } from './options.ts';
import { startWithPhones, type WithPhones } from './phones.ts';
import { type BenchResult, median, report } from './result.ts';
import { type Bench, callService, passTypeIdentifier, type Service, withBench } from './service.ts';
import { addCredits } from './shop.ts';

/**
 * One change of a design that 100,000 cards on 20,000 devices show: how fast the devices are pushed to, against a bare
 * node:http2 client that sends as many pushes to the same simulator; what the service, as `npm start` runs it but for the
 * pace of rollouts, holds in memory during that; and what the API's callers notice.
 */
export function bench(): Promise<BenchResult[]> {
  return withBench(async (bench) => measure(await prepare(bench)));
}

const cards = scaled(100_000);
const devices = scaled(20_000);
const rounds = Math.min(3, options.rounds);

interface Rollout {
  /** From the first push to the last. */
  readonly perSecond: number;
  /** From the change to the last settled credit. */
  readonly totalMs: number;
  /** The most pushes that one device got. */
  readonly most: number;
  readonly serviceMb: number;
  readonly busyP99: number;
}

interface Round extends Rollout {
  readonly bare: number;
  readonly idleP99: number;
}

async function measure(setting: WithPhones): Promise<BenchResult[]> {
  await barePushes(setting);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await barePushes(setting);
    const idleP99 = (await callers(setting, () => sleep(5_000))).p99Ms;
    const run = await rollout(setting, round);
    measured.push({ bare, idleP99, ...run });
  }
  const middle = (pick: (one: Round) => number) => median(measured.map(pick));
  return [
    {
      name: 'pushes of a rollout : a bare http2 client',
      value: middle((one) => one.perSecond / one.bare),
      unit: 'x',
      target: { min: 0.7 },
    },
    {
      name: 'API p99 while it runs : idle',
      value: middle((one) => one.busyP99 / one.idleP99),
      unit: 'x',
      target: { max: 2 },
      note: `${middle((one) => one.busyP99).toFixed(1)} ms : ${middle((one) => one.idleP99).toFixed(1)} ms`,
    },
    {
      name: 'memory of the service, at most',
      value: Math.max(...measured.map((one) => one.serviceMb)),
      unit: 'MB',
      target: { max: 400 },
      note: `by round: ${measured.map((one) => one.serviceMb.toFixed(0)).join(', ')}`,
    },
    {
      name: 'pushes to one device, at most',
      value: Math.max(...measured.map((one) => one.most)),
      unit: 'x',
      target: { max: 1 },
    },
    { name: 'pushes of a rollout', value: middle((one) => one.perSecond), unit: '/s' },
    { name: 'pushes of a bare http2 client', value: middle((one) => one.bare), unit: '/s' },
    {
      name: 'from the change to the last push',
      value: middle((one) => one.totalMs),
      unit: 'ms',
      note: `${cards} cards, ${devices} devices`,
    },
  ];
}

/** Changes the design and waits until every device was pushed to and every credit is settled. */
async function rollout(setting: WithPhones, round: number): Promise<Rollout> {
  const { simulator } = setting;
  await ask(simulator, 'reset');
  const memory: number[] = [];
  const watch = setInterval(() => memory.push(residentMb(setting.pid)), 100);
  const started = performance.now();
  let totalMs = 0;
  const load = await callers(setting, async () => {
    const fields = [{ key: 'tier', label: `Tier ${round}`, value: 'Bronze', section: 'secondary' }];
    await callService(setting, 'PATCH', `/passes/${setting.publicPassId}`, { fields });
    do await sleep(250);
    while (!(await isSettled(setting)));
    totalMs = performance.now() - started;
  });
  clearInterval(watch);
  const seen = await ask(simulator, 'reset');
  assert.ok(seen.pushes >= devices, `${seen.pushes} pushes to ${devices} devices`);
  return {
    perSecond: (seen.pushes / seen.ms) * 1_000,
    most: seen.most,
    totalMs,
    serviceMb: Math.max(...memory),
    busyP99: load.p99Ms,
  };
}

async function isSettled(service: Service): Promise<boolean> {
  const { rows } = await service.pool.query('select reserved::int from credit_accounts');
  const { rollout } = await callService<{ rollout: { state: string } }>(
    service,
    'GET',
    `/passes/${service.publicPassId}`,
  );
  return rollout.state === 'finished' && rows.every(({ reserved }) => reserved === 0);
}

/** A few callers who look cards up, as tills do, for as long as `work` takes. */
function callers({ port, headers, publicPassId }: Service, work: () => Promise<void>): Promise<Load> {
  const text = `GET /v1/passes/${publicPassId}/instances?limit=1 HTTP/1.1\r\n${headers}\r\n`;
  return loadDuring({ port, connections: 2, texts: [text], restMs: 10 }, work);
}

/** The rate of a loop that does nothing but push, with as many streams as the server allows. */
async function barePushes(setting: WithPhones): Promise<number> {
  await ask(setting.simulator, 'reset');
  const read = (name: string) => readFileSync(join(setting.certificates, name));
  const session = connect(setting.simulatorUrl, {
    cert: read('pass.pem'),
    key: read('pass.pem'),
    ca: read('root.pem'),
  });
  await once(session, 'remoteSettings');
  const most = session.remoteSettings.maxConcurrentStreams ?? 100;
  let next = 0;
  const lane = async () => {
    while (next < devices) {
      const { pushToken } = deviceOf(next++);
      const stream = session.request({
        ':method': 'POST',
        ':path': `/3/device/${pushToken}`,
        'apns-topic': passTypeIdentifier,
        'apns-push-type': 'background',
        'apns-priority': '5',
        'apns-expiration': '0',
      });
      stream.end('{}');
      stream.resume();
      const [headers] = await once(stream, 'response');
      assert.equal(headers[':status'], 200);
      if (!stream.closed) await once(stream, 'close');
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, 1_000) }, lane));
  session.close();
  const seen = await ask(setting.simulator, 'reset');
  return (seen.pushes / seen.ms) * 1_000;
}

async function prepare(bench: Bench): Promise<WithPhones> {
  const service = await startWithPhones(bench, 'push', { ROLLOUT_DEVICES_PER_SECOND: '1000000' });
  const { pool, workspaceId, passId } = service;
  await addCredits(service);
  await fillInstalledCards(pool, { workspaceId, passId, passTypeIdentifier, cards, devices });
  return service;
}

async function ask(simulator: ChildProcess, message: string): Promise<Seen> {
  simulator.send(message);
  const [seen] = (await once(simulator, 'message')) as [Seen];
  return seen;
}

function residentMb(pid: number): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4_096) / 1_048_576;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
