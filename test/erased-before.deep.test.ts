import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { walkErasures } from '../src/erasure/walk-erasures.job.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { decodeId } from '../src/kit/ids.ts';
import { auditLedger } from '../src/ledger/audit-ledger.ts';
import { makeProgram } from '../src/loyalty/account.fixture.ts';
import type { Json } from './client.ts';
import { startTestApp } from './harness.ts';
import { assertInvariants } from './invariants.ts';

const migrations = fileURLToPath(new URL('../db/migrations', import.meta.url));
const app = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'test' };
const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 1 });
pool.on('error', () => undefined);
after(() => pool.end());

/** The schema as it was when erasing left something. */
const formerSchema = `
  drop table erasure_walks;
  drop index if exists orders_with_items;
  alter table instances drop column served_change_at;
  alter table loyalty_entries drop column reason_seal, drop column ref_seal;
  create table ledger_seal_accounts ();
  create table ledger_seals ();
  create table ledger_seal_turns ();
  drop index operation_claims_of_card;
  drop trigger loyalty_entries_rows on loyalty_entries;
  drop trigger audit_log_rows on audit_log;
  drop function forget_reason;
  drop function forget_detail;
  create trigger loyalty_entries_rows before update or delete on loyalty_entries
    for each row execute function refuse_change();
  create trigger audit_log_rows before update or delete on audit_log for each row execute function refuse_change();
  delete from schema_migrations where name ~ '^001[89]|^0068|^0072'`;

/** What erasing did to a card then, and the lines that were kept about its entries. */
const formerErasure = [
  'delete from holders where instance_id = any($1)',
  "update instances set status = 'voided', fields = '{}', metadata = '{}', erased_at = now() where instance_id = any($1)",
  `insert into audit_log (workspace_id, audit_id, action, actor, target, detail, request_id)
   select e.workspace_id, e.entry_id, 'adjustPoints', 'key', 'inst', jsonb_build_object('reason', e.reason, 'entryId', names.id),
     'request'
   from loyalty_entries e join unnest($2::uuid[], $3::text[]) as names(entry_id, id) using (entry_id)
   where e.instance_id = any($1)`,
];

const marks = /Mark[A-Z]\w+/g;

describe('what erasures of former versions have left', async () => {
  const { client, workspaceId } = await app.newWorkspace('pro', 10_000);
  const terms = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };
  const { pass } = await makeProgram(client, terms);
  const pooled = (await makeProgram(client, terms, { design: { barcode: { mode: 'pool' } } })).pass;
  await app.fillPool(
    pooled.passId,
    Array.from({ length: 5 }, (_, at) => `MarkPool${at}`),
  );
  const erased: Json[] = [];
  const entries: Json[] = [];
  const calls: { path: string; body: Json }[] = [];

  async function call(path: string, body: Json): Promise<Json> {
    const reply = await client.post(path, body);
    assert.ok(reply.status < 300, reply.text);
    calls.push({ path, body });
    return reply.body;
  }

  it('is made at the former schema', async () => {
    for (let at = 0; at < 50; at++) {
      const { passId } = at < 5 ? pooled : pass;
      const card = await call(`/passes/${passId}/instances`, {
        externalRef: `issue-${at}`,
        ...(at >= 5 && { barcode: `MarkBarcode${at}` }),
        holder: { identifier: `person-${at}` },
      });
      const target = { passId, instanceId: card.instanceId };
      const reason = `MarkReason${at}`;
      await call('/loyalty/points', { ...target, points: 5, reason, externalRef: `earn-${at}` });
      entries.push(
        await call('/loyalty/adjust', { ...target, points: 2, reason, externalRef: `adjust-${at}` }),
      );
      await call('/orders/process', {
        passId,
        orderId: `order-${at}`,
        customer: { id: `person-${at}` },
        total: { amount: '0.50', currency: 'EUR' },
        items: [{ name: `MarkItem${at}`, sku: `MarkSku${at}` }],
      });
      erased.push(card);
    }
    await client.post(`/passes/${pass.passId}/instances`, { barcode: 'kept', holder: { name: 'kept' } });
    for (const { instanceId } of erased) await client.post(`/instances/${instanceId}/void`);
    const ids = erased.map(({ instanceId }) => decodeId('inst', instanceId));
    await app.sql(formerSchema);
    for (const [at, statement] of formerErasure.entries()) {
      const names = [
        entries.map(({ entryId }) => decodeId('entry', entryId)),
        entries.map(({ entryId }) => entryId),
      ];
      await app.sql(statement, at < 2 ? [ids] : [ids, ...names]);
    }
    for (const kind of ['Barcode', 'Reason', 'Item', 'Sku', 'Pool'])
      assert.ok((await app.dump()).includes(`Mark${kind}`), kind);
  });

  it('goes in steps once the migration is an hour old, and nothing else does', async () => {
    assert.deepEqual(await migrate(pool, migrations), [
      '0018_orders_with_items.sql',
      '0019_erasing_leaves_nothing.sql',
      '0068_erasing_names.sql',
      '0072_no_seals.sql',
    ]);
    assert.equal(await walkErasures(ctx), false, 'a process of the former version may still erase');
    app.advance(3_600_000);
    const before = await app.sql('select * from instances where erased_at is null');
    const sums = 'select sum(points) as points, count(*) as entries from loyalty_entries';
    const ledger = await app.sql(sums);
    let steps = 0;
    while (await walkErasures(ctx)) steps += 1;
    assert.ok(steps >= 4, `${steps} steps`);
    assert.deepEqual((await app.dump()).match(marks), null);
    assert.deepEqual(await app.sql('select * from instances where erased_at is null'), before);
    assert.deepEqual(await app.sql('select from erasure_walks'), []);

    for (const { path, body } of calls)
      assert.deepEqual((await client.post(path, body)).text.match(marks), null, path);
    assert.deepEqual(await app.sql(sums), ledger);
    await assertInvariants(app.sql);
  });

  it('leaves the figures of the ledger whole', async () => {
    const id = decodeId('ws', workspaceId) ?? '';
    assert.deepEqual((await auditLedger(ctx.app.database, id, ctx.app.now)).findings, []);
  });
});
