import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { signInAs } from '../sign-in/people.fixture.ts';
import { trimRequests } from './trim-requests.job.ts';

const app = await startTestApp();
const { client } = await app.newWorkspace();

const idOf = (reply: Reply) => reply.headers.get('x-request-id') ?? assert.fail();

/** The request as the log has it, once it has. */
async function logged(requestId: string, by: Client = client): Promise<Json> {
  for (let tries = 0; ; tries++) {
    const reply = await by.get(`/requests/${requestId}`);
    if (reply.status === 200) return reply.body;
    assert.ok(tries < 500, reply.text);
    await sleep(20);
  }
}

/** Rows of the database by request id, once there are as many. */
async function rowsOf(requestId: string, count = 1): Promise<Json[]> {
  for (let tries = 0; ; tries++) {
    const rows = await app.sql('select * from request_log where request_id = $1 order by log_id', [
      requestId,
    ]);
    if (rows.length >= count) return rows;
    assert.ok(tries < 500, `${rows.length} of ${count}`);
    await sleep(20);
  }
}

const listed = async (filters: string, by: Client = client): Promise<string[]> =>
  (await by.get(`/requests?limit=100&${filters}`)).body.data.map(({ requestId }: Json) => requestId);

describe('GET /requests/{requestId}', () => {
  it('shows the outcome of a change: operation, key, pass and card', async () => {
    const pass = await makePass(client);
    const { keyId } = (await client.get('/me')).body;
    const before = Date.now();
    const reply = await client.post(`/passes/${pass.passId}/instances`, { holder: { identifier: 'ada' } });
    const { createdAt, ms, ...rest } = await logged(idOf(reply));
    assert.deepEqual(rest, {
      requestId: idOf(reply),
      method: 'POST',
      path: `/passes/${pass.passId}/instances`,
      op: 'issueInstance',
      status: 201,
      code: null,
      message: null,
      keyId,
      passId: pass.passId,
      instanceId: reply.body.instanceId,
    });
    assert.ok(
      ms > 0 && Date.parse(createdAt) >= before - 1 && Date.parse(createdAt) <= Date.now(),
      createdAt,
    );
  });

  it('shows why a request was refused, by the id that the caller chose', async () => {
    const card = await makeCard(client, (await makePass(client)).passId);
    await client.post(`/instances/${card.instanceId}/void`);
    const headers = { 'x-request-id': 'till-7.receipt_12' };
    const refused = await client.post(`/instances/${card.instanceId}/push`, undefined, { headers });
    assertRefused(refused, 'instance_voided');
    const found = await logged('till-7.receipt_12');
    assert.deepEqual(
      [found.status, found.code, found.message, found.instanceId],
      [409, 'instance_voided', refused.body.error, card.instanceId],
    );
  });

  it('knows the workspace of a key that was refused before it was let in', async () => {
    const reader = await makeKey(client, { access: 'read' });
    const refused = await reader.client.post('/passes', { title: 'Tea' });
    assertRefused(refused, 'insufficient_scope');
    const { keyId, code, path } = await logged(idOf(refused));
    assert.deepEqual([keyId, code, path], [reader.key.keyId, 'insufficient_scope', '/passes']);

    const slow = await makeKey(client, { rateLimit: 1 });
    const replies = await Promise.all(Array.from({ length: 6 }, () => slow.client.get('/me')));
    const limited = replies.find(({ status }) => status === 429) ?? assert.fail('no call was too quick');
    assert.equal((await logged(idOf(limited))).keyId, slow.key.keyId);
  });

  it('keeps no reads of people, whose pages would hide what their systems ask', async () => {
    const { passId } = await makePass(client);
    const manager = await signInAs(app, 'manager', client);
    const [read, refused, changed] = [
      await manager.get(`/passes/${passId}`),
      await manager.get(`/passes/${encodeId('pass', newUuidV7())}`),
      await manager.patch(`/passes/${passId}`, { title: 'Tea' }),
    ];
    assert.deepEqual([read.status, refused.status, changed.status], [200, 404, 200]);
    await rowsOf(idOf(changed));
    await rowsOf(idOf(refused));
    assert.deepEqual(await app.sql('select * from request_log where request_id = $1', [idOf(read)]), []);
  });

  it('keeps no body, query, link, barcode or name', async () => {
    const pass = await makePass(client);
    const person = { identifier: 'zenobia@palmyra.example', name: 'Zenobia Septimia' };
    const issued = await client.post(`/passes/${pass.passId}/instances`, { holder: person });
    const token = new URL(issued.body.links.add).pathname.split('/').at(-1) ?? '';
    const { barcode } = issued.body;
    const replies = [
      issued,
      await client.get(`/instances/lookup?barcode=${barcode}&identifier=${person.identifier}`),
      await client.get(`/loyalty/holders/${person.identifier}?passId=${pass.passId}`),
      await client.post(`/passes/${pass.passId}/instances`, { barcode }),
      await client.post(`/passes/${pass.passId}/instances`, { [person.identifier]: 1 }),
      await client.get(`/wrong/${person.identifier}`),
      await app.anyone.get(`/p/${token}`),
      await app.anyone.get(`/p/${token}/card/events`),
      await app.anyone.get(`/instances/pk_live_0123456789abcdef0123456789`),
    ];
    assert.equal(replies[3]?.body.code, 'barcode_taken');
    for (const reply of replies) {
      const text = JSON.stringify(await rowsOf(idOf(reply)));
      for (const secret of [person.identifier, 'Zenobia', token, barcode, 'pk_live_'])
        assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
  });

  it('knows nothing of the requests of others', async () => {
    const other = await app.newWorkspace();
    const requestId = idOf(await client.post('/passes', {}));
    await logged(requestId);
    assertRefused(await other.client.get(`/requests/${requestId}`), 'request_not_found');
    assert.deepEqual(await listed('op=createPass', other.client), []);
    assertRefused(await client.get('/requests/missing'), 'request_not_found');
  });

  it('shows the newest of several with one id', async () => {
    const headers = { 'x-request-id': 'again-and-again' };
    await client.post('/passes', {}, { headers });
    await rowsOf('again-and-again', 1);
    await client.delete('/partners/part_x', { headers });
    await rowsOf('again-and-again', 2);
    assert.equal((await logged('again-and-again')).op, 'deletePartner');
  });
});

describe('GET /requests', () => {
  it('filters by status, code, operation, key, card and time, newest first, in pages', async () => {
    const { client: own } = await app.newWorkspace();
    const one = await makeKey(own);
    const card = await makeCard(own, (await makePass(own)).passId);
    // Earlier requests are written already, and older.
    while ((await listed('op=issueInstance', own)).length === 0) await sleep(20);
    await sleep(5);
    const since = new Date().toISOString();
    const path = `/instances/${card.instanceId}`;
    const fields = await one.client.patch(`${path}/fields`, { fields: { nothing: '1' } });
    const push = await one.client.post(`${path}/push`);
    const gone = await own.delete(`/instances/${encodeId('inst', newUuidV7())}`);
    const voided = await own.post(`${path}/void`);
    for (const reply of [fields, push, gone, voided]) await rowsOf(idOf(reply));
    const ids = (...replies: Reply[]) => replies.map(idOf);
    const after = `createdAfter=${since}&`;
    assert.deepEqual(await listed(`${after}status=404`, own), ids(gone));
    assert.deepEqual(await listed(`${after}code=unknown_field_key`, own), ids(fields));
    assert.deepEqual(await listed(`${after}op=voidInstance`, own), ids(voided));
    assert.deepEqual(await listed(`${after}keyId=${one.key.keyId}`, own), ids(push, fields));
    assert.deepEqual(await listed(`${after}instanceId=${card.instanceId}`, own), ids(voided, push, fields));
    assert.deepEqual(await listed(`${after}keyId=${one.key.keyId}&status=200`, own), ids(push));
    assert.deepEqual(await listed(`createdBefore=${since}&op=voidInstance`, own), []);
    assert.deepEqual(await listed('instanceId=inst_0', own), []);
    const first = (await own.get(`/requests?${after}limit=2&keyId=${one.key.keyId}&status=200`)).body;
    assert.equal(first.nextCursor, null);
    const page = (await own.get(`/requests?${after}instanceId=${card.instanceId}&limit=2`)).body;
    const rest = await own.get(
      `/requests?${after}instanceId=${card.instanceId}&limit=2&cursor=${page.nextCursor}`,
    );
    assert.deepEqual(
      [...page.data, ...rest.body.data].map(({ requestId }: Json) => requestId),
      ids(voided, push, fields),
    );
    assertRefused(await own.get(`/requests?op=getMe&cursor=${page.nextCursor}`), 'invalid_request');
    for (const bad of ['status=abc', 'code=A', 'op=a/b', 'createdAfter=yesterday', 'who=me'])
      assertRefused(await own.get(`/requests?${bad}`), 'invalid_request');
  });

  it('keeps one read in a while of each key and operation, and all that is refused', async () => {
    const { client: own } = await app.newWorkspace();
    for (let n = 0; n < 5; n++) await own.get('/me');
    for (let n = 0; n < 5; n++) await own.get('/passes/pass_x');
    await logged(idOf(await own.post('/passes', {})), own);
    assert.equal((await listed('op=getMe', own)).length, 1);
    assert.equal((await listed('op=getPass', own)).length, 5);
  });
});

describe('the request log', () => {
  it('keeps what no workspace can see: for the operator', async () => {
    const replies = [
      await app.anyone.get('/me'),
      await app.anyone.post('/nowhere', {}),
      await app.operator.post('/operator/workspaces', {}),
    ];
    const rows = await Promise.all(replies.map((reply) => rowsOf(idOf(reply))));
    assert.deepEqual(
      rows.map(([row]) => [row.workspace_id.replaceAll(/[-0]/g, ''), row.op, row.code, row.actor, row.path]),
      [
        ['', 'getMe', 'missing_authorization', null, '/me'],
        ['', null, 'route_not_found', null, null],
        ['', 'createWorkspace', 'invalid_request', 'operator', '/operator/workspaces'],
      ],
    );
  });

  it('keeps no probe that succeeds', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) await app.anyone.get(path);
    await logged(idOf(await client.post('/passes', {})));
    const probes = "select op from request_log where op in ('getHealth', 'getReadiness', 'getMetrics')";
    assert.deepEqual(await app.sql(probes), []);
  });

  it('forgets what is older than 30 days', async () => {
    const requestId = idOf(await client.post('/passes', {}));
    await logged(requestId);
    app.advance(31 * 86_400_000);
    const { app: service } = app.running;
    while (await trimRequests({ app: service, requestId: 'test' }));
    assertRefused(await client.get(`/requests/${requestId}`), 'request_not_found');
  });
});
