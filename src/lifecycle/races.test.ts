import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { decodeId } from '../kit/ids.ts';

/** Requests that meet: forced by a lock held from outside, or by load on two processes of the service. */
const app = await startTestApp();
const twin = await app.twin();

let first: Client;
/** The same key, served by another process. */
let second: Client;
let pass: Json;
beforeEach(async () => {
  ({ client: first } = await app.newWorkspace());
  second = twin.as(first.secret);
  pass = await makePass(first);
});

const either = (turn: number) => (turn % 2 === 0 ? first : second);
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const issue = (client: Client, body: object, { passId }: Json = pass) =>
  client.post(`/passes/${passId}/instances`, body);
const update = (client: Client, { instanceId }: Json, change: object) =>
  client.patch(`/instances/${instanceId}`, change);
const statuses = (replies: readonly Reply[]) => tally(replies.map(({ status, body }) => body.code ?? status));

type Request = () => Promise<Reply>;

/** Takes a lock from outside, lets the requests queue behind it one after the other, and lets go. */
async function behindLock(lock: string, ...requests: Request[]): Promise<Reply[]> {
  const bystander = new pg.Client({ connectionString: app.databaseUrl });
  await bystander.connect();
  await bystander.query(`begin; ${lock}`);
  const replies: Promise<Reply>[] = [];
  for (const request of requests) {
    replies.push(request());
    // A request that has no reason to wait fails the test by its answer.
    for (let turn = 0; turn < 100 && (await waiting()) < replies.length; turn++) await sleep(5);
  }
  await bystander.query('commit');
  await bystander.end();
  return Promise.all(replies);
}

async function waiting(): Promise<number> {
  const rows = await app.sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

const rowOf = ({ instanceId }: Json) =>
  `select from instances where instance_id = '${decodeId('inst', instanceId)}' for update`;

describe('changes of one card', () => {
  it('keeps both of two changes of the holder', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1' } });
    await behindLock(
      rowOf(card),
      () => update(first, card, { holder: { name: 'Ada' } }),
      () => update(second, card, { holder: { phone: '+49 30 1' } }),
    );
    const { body } = await first.get(`/instances/${card.instanceId}`);
    const ada = { identifier: 'h1', name: 'Ada', email: null, phone: '+49301', locale: null };
    assert.deepEqual(body.holder, ada);
  });

  it('voids with the holder that another call has just changed', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1', name: 'Ada' } });
    const [, voided] = await behindLock(
      rowOf(card),
      () => update(first, card, { holder: { name: 'Grace' } }),
      () => second.post(`/instances/${card.instanceId}/void`),
    );
    assert.equal(voided?.body.holder.name, 'Grace');
    assert.equal((await first.get(`/instances/${card.instanceId}`)).body.holder.name, 'Grace');
  });

  it('keeps nothing of the person when a repeated void meets the erasure', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1', name: 'Lovelace' } });
    const [erased, voided] = await behindLock(
      rowOf(card),
      () => first.delete(`/instances/${card.instanceId}`),
      () => second.post(`/instances/${card.instanceId}/void`, undefined, keyed('void-1')),
    );
    assert.equal(erased?.status, 204);
    assert.equal(voided?.body.holder, null);
    assert.ok(!(await app.dump()).includes('Lovelace'));
  });

  it('keeps nothing of the person when a repeated issue meets the erasure', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1', name: 'Hopper' } });
    const [repeated, erased] = await behindLock(
      'lock table instance_events in share mode',
      () => issue(second, { externalRef: 'again', holder: { identifier: 'h1' } }),
      () => first.delete(`/instances/${card.instanceId}`),
    );
    assert.equal(repeated?.status, 200);
    assert.equal(erased?.status, 204);
    assert.ok(!(await app.dump()).includes('Hopper'));
  });

  it('issues anew when the holder’s card is voided at the same time', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1' } });
    const [voided, issued] = await behindLock(
      'lock table instance_events in share mode',
      () => first.post(`/instances/${card.instanceId}/void`),
      () => issue(second, { holder: { identifier: 'h1' } }),
    );
    assert.equal(voided?.status, 200);
    assert.equal(issued?.status, 201);
    assert.notEqual(issued?.body.instanceId, card.instanceId);
  });

  it('counts one voiding of twenty', async () => {
    const card = await makeCard(first, pass.passId);
    const replies = await inParallel(20, (at) => either(at).post(`/instances/${card.instanceId}/void`));
    assert.equal(replies.filter(({ body }) => body.pushSkipReason !== 'unchanged').length, 1);
    assert.equal((await first.get(`/passes/${pass.passId}`)).body.counts.voided, 1);
  });
});

