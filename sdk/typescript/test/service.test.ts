import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import {
  ForbiddenError,
  InsufficientScopeError,
  InvalidRequestError,
  MissingAuthorizationError,
  Punchcard,
} from '../src/index.ts';
import { openShop } from './shop.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { punchcard, passId, programId } = await openShop(app);

test('a list is read through page by page, newest first', async () => {
  const instances = Array.from({ length: 7 }, (_, index) => ({ holder: { identifier: `page-${index}` } }));
  await punchcard.instances.issueBatch(passId, { instances });
  const read: (string | null | undefined)[] = [];
  for await (const { holder } of punchcard.instances.list(passId, { limit: 3 }))
    read.push(holder?.identifier);
  assert.deepEqual(read, instances.map(({ holder }) => holder.identifier).reverse());
  const list = punchcard.instances.list(passId, { limit: 3 });
  const first = await list.page();
  assert.ok(first.nextCursor !== null);
  const second = await list.page(first.nextCursor);
  assert.deepEqual(
    [...first.data, ...second.data].map(({ holder }) => holder?.identifier),
    read.slice(0, 6),
  );
});

test('balances go out as a file and come in as one', async () => {
  await punchcard.instances.issue(passId, { holder: { identifier: 'csv' } });
  await punchcard.loyalty.earn({ passId, identifier: 'csv', points: 5 });
  const file = await punchcard.programs.exportBalances(programId);
  assert.match(file.mediaType, /^text\/csv/);
  const text = await file.text();
  assert.match(text, /csv/);
  const raised = new Blob(['identifier,balance\ncsv,12\nnobody,1\n']);
  const tried = await punchcard.programs.importBalances(programId, raised, { dryRun: true });
  assert.deepEqual([tried.dryRun, tried.changed, tried.refused], [true, 1, 1]);
  assert.equal((await punchcard.loyalty.holder('csv', { passId })).balance, 5);
  const done = await punchcard.programs.importBalances(programId, raised);
  assert.equal(done.results[1]?.error?.code, 'holder_not_found');
  assert.equal((await punchcard.loyalty.holder('csv', { passId })).balance, 12);
});

test('codes come as a list or as a file, and pictures as bytes', async () => {
  const pool = await punchcard.passes.create({ title: 'Pool', type: 'coupon', barcode: { mode: 'pool' } });
  const listed = await punchcard.barcodes.upload(pool.passId, { barcodes: ['A-1', 'A-2'] });
  const filed = await punchcard.barcodes.upload(pool.passId, 'barcode\nA-2\nA-3\n');
  assert.deepEqual([listed.added, filed.added], [2, 1]);
  await punchcard.barcodes.delete(pool.passId, 'A-1');
  assert.deepEqual(
    (await punchcard.barcodes.list(pool.passId).toArray()).map(({ barcode }) => barcode),
    ['A-2', 'A-3'],
  );
  const svg = await punchcard.passes.previewSvg(pool.passId, { platform: 'google' });
  assert.match(await svg.text(), /^<svg/);
  const png = await (await punchcard.passes.previewPng(pool.passId)).bytes();
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')]);
});

test('the event log is followed while things happen', async () => {
  const [newest] = await punchcard.events.list().toArray({ most: 1 });
  const stop = new AbortController();
  const seen: string[] = [];
  const query = { afterSeq: newest?.seq ?? 0, passId };
  const following = (async () => {
    for await (const { type, seq, data } of punchcard.events.follow(query, { signal: stop.signal })) {
      assert.ok(seq > query.afterSeq);
      seen.push(type);
      // The next one happens only now, so that it has to be waited for.
      if (type === 'instance.issued')
        await punchcard.loyalty.earn({ passId, identifier: 'follow', points: 3 });
      if (type === 'points.awarded') return data;
    }
  })();
  await punchcard.instances.issue(passId, { holder: { identifier: 'follow' } });
  assert.equal((await following)?.points, 3);
  assert.deepEqual(seen, ['instance.issued', 'points.awarded']);
  const ended = (async () => {
    for await (const _ of punchcard.events.follow({ afterSeq: 1_000_000 }, { signal: stop.signal }))
      assert.fail();
  })();
  stop.abort(new Error('enough'));
  await assert.rejects(ended, /enough/);
});

test('what no service could be reached with is refused at once', () => {
  for (const baseUrl of ['', 'localhost:3000', 'ftp://cards.example.com', 'https://', undefined as never])
    assert.throws(() => new Punchcard({ baseUrl, apiKey: 'pk_live_1' }), /baseUrl must begin with/);
  for (const name of ['apiKey', 'operatorToken'])
    assert.throws(() => new Punchcard({ baseUrl: app.url, [name]: ' ' }), { message: `${name} is empty.` });
});

test('each credential opens its own operations', async () => {
  const operator = new Punchcard({ baseUrl: app.url, operatorToken: app.operator.secret ?? undefined });
  const made = await operator.operator.createWorkspace({ name: 'Other', plan: 'pro', credits: 3 });
  await operator.operator.addCredits(made.workspaceId, { amount: 4, externalRef: 'invoice-1' });
  const other = new Punchcard({ baseUrl: app.url, apiKey: made.apiKey });
  assert.equal((await other.credits.get()).balance, 7);
  const all = await operator.operator.listWorkspaces().toArray();
  assert.ok(all.some(({ workspaceId }) => workspaceId === made.workspaceId));
  await assert.rejects(operator.workspace.get(), MissingAuthorizationError);
  await assert.rejects(other.operator.listWorkspaces().page(), MissingAuthorizationError);
  await assert.rejects(other.passes.get(passId), ForbiddenError);
  const { secret } = await punchcard.apiKeys.create({ name: 'Display', access: 'read' });
  const reader = new Punchcard({ baseUrl: app.url, apiKey: secret });
  assert.equal((await reader.apiKeys.current()).access, 'read');
  await assert.rejects(reader.passes.create({ title: 'No', type: 'coupon' }), InsufficientScopeError);
});

test('a push that was skipped says so, and the id of a result leads to what it has left', async () => {
  const pass = await punchcard.passes.create({
    title: 'Field',
    type: 'generic',
    fields: [{ key: 'tier', label: 'Tier', section: 'primary' }],
  });
  await punchcard.passes.update(pass.passId, { status: 'published' });
  const { instanceId } = await punchcard.instances.issue(pass.passId);
  const updated = await punchcard.instances.updateFields(instanceId, { fields: { tier: 'Gold' } });
  assert.ok(!updated.pushed && updated.pushSkipReason === 'not_installed');
  const { events } = await punchcard.requests.trace(updated.$response.requestId);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['instance.updated'],
  );
  assert.ok(!('$response' in { ...updated }) && !JSON.stringify(updated).includes('$response'));
});

test('a refused request names its problems, and so does a refused item', async () => {
  const problem = {
    path: 'holder.name',
    rule: 'type',
    limit: ['string', 'null'],
    message: 'Must be a string or null, not a number.',
  };
  const wrong = { holder: { name: 5 as never } };
  await assert.rejects(punchcard.instances.issue(passId, wrong), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    assert.deepEqual(error.problems, [problem]);
    return true;
  });
  const { results } = await punchcard.instances.issueBatch(passId, { instances: [wrong] });
  const [first] = results;
  assert.deepEqual(first?.error?.problems, [problem]);
});
