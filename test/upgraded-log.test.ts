import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import pg from 'pg';
import { migrationsFolder } from '../src/app.ts';
import { migrate } from '../src/kit/db/migrate.ts';
import { createTestDatabase, dropTestDatabase } from './harness.ts';

const url = await createTestDatabase();
const pool = new pg.Pool({ connectionString: url, max: 2 });
pool.on('error', () => undefined);
const former = mkdtempSync(join(tmpdir(), 'migrations-'));
after(async () => {
  await pool.end();
  await dropTestDatabase(url);
  rmSync(former, { recursive: true });
});

const [one, other, quiet] = ['a', 'b', 'c'].map((last) => `01890000-0000-7000-8000-00000000000${last}`);

/** The events of a transaction as the version before has written them, and that before it. */
const outbox = `
  insert into event_outbox (workspace_id, outbox_id, written_at, due_at, events, event_ids, types, pass_ids, instance_ids, actors,
    request_ids, created_ats, data, previous, counts)
  select workspace_id::uuid, gen_random_uuid(), written_at::timestamptz, written_at::timestamptz,
    case when ids is null then json_build_array(json_build_object('eventId', gen_random_uuid(), 'type', 'pass.updated',
      'passId', null, 'instanceId', null, 'actor', 'system', 'requestId', 'req', 'createdAt', written_at, 'data',
      json_build_object('mark', mark), 'previous', json_build_object())) end,
    ids, types, passes, passes, actors, actors, moments, data, previous, counts
  from (values
    ($1, '2026-11-01T10:00:02Z', 3, null::uuid[], null::text[], null::uuid[], null::text[], null::timestamptz[], null, null, null),
    ($1, '2026-11-01T10:00:01Z', 1, array[gen_random_uuid(), gen_random_uuid()], '{pool.low,pool.low}', '{null,null}',
      '{system,system}', array[now(), now()], E'{"mark":1}\\n{"mark":2}', E'{}\\n{"of":2}', '{"events":2,"since":null,"counts":[]}'),
    ($2, '2026-11-01T10:00:03Z', 4, array[gen_random_uuid()], '{pool.low}', '{null}', '{system}', array[now()], '{"mark":4}', '{}',
      '{"events":1,"since":null,"counts":[]}')
  ) as waiting(workspace_id, written_at, mark, ids, types, passes, actors, moments, data, previous, counts)`;

it('an outbox that is not empty goes to the log, behind what is there, and webhooks and statistics go on behind that', async () => {
  await pool.query('drop schema public cascade; create schema public');
  for (const name of readdirSync(migrationsFolder))
    if (name < '0073') cpSync(join(migrationsFolder, name), join(former, name));
  await migrate(pool, former);
  for (const id of [one, other, quiet])
    await pool.query(
      `insert into workspaces (workspace_id, name, plan, created_at) values ($1, 'Café', 'pro', now())`,
      [id],
    );
  // Two events are numbered, one of them is counted.
  await pool.query(
    `insert into event_log (workspace_id, seq, event_id, type, actor, request_id, data, previous, created_at)
     select $1, n, gen_random_uuid(), 'pool.low', 'system', 'req', '{}', '{}', now() from generate_series(1, 2) n`,
    [one],
  );
  await pool.query('insert into event_counters (workspace_id, last_seq, trim_at) values ($1, 2, now())', [
    one,
  ]);
  await pool.query('insert into statistics_cursors (workspace_id, counted_seq) values ($1, 1)', [one]);
  await pool.query(outbox, [one, other]);

  assert.ok((await migrate(pool, migrationsFolder)).includes('0073_events_in_the_transaction.sql'));

  const rows = async (text: string) => (await pool.query(text)).rows;
  assert.deepEqual(
    await rows(`select workspace_id as ws, seq::int, type, data ->> 'mark' as mark, previous ->> 'of' as of,
      counts is not null and counts <> '' as counted from event_log order by workspace_id, seq`),
    [
      { ws: one, seq: 1, type: 'pool.low', mark: null, of: null, counted: false },
      { ws: one, seq: 2, type: 'pool.low', mark: null, of: null, counted: false },
      { ws: one, seq: 3, type: 'pool.low', mark: '1', of: null, counted: true },
      { ws: one, seq: 4, type: 'pool.low', mark: '2', of: '2', counted: false },
      { ws: one, seq: 5, type: 'pass.updated', mark: '3', of: null, counted: false },
      { ws: other, seq: 1, type: 'pool.low', mark: '4', of: null, counted: true },
    ],
  );
  assert.deepEqual(
    await rows(`select c.workspace_id as ws, last_seq::int as last, trim_at is not null as trims, follow_at is not null as follows,
      counted_seq::int as counted, sent_seq::int as sent
      from event_counters c left join statistics_cursors s on s.workspace_id = c.workspace_id order by 1`),
    [
      { ws: one, last: 5, trims: true, follows: true, counted: 1, sent: 2 },
      { ws: other, last: 1, trims: true, follows: true, counted: null, sent: null },
    ],
  );
  assert.deepEqual(await rows('select from event_outbox'), []);
});
