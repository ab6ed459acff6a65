import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { runCommand } from '../../test/run-command.ts';
import { makeWebhook, startReceiver, startWebhookApp } from '../webhooks/webhooks.fixture.ts';

const app = await startWebhookApp();
const { client, workspaceId } = await app.newWorkspace();

const idOf = (reply: Reply) => reply.headers.get('x-request-id') ?? assert.fail();

/** The trace of a request once it is as wanted. */
async function traceOf(
  requestId: string,
  isWhole: (trace: Json) => boolean,
  by: Client = client,
): Promise<Json> {
  for (let tries = 0; ; tries++) {
    const { status, body } = await by.get(`/trace/${requestId}`);
    if (status === 200 && isWhole(body)) return body;
    assert.ok(tries < 500, JSON.stringify(body));
    await sleep(20);
  }
}

async function openProgram() {
  const { passId } = await makePass(client);
  const terms = { passId, mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
  const { programId } = (await client.post('/loyalty/programs', terms)).body;
  await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
  return { passId, card: await makeCard(client, passId, { holder: { identifier: 'ada' } }) };
}

describe('GET /trace/{requestId}', () => {
  it('shows a change with its line, its events and their deliveries', async () => {
    const receiver = await startReceiver();
    const { webhookId } = await makeWebhook(client, receiver.url);
    const made = await client.post('/passes', { title: 'Tea Club', type: 'loyalty' });
    const trace = await traceOf(
      idOf(made),
      ({ requests, deliveries }) => requests.length === 1 && deliveries[0]?.status === 'delivered',
    );
    assert.equal(trace.requestId, idOf(made));
    assert.equal(trace.requests[0].op, 'createPass');
    assert.deepEqual(
      trace.audit.map(({ action, target, requestId }: Json) => [action, target, requestId]),
      [['createPass', made.body.passId, idOf(made)]],
    );
    assert.deepEqual(
      trace.events.map(({ type }: Json) => type),
      ['pass.created'],
    );
    assert.deepEqual(
      trace.deliveries.map((delivery: Json) => [delivery.webhookId, delivery.eventId]),
      [[webhookId, trace.events[0].eventId]],
    );
    await client.delete(`/webhooks/${webhookId}`);
  });

  it('shows the entries of the ledger', async () => {
    const { passId } = await openProgram();
    const adjusted = await client.post('/loyalty/adjust', {
      passId,
      identifier: 'ada',
      points: 3,
      reason: 'Sorry for the wait',
    });
    const trace = await traceOf(
      idOf(adjusted),
      ({ entries, requests }) => entries.length + requests.length === 2,
    );
    assert.deepEqual(
      trace.entries.map(({ entryId, points }: Json) => [entryId, points]),
      [[adjusted.body.entryId, 3]],
    );
  });

  it('shows a refusal that has left nothing else', async () => {
    const refused = await client.post('/passes', { title: 'No type' });
    const trace = await traceOf(idOf(refused), () => true);
    assert.equal(trace.requests[0].code, 'invalid_request');
    for (const kind of ['audit', 'entries', 'events', 'deliveries', 'pushes'])
      assert.deepEqual(trace[kind], [], kind);
  });

  it('is of one workspace, and of keys that reach all of it', async () => {
    const requestId = idOf(await client.post('/passes', {}));
    await traceOf(requestId, () => true);
    const other = await app.newWorkspace();
    assertRefused(await other.client.get(`/trace/${requestId}`), 'request_not_found');
    const { passId } = await makePass(client);
    const restricted = (await makeKey(client, { passIds: [passId] })).client;
    for (const path of [`/trace/${requestId}`, `/requests/${requestId}`, '/requests', '/audit'])
      assertRefused(await restricted.get(path), 'insufficient_scope');
  });
});

describe('GET /audit', () => {
  it('lists lines by actor, action, target and time, newest first, in pages', async () => {
    const { client: own } = await app.newWorkspace();
    const { keyId } = (await own.get('/me')).body;
    const manager = await makeKey(own);
    // What was made until now was made in an earlier millisecond.
    await sleep(5);
    const since = new Date().toISOString();
    const one = (await own.post('/partners', { name: 'Harbour' })).body.partnerId;
    await manager.client.patch(`/partners/${one}`, { name: 'Old Harbour' });
    const two = (await manager.client.post('/partners', { name: 'Airport' })).body.partnerId;
    const lines = async (filters: string) =>
      (await own.get(`/audit?createdAfter=${since}&${filters}`)).body.data.map(({ action, target }: Json) => [
        action,
        target,
      ]);
    assert.deepEqual(await lines(`target=${one}`), [
      ['updatePartner', one],
      ['createPartner', one],
    ]);
    assert.deepEqual(await lines('action=createPartner'), [
      ['createPartner', two],
      ['createPartner', one],
    ]);
    assert.deepEqual(await lines(`actor=${keyId}`), [['createPartner', one]]);
    assert.deepEqual(await lines(`actor=${manager.key.keyId}&action=updatePartner`), [
      ['updatePartner', one],
    ]);
    const page = (await own.get(`/audit?createdAfter=${since}&limit=2`)).body;
    const rest = (await own.get(`/audit?createdAfter=${since}&limit=2&cursor=${page.nextCursor}`)).body;
    assert.deepEqual(
      [...page.data, ...rest.data].map(({ action }: Json) => action),
      ['createPartner', 'updatePartner', 'createPartner'],
    );
    const [changed] = (await own.get('/audit?action=updatePartner')).body.data;
    assert.deepEqual(changed.detail, { before: { name: 'Harbour' }, after: { name: 'Old Harbour' } });
    assertRefused(await own.get('/audit?who=me'), 'invalid_request');
    const other = await app.newWorkspace();
    assert.deepEqual((await other.client.get(`/audit?target=${one}`)).body.data, []);
  });
});

describe('punchcard trace', () => {
  it('prints the same for the operator, also of a request without a workspace', async () => {
    const settings = { DATABASE_URL: app.databaseUrl };
    const made = await client.post('/partners', { name: 'Harbour' });
    await traceOf(idOf(made), ({ requests }) => requests.length === 1);
    const anonymous = await app.anyone.get('/me');
    const [known, unknown] = [await runTrace(idOf(made)), await runTrace(idOf(anonymous))];
    assert.equal(known[0].workspaceId, workspaceId);
    assert.equal(known[0].audit[0].action, 'createPartner');
    assert.equal(unknown[0].workspaceId, null);
    assert.equal(unknown[0].requests[0].code, 'missing_authorization');
    const { code, printed } = await runCommand(['trace', 'missing'], settings);
    assert.deepEqual([code, printed], [1, '[]\n']);

    async function runTrace(requestId: string): Promise<Json> {
      for (let tries = 0; ; tries++) {
        const { code, printed, complained } = await runCommand(['trace', requestId], settings);
        if (code === 0) return JSON.parse(printed);
        assert.ok(tries < 20, complained);
      }
    }
  });
});
