import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { inParallel, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const { operator } = app;
let client: Client;
let path: string;
/** The uuid of the workspace. */
let workspaceId: string;
beforeEach(async () => {
  const made = await app.newWorkspace();
  client = made.client;
  workspaceId = decodeId('ws', made.workspaceId) ?? '';
  path = `/operator/workspaces/${made.workspaceId}/credits`;
});

const topUp = (amount: number, externalRef: string, more: object = {}) =>
  operator.post(path, { amount, externalRef, ...more });

const balance = async (): Promise<number> => (await client.get('/credits')).body.balance;

const forNothing = { instanceId: null, messageId: null, rolloutId: null };

/** The whole ledger, oldest first. */
async function entries(): Promise<Json[]> {
  const all: Json[] = [];
  let cursor = '';
  do {
    const { body } = await client.get(`/credits/entries?limit=100${cursor}`);
    all.push(...body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return all.reverse();
}

describe('POST /operator/workspaces/{workspaceId}/credits', () => {
  it('adds to the balance and writes an entry', async () => {
    const reply = await topUp(5_000, 'invoice-1', { note: 'January' });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.body, { balance: 5_100, reserved: 0, spent: 0 });
    assert.deepEqual((await client.get('/credits')).body, reply.body);
    const written = (await entries()).map(({ createdAt: _, requestId: __, ...entry }) => entry);
    assert.deepEqual(written, [
      {
        seq: 1,
        kind: 'grant',
        amount: 100,
        reserved: 0,
        balance: 100,
        externalRef: null,
        note: 'First credits',
        ...forNothing,
      },
      {
        seq: 2,
        kind: 'grant',
        amount: 5_000,
        reserved: 0,
        balance: 5_100,
        externalRef: 'invoice-1',
        note: 'January',
        ...forNothing,
      },
    ]);
  });

  it('applies one externalRef once, however often and concurrently it is sent', async () => {
    const replies = await inParallel(50, () => topUp(7, 'invoice-1'));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 50 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const replayed = replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    assert.equal(replayed.length, 49);
    assert.equal(await balance(), 107);
  });

  it('replays the first answer byte for byte, after other top-ups and with another note', async () => {
    const first = await topUp(7, 'invoice-1', { note: 'January' });
    await topUp(7, 'invoice-2');
    const repeat = await topUp(7, 'invoice-1', { note: 'another note' });
    assert.equal(repeat.text, first.text);
    assert.equal(await balance(), 114);
  });

  it('refuses the same externalRef for another amount, and the first one stays', async () => {
    const first = await topUp(7, 'invoice-1');
    assertRefused(await topUp(8, 'invoice-1'), 'external_ref_reused', /invoice-1/);
    assert.equal((await topUp(7, 'invoice-1')).text, first.text);
    assert.equal(await balance(), 107);
  });

  it('keeps the references of workspaces apart', async () => {
    const other = await app.newWorkspace();
    await topUp(7, 'january');
    const reply = await operator.post(`/operator/workspaces/${other.workspaceId}/credits`, {
      amount: 9,
      externalRef: 'january',
    });
    assert.equal(reply.body.balance, 109);
  });

  it('numbers concurrent entries without a gap, each with the balance after it', async () => {
    await inParallel(40, (index) => topUp(index + 1, `invoice-${index}`));
    const written = await entries();
    assert.deepEqual(
      written.map(({ seq }) => seq),
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
    let sum = 0;
    for (const entry of written) {
      sum += entry.amount;
      assert.equal(entry.balance, sum);
    }
    assert.equal(await balance(), sum);
  });

  it('refuses what the balance cannot hold, also when two requests together exceed it', async () => {
    const room = 1_000;
    await app.sql('update credit_accounts set balance = $1', [Number.MAX_SAFE_INTEGER - room]);
    assertRefused(await topUp(room + 1, 'too much'), 'invalid_request', /too large/);
    const replies = await inParallel(10, (index) => topUp(room / 2, `half-${index}`));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 2, 400: 8 });
    assert.equal(await balance(), Number.MAX_SAFE_INTEGER);
    // A refused reference is free again.
    await app.sql('update credit_accounts set balance = 0');
    assert.equal((await topUp(5, 'too much')).status, 200);
  });

  it('takes free credits back by a negative amount, once by externalRef, and says so in ledger and audit log', async () => {
    await topUp(50, 'invoice-1');
    const replies = await inParallel(20, () => topUp(-30, 'correction-1', { note: 'billed twice' }));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.deepEqual(replies[0]?.body, { balance: 120, reserved: 0, spent: 0 });
    const last = (await entries()).at(-1);
    assert.deepEqual(
      [last?.kind, last?.amount, last?.balance, last?.externalRef, last?.note],
      ['correct', -30, 120, 'correction-1', 'billed twice'],
    );
    assertRefused(await topUp(-31, 'correction-1'), 'external_ref_reused', /correction-1/);
    const lines = await app.sql(
      `select detail from audit_log where action = 'addCredits' and detail ->> 'externalRef' = 'correction-1'
        and workspace_id = $1`,
      [workspaceId],
    );
    assert.deepEqual(lines, [
      {
        detail: {
          amount: -30,
          externalRef: 'correction-1',
          note: 'billed twice',
          before: { balance: 150 },
          after: { balance: 120 },
        },
      },
    ]);
  });

  it('takes back no more than is free, also when several corrections come together', async () => {
    await app.sql('update credit_accounts set balance = 90, reserved = 10 where workspace_id = $1', [
      workspaceId,
    ]);
    assertRefused(
      await topUp(-91, 'too much'),
      'invalid_request',
      /91 credits.*90 are free, and 10 are held/,
    );
    const replies = await inParallel(8, (index) => topUp(-30, `part-${index}`));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 200: 3, 400: 5 });
    assert.equal(await balance(), 0);
    // What was refused may be sent again under its reference.
    await topUp(100, 'more');
    assert.equal((await topUp(-91, 'too much')).status, 200);
  });

  it('does not know other workspaces', async () => {
    for (const id of [encodeId('ws', newUuidV7()), 'ws_1', 'x']) {
      const reply = await operator.post(`/operator/workspaces/${id}/credits`, {
        amount: 1,
        externalRef: 'a',
      });
      assertRefused(reply, 'workspace_not_found');
    }
  });

  const wrong: [object, RegExp][] = [
    [{}, /amount is required/],
    [{ amount: 5 }, /externalRef is required/],
    [{ amount: 0, externalRef: 'a' }, /amount: 0 changes nothing/],
    [{ amount: -1_000_000_000_001, externalRef: 'a' }, /amount must be at least/],
    [{ amount: 1.5, externalRef: 'a' }, /amount must be a whole number/],
    [{ amount: '5', externalRef: 'a' }, /amount must be a whole number/],
    [{ amount: 1_000_000_000_001, externalRef: 'a' }, /amount must be at most/],
    [{ amount: 5, externalRef: '' }, /externalRef/],
    [{ amount: 5, externalRef: 'a\n' }, /externalRef/],
    [{ amount: 5, externalRef: 'x'.repeat(256) }, /externalRef must have at most 255/],
    [{ amount: 5, externalRef: 1 }, /externalRef must be a string/],
    [{ amount: 5, externalRef: null }, /externalRef must be a string/],
    [{ amount: 5, externalRef: 'a', kind: 'grant' }, /kind is not known/],
  ];
  for (const [body, message] of wrong) {
    it(`refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
      assertRefused(await operator.post(path, body), 'invalid_request', message);
    });
  }
});

describe('GET /credits/entries', () => {
  it('lists the newest first, page by page, and only those of the workspace', async () => {
    for (let index = 1; index <= 4; index++) await topUp(index, `invoice-${index}`);
    const first = (await client.get('/credits/entries?limit=3')).body;
    assert.deepEqual(
      first.data.map(({ seq }: Json) => seq),
      [5, 4, 3],
    );
    // What is added between two pages does not shift them.
    await topUp(9, 'invoice-9');
    const second = (await client.get(`/credits/entries?limit=3&cursor=${first.nextCursor}`)).body;
    assert.deepEqual(
      second.data.map(({ seq }: Json) => seq),
      [2, 1],
    );
    assert.equal(second.nextCursor, null);
  });

  it('refuses the cursor of another workspace', async () => {
    await topUp(1, 'a');
    const { nextCursor } = (await client.get('/credits/entries?limit=1')).body;
    const { client: other } = await app.newWorkspace();
    const reply = await other.get(`/credits/entries?limit=1&cursor=${nextCursor}`);
    assertRefused(reply, 'invalid_request', /cursor/);
  });
});
