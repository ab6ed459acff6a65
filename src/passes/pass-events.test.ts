import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { passExample } from './pass.schema.ts';

const app = await startTestApp();
let client: Client;
beforeEach(async () => {
  ({ client } = await app.newWorkspace('pro'));
});

const lines = (action: string, passId: string) =>
  app.sql<{ actor: string; detail: Json }>(
    'select actor, detail from audit_log where action = $1 and target = $2 order by audit_id',
    [action, passId],
  );
const change = async (pass: Json, changes: object): Promise<Json> => {
  const { status, body, text } = await client.patch(`/passes/${pass.passId}`, changes);
  assert.equal(status, 200, text);
  return body;
};

describe('the events of a pass', () => {
  it('say what it is after each change, and what it was before', async () => {
    const draft = (await client.post('/passes', passExample)).body;
    const published = await change(draft, { status: 'published' });
    const renamed = await change(draft, { title: 'Tea Club', metadata: { season: 'autumn' } });
    const archived = await change(draft, { status: 'archived', details: null });
    const redrafted = await change(draft, { status: 'draft' });
    const events = await eventsOf(client);
    assert.deepEqual(
      events.map(({ type, data, previous }) => [type, data, previous]),
      [
        ['pass.created', draft, {}],
        ['pass.published', published, { status: 'draft' }],
        ['pass.updated', renamed, { title: draft.title, metadata: {} }],
        ['pass.archived', archived, { status: 'published', details: draft.details }],
        ['pass.updated', redrafted, { status: 'archived' }],
      ],
    );
    const { keyId } = (await client.get('/me')).body;
    for (const { actor, passId, instanceId } of events)
      assert.deepEqual([actor, passId, instanceId], [keyId, draft.passId, null]);
    const audited = await lines('updatePass', draft.passId);
    assert.deepEqual(
      audited.map(({ detail }) => detail),
      [
        { before: { status: 'draft' }, after: { status: 'published' } },
        {
          before: { title: draft.title, metadata: {} },
          after: { title: 'Tea Club', metadata: { season: 'autumn' } },
        },
        {
          before: { status: 'published', details: draft.details },
          after: { status: 'archived', details: null },
        },
        { before: { status: 'archived' }, after: { status: 'draft' } },
      ],
    );
  });

  it('report a clone like a new pass, and the program that it gets', async () => {
    const pass = await makePass(client);
    const clone = (await client.post(`/passes/${pass.passId}/clone`, { title: 'Copy' })).body;
    const terms = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    const { programId } = (await client.post('/loyalty/programs', { ...terms, passId: clone.passId })).body;
    const events = await eventsOf(client, `passId=${clone.passId}`);
    assert.deepEqual(
      events
        .filter(({ type }) => type.startsWith('pass.'))
        .map(({ type, data, previous }) => [type, data.title, data.programId, previous]),
      [
        ['pass.created', 'Copy', null, {}],
        ['pass.updated', 'Copy', programId, { programId: null }],
      ],
    );
  });

  it('report no replay, refusal or unchanged value', async () => {
    const headers = { 'idempotency-key': 'pass-1' };
    const replies = await inParallel(5, () => client.post('/passes', passExample, { headers }));
    const pass = replies[0]?.body;
    await change(pass, { title: pass.title, fields: pass.fields, status: 'draft' });
    assertRefused(await client.patch(`/passes/${pass.passId}`, { status: 'archived' }), 'invalid_request');
    assertRefused(await client.patch(`/passes/${pass.passId}`, { titel: 'x' }), 'invalid_request');
    assert.deepEqual(
      (await eventsOf(client)).map(({ type }) => type),
      ['pass.created'],
    );
  });

  it('leave a line where it is deleted', async () => {
    const pass = (await client.post('/passes', passExample)).body;
    await client.delete(`/passes/${pass.passId}`);
    const [line] = await lines('deletePass', pass.passId);
    assert.deepEqual(line?.detail, {
      before: { title: pass.title, type: pass.type, status: 'draft' },
    });
  });
});

describe('the audit log of settings', () => {
  it('says what workspace, keys and partners were before', async () => {
    const before = (await client.get('/workspace')).body;
    await client.patch('/workspace', { name: 'Green Bean', currency: 'USD' });
    await client.patch('/workspace', { currency: 'USD' });
    const key = (await client.post('/api-keys', { name: 'Till', access: 'full' })).body;
    await client.patch(`/api-keys/${key.keyId}`, { access: 'read' });
    await client.delete(`/api-keys/${key.keyId}`);
    const partner = (await client.post('/partners', { name: 'Harbour' })).body;
    await client.patch(`/partners/${partner.partnerId}`, { name: 'Airport' });
    const details = async (action: string, target: string) =>
      (await lines(action, target)).map(({ detail }) => detail);
    assert.deepEqual(await details('updateWorkspace', before.workspaceId), [
      {
        before: { name: before.name, currency: before.currency },
        after: { name: 'Green Bean', currency: 'USD' },
      },
      { before: {}, after: {} },
    ]);
    assert.deepEqual(await details('updateApiKey', key.keyId), [
      { before: { access: 'full' }, after: { access: 'read' } },
    ]);
    assert.deepEqual(await details('revokeApiKey', key.keyId), [
      { before: { name: 'Till', access: 'read' } },
    ]);
    assert.deepEqual(await details('updatePartner', partner.partnerId), [
      { before: { name: 'Harbour' }, after: { name: 'Airport' } },
    ]);
  });
});