describe('one active card per holder', () => {
  it('issues one card to a holder who asks fifty times at once', async () => {
    const replies = await inParallel(50, (at) => issue(either(at), { holder: { identifier: 'eager' } }));
    assert.deepEqual(statuses(replies), { 200: 49, 201: 1 });
    assert.equal(new Set(replies.map(({ body }) => body.instanceId)).size, 1);
  });

  it('lets a new identifier and a new card meet: one of them gets it', async () => {
    for (let turn = 0; turn < 15; turn++) {
      const identifier = `wanted-${turn}`;
      const card = await makeCard(first, pass.passId, { holder: { identifier: `old-${turn}` } });
      const [changed, issued] = await Promise.all([
        update(first, card, { holder: { identifier } }),
        issue(second, { holder: { identifier } }),
      ]);
      // Either the card took the name, and issuing answers with it, or the new card did, and the change is refused.
      const outcome = `${changed.status} ${issued.status}`;
      assert.ok(['200 200', '409 201'].includes(outcome), outcome);
      if (changed.status === 409) assertRefused(changed, 'holder_has_active_instance');
      else assert.equal(issued.body.instanceId, card.instanceId);
    }
  });

  it('reactivates one of ten former cards of a holder', async () => {
    const cards: Json[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1' } });
      await first.post(`/instances/${card.instanceId}/void`);
      cards.push(card);
    }
    const replies = await inParallel(10, (at) =>
      either(at).post(`/instances/${cards[at].instanceId}/reactivate`),
    );
    assert.deepEqual(statuses(replies), { 200: 1, holder_has_active_instance: 9 });
  });
});

