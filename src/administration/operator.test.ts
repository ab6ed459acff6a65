import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';

const app = await startTestApp();
const { operator, client } = app;

describe('POST /operator/workspaces', () => {
  it('makes a workspace with its credits and one full-access key', async () => {
    const body = { name: 'Blue Bean', plan: 'pro', credits: 10_000 };
    const created = await operator.post('/operator/workspaces', body);
    assert.equal(created.status, 201);
    const { workspaceId, apiKey, ...rest } = created.body;
    assert.deepEqual(rest, body);
    const me = await client.as(apiKey).get('/me');
    assert.deepEqual(me.body.workspace, { workspaceId, ...body, drafts: 0 });
    assert.deepEqual([me.body.access, me.body.passIds], ['full', null]);
  });

  it('begins on the entry plan with 1,000 credits by default', async () => {
    const { body } = await operator.post('/operator/workspaces', { name: 'Corner Shop' });
    assert.deepEqual([body.plan, body.credits], ['entry', 1_000]);
    assert.equal((await client.as(body.apiKey).get('/credits')).body.balance, 1_000);
  });

  it('begins with the credits that the call names, none for one', async () => {
    const { body } = await operator.post('/operator/workspaces', { name: 'Corner Shop', credits: 0 });
    assert.equal(body.credits, 0);
    assert.deepEqual((await client.as(body.apiKey).get('/credits/entries')).body.data, []);
  });

  it('begins with what DEFAULT_CREDITS says', async () => {
    const frugal = await startTestApp({ DEFAULT_CREDITS: '0' });
    const { body } = await frugal.operator.post('/operator/workspaces', { name: 'Corner Shop' });
    assert.equal(body.credits, 0);
  });

  it('makes one workspace for one Idempotency-Key, and shows its key again', async () => {
    const headers = { 'idempotency-key': 'signup-1' };
    const body = { name: 'Once' };
    const answers = await inParallel(10, () => operator.post('/operator/workspaces', body, { headers }));
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201]));
    const other = await operator.post('/operator/workspaces', { name: 'Twice' }, { headers });
    assertRefused(other, 'external_ref_reused', /signup-1/);
    const { data } = (await operator.get('/operator/workspaces?limit=100')).body;
    assert.equal(data.filter(({ name }: Json) => name === 'Once').length, 1);
  });

  const wrong: [object, RegExp][] = [
    [{}, /name is required/],
    [{ name: 'x', plan: 'free' }, /plan must be/],
    [{ name: 'x', credits: -1 }, /credits must be at least 0/],
    [{ name: 'x', credits: 1.5 }, /credits must be a whole number/],
    [{ name: 'x', credits: '5' }, /credits must be a whole number/],
    [{ name: 'x', owner: 'me' }, /owner is not known/],
  ];
  for (const [body, message] of wrong) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      assertRefused(await operator.post('/operator/workspaces', body), 'invalid_request', message);
    });
  }
});

describe('POST /operator/workspaces/{workspaceId}/api-keys', () => {
  it('makes a key for a workspace whose last secret was lost, and writes it down', async () => {
    const { workspaceId } = await app.newWorkspace();
    const path = `/operator/workspaces/${workspaceId}/api-keys`;
    const headers = { 'idempotency-key': 'recover-1' };
    const body = { name: 'Recovered', access: 'full' };
    const made = await operator.post(path, body, { headers });
    assert.equal(made.status, 201);
    const recovered = client.as(made.body.secret);
    assert.equal((await recovered.get('/me')).body.workspace.workspaceId, workspaceId);
    assert.equal((await operator.post(path, body, { headers })).body.secret, made.body.secret);
    const lines = await app.sql(
      `select actor, target, detail from audit_log where action = 'createAnyApiKey' and target = $1`,
      [made.body.keyId],
    );
    assert.deepEqual(lines, [
      {
        actor: 'operator',
        target: made.body.keyId,
        detail: { name: 'Recovered', access: 'full', passIds: null },
      },
    ]);
  });

  it("reaches passes of that workspace alone, and knows no other's", async () => {
    const [own, other] = [await app.newWorkspace(), await app.newWorkspace()];
    const foreign = await makePass(other.client);
    const path = `/operator/workspaces/${own.workspaceId}/api-keys`;
    const body = { name: 'x', access: 'read', passIds: [foreign.passId] };
    assertRefused(await operator.post(path, body), 'invalid_request', /passIds/);
    const missing = `/operator/workspaces/${encodeId('ws', newUuidV7())}/api-keys`;
    assertRefused(await operator.post(missing, { name: 'x', access: 'read' }), 'workspace_not_found');
    assertRefused(await own.client.post(path, { name: 'x', access: 'full' }), 'insufficient_scope');
  });
});

