import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { decodeId } from '../../src/kit/ids.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Reply } from '../client.ts';
import { inParallel, makeCard, tally } from '../factories.ts';
import { startTestApp } from '../harness.ts';

/** Two connections, and another session that holds the lock that all want. */
const app = await startTestApp({ DATABASE_POOL: '2', WORKERS: 'off' });
const { client } = await app.newWorkspace();
const { pass } = await makeProgram(client, { mode: 'POINTS', reward: { title: 'Coffee', cost: 1_000_000 } });
const card = await makeCard(client, pass.passId);
const others = await inParallel(40, () => makeCard(client, pass.passId));

/** Runs the work while another session keeps the card locked. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from instances where instance_id = $1 for update', [
    decodeId('inst', card.instanceId),
  ]);
  try {
    await work();
  } finally {
    await holder.query('rollback');
    await holder.end();
  }
}

const award = (instanceId: string, externalRef: string) =>
  client.impatient.post('/loyalty/points', { passId: pass.passId, instanceId, points: 1, externalRef });
const balance = async (instanceId: string): Promise<number> =>
  (await client.get(`/loyalty/entries?passId=${pass.passId}&instanceId=${instanceId}&limit=1`)).body.data[0]
    ?.balance ?? 0;

/** A refusal that says that it may be tried again, and when. */
function assertMayBeRepeated({ status, headers, body, text }: Reply): void {
  if (status === 503) {
    assert.equal(body.code, 'overloaded');
    assert.ok(Number(headers.get('retry-after')) >= 1);
  } else assert.deepEqual([status, body.retryable], [500, true], text);
}

/** Asks until it gets through, as a client should. */
async function insist(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status < 500) return reply;
    assertMayBeRepeated(reply);
    await sleep(50);
  }
}

describe('when every connection waits for a lock', { timeout: 120_000 }, () => {
  const refs = Array.from({ length: 150 }, (_, n) => `receipt-${n}`);
  const taken = new Set<string>();

  it('the rest is asked to come back instead of waiting without end, and the health check answers', async () => {
    await whileLocked(async () => {
      let isOver = false;
      const health = (async () => {
        const seen: number[] = [];
        while (!isOver) {
          seen.push((await app.anyone.get('/healthz')).status);
          await sleep(20);
        }
        return tally(seen);
      })();
      const replies = await Promise.all(refs.map((ref) => award(card.instanceId, ref)));
      isOver = true;
      for (const reply of replies) assertMayBeRepeated(reply);
      const statuses = tally(replies.map(({ status }) => status));
      // Calls that waited for a permit in vain were refused.
      assert.ok((statuses['503'] ?? 0) > 0, JSON.stringify(statuses));
      assert.deepEqual(Object.keys(await health), ['200']);
    });
  });

  it('nothing of what was refused has happened, and all of it succeeds once, afterwards', async () => {
    assert.equal(await balance(card.instanceId), 0);
    for (const ref of refs) {
      const reply = await insist(() => award(card.instanceId, ref));
      assert.equal(reply.status, 200, reply.text);
      taken.add(ref);
    }
    assert.equal(await balance(card.instanceId), taken.size);
  });

  it('other cards are served again as soon as the lock is gone', async () => {
    await whileLocked(async () => {
      const blocked = Promise.all(refs.slice(0, 40).map((ref) => award(card.instanceId, `again-${ref}`)));
      for (const reply of await blocked) assertMayBeRepeated(reply);
    });
    const replies = await Promise.all(
      others.map(({ instanceId }, n) => insist(() => award(instanceId, `other-${n}`))),
    );
    assert.deepEqual(tally(replies.map(({ status, body }) => `${status} ${body.balance}`)), {
      '200 1': others.length,
    });
  });
});

describe('when more come than are served at a time', { timeout: 120_000 }, () => {
  it('those beyond it get 503 with the time to come back, the others the right answer, and no call is applied twice', async () => {
    const before = await balance(card.instanceId);
    let accepted = 0;
    const refused: Reply[] = [];
    // Far more than there are places, all at once.
    while (refused.length === 0) {
      const start = accepted;
      const replies = await inParallel(900, (n) => award(card.instanceId, `storm-${start}-${n}`));
      for (const reply of replies) {
        if (reply.status === 200) accepted++;
        else refused.push(reply);
      }
    }
    for (const reply of refused) assertMayBeRepeated(reply);
    assert.ok(accepted > 0);
    assert.equal(await balance(card.instanceId), before + accepted);
    assert.equal((await insist(() => client.get('/me'))).status, 200);
  });
});