describe('issuing under load', () => {
  it('answers a hundred repeats of one reference alike', async () => {
    const replies = await inParallel(100, (at) => issue(either(at), { externalRef: 'one' }));
    assert.deepEqual(statuses(replies), { 201: 100 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(replies.filter(({ headers }) => headers.has('idempotent-replayed')).length, 99);
  });

  it('gives out the codes of a pool once each, and refuses the rest', async () => {
    const pool = await makePass(first, { barcode: { mode: 'pool' } });
    await app.fillPool(
      pool.passId,
      Array.from({ length: 60 }, (_, at) => `code-${at}`),
    );
    const replies = await inParallel(180, (at) => issue(either(at), {}, pool));
    assert.deepEqual(statuses(replies), { 201: 60, pool_exhausted: 120 });
    const codes = replies.flatMap(({ status, body }) => (status === 201 ? [body.barcode] : []));
    assert.equal(new Set(codes).size, 60);
  });

  it('passes over a code of the pool that an imported card carries already', async () => {
    const pool = await makePass(first, { barcode: { mode: 'pool' } });
    const imported = await first.post(`/passes/${pool.passId}/instances/import`, {
      instances: [{ barcode: 'code-0' }],
    });
    assert.equal(imported.body.results[0].status, 201);
    await app.fillPool(pool.passId, ['code-0', 'code-1']);
    const replies = await inParallel(2, (at) => issue(either(at), {}, pool));
    assert.deepEqual(statuses(replies), { 201: 1, pool_exhausted: 1 });
  });

  it('takes the keys of a batch in one order, whatever the batch looks like', async () => {
    // The second item of each batch follows its first, because both name one holder.
    const batch = `/passes/${pass.passId}/instances/batch`;
    const replies = await behindLock(
      'lock table instances in share mode',
      () => first.post(batch, sameHolder('left', ['ref-b', 'ref-a'])),
      () => second.post(batch, sameHolder('right', ['ref-a', 'ref-b'])),
    );
    const outcomes = replies.map(({ body }) =>
      body.results.map((one: Json) => one.error?.code ?? one.status).join(),
    );
    // Both have read that no key was used: one of them keeps its answers for both, and the other starts again.
    assert.deepEqual(outcomes.sort(), ['201,200', 'external_ref_reused,external_ref_reused']);
  });

  it('gives a barcode that two bring to one of them, of any holders', async () => {
    const replies = await behindLock(
      'lock table instances in share mode',
      () => issue(first, { barcode: 'wanted', holder: { identifier: 'h1' } }),
      () => issue(second, { barcode: 'wanted', holder: { identifier: 'h2' } }),
    );
    assert.deepEqual(statuses(replies), { 201: 1, barcode_taken: 1 });
  });

  it('answers with the card that the holder got at the same time, also where that has the barcode which was asked for', async () => {
    const { partnerId } = (await first.post('/partners', { name: 'Harbour' })).body;
    const card = { barcode: 'wanted', holder: { identifier: 'h1' } };
    const replies = await behindLock(
      'lock table partners in access exclusive mode',
      () => issue(first, { ...card, partnerId }),
      // Waits for nothing, and is done before the lock is let go.
      () => issue(second, card),
    );
    assert.deepEqual(statuses(replies), { 200: 1, 201: 1 });
  });

  it('lets a change of the pass go before the issues that come after it', async () => {
    const row = `select from passes where pass_id = '${decodeId('pass', pass.passId)}' for key share`;
    const [archived, issued] = await behindLock(
      row,
      () => first.patch(`/passes/${pass.passId}`, { status: 'archived' }),
      () => issue(second, {}),
    );
    assert.equal(archived?.status, 200);
    assertRefused(issued as Reply, 'pass_archived');
  });

  it('issues nothing once an archiving was answered', async () => {
    let issued = 0;
    const load = inParallel(10, async (at) => {
      while ((await issue(either(at), {})).status === 201) issued++;
    });
    await sleep(50);
    assert.equal((await first.patch(`/passes/${pass.passId}`, { status: 'archived' })).status, 200);
    assertRefused(await issue(second, {}), 'pass_archived');
    await load;
    assert.equal((await first.get(`/passes/${pass.passId}`)).body.counts.issued, issued);
  });
});

describe('everything at once', () => {
  it('answers without a failure, and leaves every count and every link true', async () => {
    const pool = await makePass(first, { barcode: { mode: 'pool' } });
    await app.fillPool(
      pool.passId,
      Array.from({ length: 100 }, (_, at) => `code-${at}`),
    );
    const cards: string[] = [];
    const failures: string[] = [];
    const begun = Date.now();
    await inParallel(24, async (worker) => {
      // Longer than two seconds only for want of cards.
      for (let turn = worker; Date.now() - begun < (cards.length > 20 ? 2_000 : 20_000); turn++) {
        const reply = await anything(either(turn), random(2) === 0 ? pass : pool, cards);
        const results: Json[] = reply.body.results ?? [{ status: reply.status, instance: reply.body }];
        for (const { status, instance, error } of results) {
          if (status === 201) cards.push(instance.instanceId);
          if (status >= 500) failures.push(error?.error ?? reply.text);
        }
      }
    });
    assert.deepEqual(failures, []);
    assert.ok(cards.length > 20, `only ${cards.length} cards were issued`);
  });

  after(() => assertInvariants(app.sql));
});

function sameHolder(identifier: string, refs: readonly string[]) {
  return { instances: refs.map((externalRef) => ({ externalRef, holder: { identifier } })) };
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

/** One request of those that touch cards, on names that others use as well. */
function anything(client: Client, { passId }: Json, cards: readonly string[]): Promise<Reply> {
  const card = `/instances/${cards[random(cards.length)] ?? 'inst_none'}`;
  const holder = { identifier: `h${random(30)}` };
  const body = () => ({ externalRef: `r${random(500)}`, ...(random(2) === 0 && { holder }) });
  const several = <T>(make: () => T) => Array.from({ length: 8 }, make);
  const requests = [
    () => client.post(`/passes/${passId}/instances`, body()),
    () => client.post(`/passes/${passId}/instances`, { holder }),
    () => client.post(`/passes/${passId}/instances/batch`, { instances: several(body) }),
    () =>
      client.post(`/passes/${passId}/instances/import`, {
        instances: several(() => ({ barcode: `code-${random(200)}`, holder })),
      }),
    () => client.post(`${card}/void`),
    () => client.post(`${card}/reactivate`),
    () => client.patch(card, { holder: { identifier: `h${random(30)}` } }),
    () => client.patch(`${card}/fields`, { fields: { tier: `t${random(3)}` } }),
    () => client.delete(card),
    () => client.patch(`/passes/${passId}`, { details: `d${random(3)}` }),
  ];
  return (requests[random(requests.length)] ?? requests[0])?.() as Promise<Reply>;
}
