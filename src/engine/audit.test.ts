import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Client, Json, Reply } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';

const app = await startTestApp();
let client: Client;
let workspaceId: string;
let actor: string;
before(async () => {
  ({ client, workspaceId } = await app.newWorkspace());
  actor = (await client.get('/me')).body.keyId;
});

interface Line {
  action: string;
  actor: string;
  target: string;
  detail: Json;
  request_id: string;
}

/** The lines that a request leaves, without its request id, which is checked here. */
async function linesOf(request: (headers: Record<string, string>) => Promise<Reply>) {
  const id = `audited-${Math.random()}`;
  const reply = await request({ 'x-request-id': id });
  const lines = await app.sql<Line>(
    `select action, actor, target, detail, request_id from audit_log
     where workspace_id = $1 and request_id = $2 order by audit_id`,
    [decodeId('ws', workspaceId), id],
  );
  return { reply, lines: lines.map(({ request_id: _, ...line }) => line) };
}

describe('the audit log', () => {
  it('has a line for every change of keys', async () => {
    const body = { name: 'Till 4', access: 'full' };
    const created = await linesOf((headers) => client.post('/api-keys', body, { headers }));
    const { keyId, secret } = created.reply.body;
    assert.deepEqual(created.lines, [
      { action: 'createApiKey', actor, target: keyId, detail: { ...body, passIds: null } },
    ]);
    const path = `/api-keys/${keyId}`;
    const till = client.as(secret);
    const updated = await linesOf((headers) => till.patch(path, { rateLimit: 5 }, { headers }));
    assert.deepEqual(updated.lines, [
      {
        action: 'updateApiKey',
        actor: keyId,
        target: keyId,
        detail: { before: { rateLimit: null }, after: { rateLimit: 5 } },
      },
    ]);
    const rotated = await linesOf((headers) =>
      client.post(`${path}/rotate`, { overlapSeconds: 60 }, { headers }),
    );
    assert.deepEqual(rotated.lines, [
      { action: 'rotateApiKey', actor, target: keyId, detail: { overlapSeconds: 60 } },
    ]);
    const revoked = await linesOf((headers) => client.delete(path, { headers }));
    assert.deepEqual(revoked.lines, [
      { action: 'revokeApiKey', actor, target: keyId, detail: { before: body } },
    ]);
    const again = await linesOf((headers) => client.delete(path, { headers }));
    assert.deepEqual(again.lines, []);
  });

  it('has a line for every change of the workspace, by its keys and by the operator', async () => {
    const own = await linesOf((headers) => client.patch('/workspace', { currency: 'JPY' }, { headers }));
    assert.deepEqual(own.lines, [
      {
        action: 'updateWorkspace',
        actor,
        target: workspaceId,
        detail: { before: { currency: 'EUR' }, after: { currency: 'JPY' } },
      },
    ]);
    const path = `/operator/workspaces/${workspaceId}`;
    const byOperator = await linesOf((headers) => app.operator.patch(path, { plan: 'entry' }, { headers }));
    assert.deepEqual(byOperator.lines, [
      {
        action: 'updateAnyWorkspace',
        actor: 'operator',
        target: workspaceId,
        detail: { before: { plan: 'pro' }, after: { plan: 'entry' } },
      },
    ]);
    const topUp = { amount: 5, externalRef: 'invoice-1' };
    const credits = await linesOf((headers) => app.operator.post(`${path}/credits`, topUp, { headers }));
    assert.deepEqual(credits.lines, [
      {
        action: 'addCredits',
        actor: 'operator',
        target: workspaceId,
        detail: { ...topUp, note: null, before: { balance: 100 }, after: { balance: 105 } },
      },
    ]);
    const replayed = await linesOf((headers) => app.operator.post(`${path}/credits`, topUp, { headers }));
    assert.deepEqual(replayed.lines, []);
  });

  it('has a line for a new workspace', async () => {
    const body = { name: 'Audited', plan: 'pro', credits: 5 };
    const created = await app.operator.post('/operator/workspaces', body);
    const id = decodeId('ws', created.body.workspaceId);
    const lines = await app.sql<Line>(
      'select action, actor, target, detail from audit_log where workspace_id = $1',
      [id],
    );
    assert.deepEqual(lines, [
      { action: 'createWorkspace', actor: 'operator', target: created.body.workspaceId, detail: body },
    ]);
  });

  it('has a line for every change of passes', async () => {
    const body = { title: 'Blue Bean Club', type: 'coupon' };
    const created = await linesOf((headers) => client.post('/passes', body, { headers }));
    const { passId } = created.reply.body;
    assert.deepEqual(created.lines, [{ action: 'createPass', actor, target: passId, detail: body }]);
    const path = `/passes/${passId}`;
    const published = await linesOf((headers) => client.patch(path, { status: 'published' }, { headers }));
    assert.deepEqual(published.lines, [
      {
        action: 'updatePass',
        actor,
        target: passId,
        detail: { before: { status: 'draft' }, after: { status: 'published' } },
      },
    ]);
    const cloned = await linesOf((headers) => client.post(`${path}/clone`, undefined, { headers }));
    const clone = cloned.reply.body.passId;
    assert.deepEqual(cloned.lines, [
      { action: 'clonePass', actor, target: clone, detail: { original: passId, title: body.title } },
    ]);
    const deleted = await linesOf((headers) => client.delete(`/passes/${clone}`, { headers }));
    assert.deepEqual(deleted.lines, [
      { action: 'deletePass', actor, target: clone, detail: { before: { ...body, status: 'draft' } } },
    ]);
  });

  it('has a line for an erased card, without the person', async () => {
    const pass = await makePass(client);
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'ada', name: 'Ada' } });
    const path = `/instances/${card.instanceId}`;
    const { lines } = await linesOf((headers) => client.delete(path, { headers }));
    assert.deepEqual(lines, [
      {
        action: 'eraseInstance',
        actor,
        target: card.instanceId,
        detail: { before: { status: 'active' }, after: { status: 'voided' } },
      },
    ]);
  });

  it('has no line for what was refused', async () => {
    const refused = [
      await linesOf((headers) => client.post('/passes', { title: '' }, { headers })),
      await linesOf((headers) => client.delete(`/api-keys/${actor}`, { headers })),
      await linesOf((headers) => client.get('/passes', { headers })),
    ];
    for (const { lines } of refused) assert.deepEqual(lines, []);
  });
});

describe('a ledger', () => {
  for (const table of ['audit_log', 'credit_entries']) {
    for (const statement of [
      `update ${table} set created_at = now()`,
      `update ${table} set created_at = now() where created_at > now() - interval '1 day'`,
      `delete from ${table}`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
    ]) {
      it(`refuses: ${statement}`, async () => {
        const before = (await app.sql(`select * from ${table}`)).length;
        assert.ok(before > 0);
        await assert.rejects(app.sql(statement), new RegExp(`${table} is append-only`));
        assert.equal((await app.sql(`select * from ${table}`)).length, before);
      });
    }
  }
});
