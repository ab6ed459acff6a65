import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../test/client.ts';
import { inParallel, makePass, tally } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp();
const twin = await app.twin();
const limit = 10;
const design = { title: 'Draft', type: 'coupon' };
let client: Client;
let elsewhere: Client;
let workspaceId: string;
beforeEach(async () => {
  ({ client, workspaceId } = await app.newWorkspace('entry'));
  elsewhere = twin.as(client.secret);
});

const fill = (count: number) => inParallel(count, () => makePass(client, {}, 'draft'));
const drafts = async (): Promise<number> => (await client.get('/me')).body.workspace.drafts;

function assertFull(reply: Reply): void {
  assertRefused(reply, 'draft_limit_reached', /10 drafts/, { limit, drafts: limit });
}

/** Exactly `free` of the requests went through; the others met the limit. */
async function assertShared(replies: readonly Reply[], free: number): Promise<void> {
  const refused = replies.filter(({ status }) => status === 409);
  for (const reply of refused) assertFull(reply);
  assert.equal(replies.length - refused.length, free, JSON.stringify(tally(replies.map((r) => r.status))));
  assert.equal(await drafts(), limit);
}

describe('the draft limit of the entry plan', () => {
  it('is exact under 50 parallel creates', async () => {
    await assertShared(await inParallel(50, () => client.post('/passes', design)), limit);
  });

  it('is exact over two processes', async () => {
    const replies = await inParallel(50, (index) =>
      (index % 2 === 0 ? client : elsewhere).post('/passes', design),
    );
    await assertShared(replies, limit);
  });

  it('holds for clones', async () => {
    const [original] = await fill(4);
    const replies = await inParallel(20, () => client.post(`/passes/${original?.passId}/clone`));
    await assertShared(replies, limit - 4);
  });

  it('holds for passes that go back to draft', async () => {
    const published = await inParallel(6, () => makePass(client, {}, 'published'));
    const archived = await inParallel(6, () => makePass(client, {}, 'archived'));
    await fill(5);
    const back = [...published, ...archived].map((pass: Json) =>
      client.patch(`/passes/${pass.passId}`, { status: 'draft' }),
    );
    await assertShared(await Promise.all(back), 5);
  });

  it('holds for creates, clones and changes of status together', async () => {
    const published = await inParallel(10, () => makePass(client, {}, 'published'));
    const requests = published.flatMap((pass: Json) => [
      client.patch(`/passes/${pass.passId}`, { status: 'draft' }),
      elsewhere.post(`/passes/${pass.passId}/clone`),
      elsewhere.post('/passes', design),
    ]);
    await assertShared(await Promise.all(requests), limit);
  });

  it('lets a draft be changed, and stay a draft, when it is reached', async () => {
    const [draft] = await fill(limit);
    const path = `/passes/${draft?.passId}`;
    assert.equal((await client.patch(path, { title: 'New', status: 'draft' })).status, 200);
  });

  it('has room again when a draft is published or deleted', async () => {
    const [one, two] = await fill(limit);
    assertFull(await client.post('/passes', design));
    await client.patch(`/passes/${one?.passId}`, { status: 'published' });
    assert.equal((await client.post('/passes', design)).status, 201);
    assertFull(await client.post('/passes', design));
    await client.delete(`/passes/${two?.passId}`);
    assert.equal((await client.post('/passes', design)).status, 201);
    assertFull(await client.post('/passes', design));
  });

  it('does not use up the key of what it refuses', async () => {
    const [draft] = await fill(limit);
    const headers = { 'idempotency-key': 'later' };
    assertFull(await client.post('/passes', design, { headers }));
    await client.delete(`/passes/${draft?.passId}`);
    assert.equal((await client.post('/passes', design, { headers })).status, 201);
  });

  it('counts each workspace for itself', async () => {
    await fill(limit);
    const { client: other } = await app.newWorkspace('entry');
    await makePass(other, {}, 'draft');
  });

  it('does not exist on the pro plan, and is back after a downgrade', async () => {
    const plan = (name: string) => app.operator.patch(`/operator/workspaces/${workspaceId}`, { plan: name });
    await plan('pro');
    await fill(limit + 5);
    await plan('entry');
    const reply = await client.post('/passes', design);
    assertRefused(reply, 'draft_limit_reached', /you have 15/, { limit, drafts: 15 });
  });
});
