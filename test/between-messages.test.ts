import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Till } from '../src/loyalty/till.fixture.ts';
import { startTcpProxy } from '../tools/fakes/tcp-proxy.ts';
import type { Client, Json, Reply } from './client.ts';
import { assertEventLog } from './event-log-checks.ts';
import { createTestDatabase, startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';

/*
 * A write is two messages: BEGIN with what it reads, and all that it writes with COMMIT. Here its connection is lost before the
 * second one has reached the database, or once it has.
 */
const url = await createTestDatabase();
const proxy = await startTcpProxy(url);
const app = await startTestApp({ DATABASE_URL: proxy.url, WORKERS: 'off', REQUEST_LOG: 'off' });
after(() => proxy.close());
const till = await Till.open(app, { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 } });
const { client, passId, ada } = till;
const other = await till.card('bob');
const target = { passId, instanceId: ada.instanceId };
assert.equal((await till.earn(100)).status, 200);
let calls = 0;

/** How a call is made under a key; each time it is a new one but for its repeats. */
const verbs: Readonly<Record<string, (client: Client, key: string) => Promise<Reply>>> = {
  award: (by, externalRef) => by.post('/loyalty/points', { ...target, points: 5, externalRef }),
  redeem: (by, externalRef) => by.post('/loyalty/redeem', { ...target, externalRef }),
  adjust: (by, externalRef) =>
    by.post('/loyalty/adjust', { ...target, points: -1, reason: 'Lost', externalRef }),
  issue: (by, externalRef) => by.post(`/passes/${passId}/instances`, { externalRef }),
};

const entries = async () =>
  (await app.sql<{ count: number }>('select count(*)::int as count from loyalty_entries'))[0]?.count;
const cards = async () =>
  (await app.sql<{ count: number }>('select count(*)::int as count from instances'))[0]?.count;
const locks = () =>
  app.sql<Json>(
    `select pid from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`,
  );

describe('a connection that is lost between the two messages of a call', () => {
  for (const [name, call] of Object.entries(verbs))
    for (const moment of ['request', 'reply'] as const)
      it(`${name}, ${moment === 'request' ? 'before' : 'behind'} the second: its repeat has the one effect`, async () => {
        const key = `key-${++calls}`;
        const before = [await entries(), await cards()];
        proxy.holdOn('insert into event_log', moment, async () => 'cut');
        const lost = await call(client.impatient, key);
        assert.ok(lost.status >= 500, lost.text);
        assert.equal(lost.body.retryable, true);
        const first = await call(client, key);
        assert.ok(first.status < 300, first.text);
        const again = await call(client, key);
        assert.equal(again.text, first.text);
        const isIssue = name === 'issue';
        assert.deepEqual(
          [await entries(), await cards()],
          [(before[0] ?? 0) + Number(!isIssue), (before[1] ?? 0) + Number(isIssue)],
        );
        assert.deepEqual(await locks(), []);
        await assertEventLog(app.sql);
        await assertInvariants(app.sql);
      });

  it('holds nothing between them that other cards wait for', async () => {
    const { promise: answered, resolve } = Promise.withResolvers<Reply>();
    proxy.holdOn('insert into event_log', 'request', async () => {
      resolve(await client.post('/loyalty/points', { passId, instanceId: other.instanceId, points: 5 }));
      return 'goes on';
    });
    const held = await client.post('/loyalty/points', { ...target, points: 5 });
    assert.equal((await answered).status, 200);
    assert.equal(held.status, 200);
    await assertEventLog(app.sql);
  });
});