describe('GET /operator/workspaces', () => {
  it('lists every workspace, newest first, page by page', async () => {
    for (const name of ['One', 'Two', 'Three']) await operator.post('/operator/workspaces', { name });
    const whole = (await operator.get('/operator/workspaces?limit=100')).body;
    assert.deepEqual(
      whole.data.slice(0, 3).map(({ name }: Json) => name),
      ['Three', 'Two', 'One'],
    );
    assert.equal(whole.nextCursor, null);
    const paged: Json[] = [];
    let cursor = '';
    do {
      const { body } = await operator.get(`/operator/workspaces?limit=2${cursor}`);
      assert.ok(body.data.length <= 2);
      paged.push(...body.data);
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    assert.deepEqual(paged, whole.data);
  });
});

describe('GET /operator/workspaces/{workspaceId}', () => {
  it('shows one', async () => {
    const { workspaceId } = await app.newWorkspace('entry');
    const { body } = await operator.get(`/operator/workspaces/${workspaceId}`);
    assert.deepEqual([body.workspaceId, body.plan, body.credits], [workspaceId, 'entry', 100]);
  });

  for (const id of [
    encodeId('ws', newUuidV7()),
    encodeId('pass', newUuidV7()),
    'ws_',
    'x',
    '%00x',
    '..%2f',
  ]) {
    it(`does not find ${id}`, async () => {
      const reply = await operator.get(`/operator/workspaces/${id}`);
      assertRefused(reply, id === '%00x' ? 'invalid_request' : 'workspace_not_found');
    });
  }
});

describe('PATCH /operator/workspaces/{workspaceId}', () => {
  it('changes plan and name at once', async () => {
    const { workspaceId, client: tenant } = await app.newWorkspace('entry');
    const changed = await operator.patch(`/operator/workspaces/${workspaceId}`, { plan: 'pro', name: 'New' });
    assert.deepEqual([changed.body.plan, changed.body.name], ['pro', 'New']);
    const { workspace } = (await tenant.get('/me')).body;
    assert.deepEqual([workspace.plan, workspace.name], ['pro', 'New']);
  });

  it('suspends a workspace: every key gets 403 workspace_suspended until it is lifted', async () => {
    const { workspaceId, client: tenant } = await app.newWorkspace();
    assert.equal((await tenant.get('/me')).status, 200);
    const path = `/operator/workspaces/${workspaceId}`;
    assert.equal((await operator.patch(path, { suspended: true })).body.suspended, true);
    assertRefused(await tenant.get('/me'), 'workspace_suspended');
    assertRefused(await tenant.post('/passes', { title: 'x', type: 'coupon' }), 'workspace_suspended');
    assert.equal((await operator.patch(path, { suspended: false })).body.suspended, false);
    await makePass(tenant);
  });

  it('refuses nothing to change, unknown settings and unknown workspaces', async () => {
    const { workspaceId } = await app.newWorkspace();
    const path = `/operator/workspaces/${workspaceId}`;
    assertRefused(await operator.patch(path, {}), 'invalid_request', /at least 1 property/);
    assertRefused(await operator.patch(path, { credits: 5 }), 'invalid_request', /credits is not known/);
    assertRefused(
      await operator.patch(path, { suspended: 'yes' }),
      'invalid_request',
      /boolean|true or false/,
    );
    assertRefused(await operator.patch('/operator/workspaces/x', { plan: 'pro' }), 'workspace_not_found');
  });
});

describe('the operator token', () => {
  it('opens nothing but operator routes', async () => {
    assertRefused(await operator.get('/me'), 'invalid_api_key', /only \/operator routes/);
    assertRefused(await operator.get('/passes'), 'invalid_api_key');
  });

  it('cannot be replaced by an API key, whatever it may do', async () => {
    assertRefused(await client.get('/operator/workspaces'), 'insufficient_scope', /operator token/);
  });

  it('must be exact', async () => {
    const { operatorToken } = app.running.app;
    for (const token of [operatorToken.slice(0, -1), `${operatorToken}x`, operatorToken.toUpperCase()]) {
      assertRefused(await client.as(token).get('/operator/workspaces'), 'invalid_api_key');
    }
  });
});
