import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { assertRefused, type Client, type Json, type Reply } from '../../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { decodeId } from '../../kit/ids.ts';

/** Requests that meet: each case is forced by a lock held from outside, or by two processes under load. */
const app = await startTestApp();
const twin = await app.twin();
const bystander = new pg.Client({ connectionString: app.databaseUrl });
await bystander.connect();
after(() => bystander.end());

let first: Client;
/** The same key, served by another process. */
let second: Client;
let pass: Json;
beforeEach(async () => {
  ({ client: first } = await app.newWorkspace());
  second = twin.as(first.secret);
  pass = await makePass(first);
});

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const issue = (client: Client, body: object, passId: string = pass.passId) =>
  client.post(`/passes/${passId}/instances`, body);

/** Takes a lock from outside, lets the requests queue behind it one after the other, and lets go. */
async function behindLock(lock: string, ...requests: (() => Promise<Reply>)[]): Promise<Reply[]> {
  await bystander.query('begin');
  await bystander.query(lock);
  const replies: Promise<Reply>[] = [];
  for (const request of requests) {
    replies.push(request());
    // A request that has no reason to wait fails the test by its answer.
    for (let turn = 0; turn < 200 && (await countWaiting()) < replies.length; turn++) await sleep(5);
  }
  await bystander.query('commit');
  return Promise.all(replies);
}

async function countWaiting(): Promise<number> {
  const [row] = await app.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

const rowOf = (card: Json) =>
  `select from instances where instance_id = '${decodeId('inst', card.instanceId)}' for update`;

describe('changes of one card', () => {
  it('keeps both of two changes of the holder', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1' } });
    await behindLock(
      rowOf(card),
      () => first.patch(`/instances/${card.instanceId}`, { holder: { name: 'Ada' } }),
      () => second.patch(`/instances/${card.instanceId}`, { holder: { phone: '+49 30 1' } }),
    );
    const { body } = await first.get(`/instances/${card.instanceId}`);
    assert.deepEqual(body.holder, {
      identifier: 'h1',
      name: 'Ada',
      email: null,
      phone: '+49 30 1',
      locale: null,
    });
  });

  it('voids with the holder that was changed meanwhile', async () => {
    const card = await makeCard(first, pass.passId, { holder: { identifier: 'h1', name: 'Ada' } });
    const [, voided] = await behindLock(
      rowOf(card),
      () => first.patch(`/instances/${card.instanceId}`, { holder: { name: 'Grace' } }),
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
      () => second.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'h1' } }, keyed('again')),
      () => first.delete(`/instances/${card.instanceId}`),
    );
    assert.equal(repeated?.status, 200);
    assert.equal(erased?.status, 204);
    assert.ok(!(await app.dump()).includes('Hopper'));
  });

  it('issues anew when the holder’s card is voided meanwhile', async () => {
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
});
