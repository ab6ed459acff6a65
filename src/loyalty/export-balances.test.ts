import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { assertRefused, type Json } from '../../test/client.ts';
import { makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { exportFile, importFile, storyOf } from './balances.fixture.ts';
import { coffee, Till, threeStamps } from './till.fixture.ts';

const app = await startTestApp();
const header = 'identifier,instanceId,barcode,balance,lifetimePoints,pendingRewards,nextExpiryAt\r\n';
const odd = ['=1+1', '+49 30 1', '-', '@ada', "'=2", "''", "o'neil", 'a,"b"', 'Zoë 🎁', ' space '];

/** The file without a column; no cell of it has a comma. */
function without(column: string, file: string): string {
  const at = header.trim().split(',').indexOf(column);
  return file.replaceAll(/^.+$/gm, (line) => line.split(',').toSpliced(at, 1).join(','));
}

describe('the export of balances', () => {
  it('has a line per card with an account, the oldest account first', async () => {
    const till = await Till.open(app, { ...threeStamps, expiry: { months: 1 } });
    const bob = await till.card('bob', { barcode: '@B' });
    await till.card('no entries yet');
    await till.earn(8);
    await till.earn(3, { identifier: 'bob' });
    await till.redeem({ identifier: 'bob' });
    const { nextExpiry } = await till.holder();
    const { text, headers } = await till.client.get(
      `/loyalty/programs/${till.program.programId}/balances.csv`,
    );
    assert.equal(
      text,
      `${header}ada,${till.ada.instanceId},${till.ada.barcode},2,8,2,${nextExpiry.at}\r\n` +
        `bob,${bob.instanceId},'@B,0,3,0,\r\n`,
    );
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="balances-prog_\w+\.csv"$/);
  });

  it('is a header alone before the first entry', async () => {
    assert.equal(await exportFile(await Till.open(app)), header);
  });

  it('has cards without a holder, voided and erased ones, and the code that all cards share', async () => {
    const till = await Till.open(app, coffee, { design: { barcode: { mode: 'simple', value: 'CLUB' } } });
    const plain = await till.card();
    await till.earn(1, { instanceId: plain.instanceId });
    await till.earn(5);
    await till.client.delete(`/instances/${till.ada.instanceId}`);
    const file = await exportFile(till);
    const lines = [plain, till.ada].map(({ instanceId }, at) => `,${instanceId},CLUB,${[1, 5][at]},`);
    for (const line of lines) assert.ok(file.includes(`\r\n${line}`), file);
  });

  it('reads all pages', async () => {
    const till = await Till.open(app, coffee);
    const count = 1_001;
    const names = Array.from({ length: count }, (_, at) => `c${at}`);
    for (const from of [0, 1_000]) {
      const instances = names.slice(from, from + 1_000).map((identifier) => ({ holder: { identifier } }));
      await till.client.post(`/passes/${till.passId}/instances/batch`, { instances });
    }
    const lines = names.map((name, at) => `${name},${at + 1}\n`);
    const { results } = await importFile(till, `identifier,balance\n${lines.join('')}`);
    assert.deepEqual(
      results.find(({ status }: Json) => status !== 'changed'),
      undefined,
    );
    const rows = (await exportFile(till)).trim().split('\r\n').slice(1);
    const found = new Map(rows.map((row) => [row.split(',')[0], row.split(',')[3]]));
    assert.deepEqual(found, new Map(names.map((name, at) => [name, String(at + 1)])));
    assert.equal(rows.length, count);
  });

  it('is for keys of the workspace that reach the pass', async () => {
    const till = await Till.open(app);
    const { passId } = await makePass(till.client);
    const path = `/loyalty/programs/${till.program.programId}/balances.csv`;
    const own = (await makeKey(till.client, { access: 'read', passIds: [till.passId] })).client;
    assert.equal((await own.get(path)).text, header);
    const other = (await makeKey(till.client, { passIds: [passId] })).client;
    assertRefused(await other.get(path), 'insufficient_scope');
    assertRefused(await (await app.newWorkspace()).client.get(path), 'forbidden');
  });
});

describe('an exported file', () => {
  it('changes nothing where it came from', async () => {
    for (const program of [coffee, threeStamps]) {
      const till = await Till.open(app, program);
      for (const [at, identifier] of odd.entries()) {
        await till.card(identifier, { barcode: `=${randomUUID()}` });
        await till.earn(at + 1, { identifier });
      }
      await till.earn(5);
      await till.void();
      const file = await exportFile(till);
      const { accounts, entries } = await counts(till);
      const report = await importFile(till, file);
      assert.deepEqual([report.lines, report.unchanged], [odd.length + 1, odd.length + 1]);
      assert.deepEqual(await counts(till), { accounts, entries });
      assert.equal(await exportFile(till), file);
    }
  });

  it('gives cards of the same holders in another workspace the same balances', async () => {
    const till = await Till.open(app);
    const other = await Till.open(app);
    const names = odd.filter((name) => !name.includes(','));
    for (const [at, identifier] of names.entries()) {
      await till.card(identifier);
      await other.card(identifier);
      await till.earn(at + 1, { identifier });
    }
    const file = await exportFile(till);
    const untouched = await importFile(other, file);
    assert.ok(
      untouched.results.every(({ error }: Json) => error?.code === 'forbidden'),
      'it names these cards',
    );
    const report = await importFile(other, without('instanceId', file));
    assert.deepEqual(
      storyOf(report),
      names.map((_, at) => `${at + 2} changed 0 → ${at + 1} (+${at + 1})`),
    );
    for (const name of names) {
      assert.equal((await other.holder(name)).balance, (await till.holder(name)).balance, name);
    }
    await other.assertSound();
  });

  it('takes a debt for what it is, and cannot set one', async () => {
    const till = await Till.open(app);
    const earned = await till.earn(10);
    await till.redeem();
    await till.reverse(earned);
    const file = await exportFile(till);
    assert.match(file, /,-10,0,0,/);
    assert.deepEqual(storyOf(await importFile(till, file)), ['2 refused invalid_request']);
  });
});

async function counts(till: Till): Promise<Json> {
  const [found] = await app.sql(
    `select count(distinct account_id) as accounts, count(*) as entries from loyalty_entries e
     join programs p using (workspace_id, program_id) where p.pass_id = (
       select pass_id from instances where barcode = $1)`,
    [till.ada.barcode],
  );
  return found;
}
