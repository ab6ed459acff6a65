import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json, Reply } from '../../test/client.ts';
import { inParallel } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { pick, type Random, randomOf } from '../../test/ledger/random.ts';
import { decodeId } from '../kit/ids.ts';
import { auditLedger } from '../ledger/audit-ledger.ts';
import { Till, threeStamps } from '../loyalty/till.fixture.ts';
import { sumStatistics } from './check-statistics.ts';
import { assertCounted, runJob, statisticsOf } from './statistics.fixture.ts';

const seed = Number(process.env.STATISTICS_SEED ?? Date.now() % 2 ** 31);
const rounds = 6;
const lanes = 4;
const callsPerLane = 12;
const zones = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York', 'Pacific/Kiritimati'];
const programs = [
  { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, expiry: { months: 1 } },
  threeStamps,
];

// Without background work, except the jobs that a lane runs alongside the others.
const app = await startTestApp({ WORKERS: 'off', RATE_LIMIT_PER_SECOND: '100000' });
app.stopClock(Date.parse('2027-03-01T10:00:00Z'));

/** What a lane has to do with: cards and entries that others may be changing at the same moment. */
interface World {
  readonly till: Till;
  readonly partners: readonly string[];
  readonly cards: Json[];
  readonly earned: Reply[];
}

async function act(random: Random, { till, partners, cards, earned }: World): Promise<void> {
  const { client } = till;
  const card = pick(random, cards);
  const named = { instanceId: card.instanceId, ...(random() < 0.4 && { partnerId: pick(random, partners) }) };
  const points = 1 + Math.floor(random() * 12);
  const calls: (() => Promise<unknown>)[] = [
    async () => earned.push(await till.earn(points, named)),
    async () => earned.push(await till.earn(points, named)),
    async () => earned.push(await till.redeem(named)),
    () => till.adjust(points, { instanceId: card.instanceId }),
    () => till.adjust(-1, { instanceId: card.instanceId, countsTowardsLifetime: false }),
    async () => earned.length > 0 && till.reverse(pick(random, earned)),
    async () =>
      cards.push(await till.card(undefined, random() < 0.5 ? { partnerId: pick(random, partners) } : {})),
    () => till.void(card),
    () => client.post(`/instances/${card.instanceId}/reactivate`),
    async () => random() < 0.3 && client.delete(`/instances/${card.instanceId}`),
    () => statisticsOf(client, { passId: till.passId }),
    () => runJob(app, 'followLogs'),
  ];
  // Refusals, as of a card that another lane has voided, are as good.
  await pick(random, calls)();
}

describe(`statistics of random calls at once, seed ${seed}`, () => {
  for (const [index, program] of programs.entries())
    it(`are what cards and ledger say, by ${program.mode}`, async () => {
      const random = randomOf(seed + index);
      const till = await Till.open(app, program, { credits: 10_000 });
      const timezone = pick(random, zones);
      assert.equal((await till.client.patch('/workspace', { timezone })).status, 200);
      const made = await inParallel(2, (n) => till.client.post('/partners', { name: `Branch ${n}` }));
      const world: World = {
        till,
        partners: made.map(({ body }) => body.partnerId),
        cards: [till.ada, await till.card('bob')],
        earned: [],
      };
      for (let round = 0; round < rounds; round++) {
        const ofLane = Array.from({ length: lanes }, () => randomOf(random() * 2 ** 31));
        await inParallel(lanes, async (lane) => {
          for (let call = 0; call < callsPerLane; call++) await act(ofLane[lane] ?? random, world);
        });
        // Between the calls, so that what happens at once is of one day.
        app.advance(Math.floor(random() * 20 * 86_400_000));
        await runJob(app, 'expirePoints');
        if (random() < 0.5) await statisticsOf(till.client);
      }
      await statisticsOf(till.client);
      await assertCounted(app, till.passId, timezone);
      const workspaceId = decodeId('ws', till.workspaceId) as string;
      const { findings, entries } = await auditLedger(
        app.running.app.database,
        workspaceId,
        app.running.app.now,
        sumStatistics,
      );
      assert.deepEqual(findings, []);
      assert.ok(entries > 20, `much has happened: ${entries}`);
    });
});
