import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused, type Reply } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { jobs } from '../jobs.ts';
import type { Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { decodeId, encodeId, newUuidV7 } from '../kit/ids.ts';
import type { EventType } from './event-kinds.ts';
import { waitLimits } from './event-waits.ts';
import { recordEvent } from './record-event.ts';

// Without background work, so that a test says when the log is followed.
const app = await startTestApp({ WORKERS: 'off' });
const { database } = app.running.app;
const dayMs = 86_400_000;

interface GivenEvent {
  readonly type?: EventType;
  readonly passId?: string | null;
  readonly instanceId?: string | null;
  readonly data?: object;
}

/** A workspace, with functions that add events to its log. */
async function newLog() {
  const { client, workspaceId: publicId } = await app.newWorkspace();
  const workspaceId = decodeId('ws', publicId) as string;
  const ctx = { app: app.running.app, requestId: 'req_test', workspaceId, actor: 'key_test' };
  const record = (tx: Tx, given: GivenEvent) =>
    recordEvent(tx, ctx, { type: 'pass.updated', passId: null, instanceId: null, data: {}, ...given });
  return {
    client,
    workspaceId,
    record,
    /** Each event in its own transaction. */
    async emit(...given: readonly GivenEvent[]): Promise<void> {
      for (const one of given) await database.transaction(async (tx) => record(tx, one));
    },
  };
}

/** The marks in the data of events. */
const marks = (events: readonly { data: { mark?: unknown } }[]) => events.map(({ data }) => data.mark);

async function runJob(name: string): Promise<void> {
  const job = jobs.find((one) => one.name === name);
  assert.ok(job !== undefined);
  while (await job.run({ app: app.running.app, requestId: `job_${name}` }));
}

const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('the event log', () => {
  it('shows an event with all that is known of it', async () => {
    const { client, emit } = await newLog();
    const passId = newUuidV7();
    await database.transaction(async (tx) =>
      recordEvent(
        tx,
        { app: app.running.app, requestId: 'job_x' },
        {
          workspaceId: decodeId('ws', String((await client.get('/workspace')).body.workspaceId)) as string,
          actor: 'system',
          type: 'pool.low',
          passId,
          instanceId: null,
          data: { available: 3 },
          previous: { available: 4 },
        },
      ),
    );
    await emit({ data: { mark: 2 } });
    const [event] = (await eventsOf(client)).slice(-2);
    const { eventId, createdAt, seq, ...rest } = event ?? assert.fail();
    assert.match(eventId, /^evt_/);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(seq >= 1);
    assert.deepEqual(rest, {
      type: 'pool.low',
      requestId: 'job_x',
      actor: 'system',
      passId: encodeId('pass', passId),
      instanceId: null,
      data: { available: 3 },
      previous: { available: 4 },
    });
    assert.deepEqual((await client.get(`/events/${eventId}`)).body, event);
  });

  it('keeps the order of properties, and texts as they are', async () => {
    const { client, emit } = await newLog();
    const data = { zebra: 1, apple: { b: 'Zoë "\u2028\\"', a: null }, list: [1.5, true] };
    await emit({ data });
    const { text } = await client.get('/events?limit=1');
    assert.ok(text.includes(JSON.stringify(data)), text);
  });

  it('is followed by the job in steps, the events of one transaction together', async () => {
    const { workspaceId, record, emit } = await newLog();
    await emit({});
    app.advance(2_000);
    await runJob('followLogs');
    const counted = async () => {
      const select = `select counted_seq::int as counted, sent_seq::int as sent from statistics_cursors where workspace_id = $1`;
      return (await app.sql<{ counted: number; sent: number }>(select, [workspaceId]))[0] ?? assert.fail();
    };
    const before = await counted();
    for (const count of [600, 500, 1_500])
      await database.transaction(async (tx) => {
        for (let index = 0; index < count; index++) record(tx, {});
      });
    app.advance(2_000);
    const job = jobs.find(({ name }) => name === 'followLogs') ?? assert.fail();
    const steps: unknown[] = [];
    for (let isMore = true; isMore; ) {
      isMore = await job.run({ app: app.running.app, requestId: 'job_followLogs' });
      const { counted: now, sent } = await counted();
      steps.push([isMore, now - before.counted, sent - before.sent]);
    }
    assert.deepEqual(steps, [
      [true, 600, 1_000],
      [true, 1_100, 1_600],
      [true, 2_100, 2_100],
      [false, 2_100, 2_600],
    ]);
    // Young events are counted with those that follow.
    app.advance(1_000);
    await runJob('followLogs');
    assert.equal((await counted()).counted - before.counted, 2_600);
  });

  it('numbers without a gap what is written at once, and nothing that is rolled back', async () => {
    const { client, record } = await newLog();
    const before = (await eventsOf(client)).length;
    const reading = inParallel(4, async () => {
      // What a reader has seen stays in its place, and nothing comes before it.
      let seen: number[] = [];
      while (seen.length < before + 60) {
        const now = seqs(await eventsOf(client));
        assert.deepEqual(now.slice(0, seen.length), seen);
        seen = now;
      }
      return seen;
    });
    await inParallel(40, async (index) => {
      const work = database.transaction(async (tx) => {
        record(tx, { data: { mark: index } });
        record(tx, { data: { mark: index } });
        if (index % 4 === 3) throw new Error('rolled back');
      });
      await work.catch((error) => assert.equal(error.message, 'rolled back'));
    });
    for (const seen of await reading) assert.deepEqual(seen, upTo(before + 60));
    const logged = marks(await eventsOf(client)).slice(before);
    for (let index = 0; index < logged.length; index += 2) assert.equal(logged[index], logged[index + 1]);
    assert.equal(new Set(logged).size, 30);
  });

  it('has what depends on each other in its order', async () => {
    const { client, workspaceId, record } = await newLog();
    await app.sql('create table if not exists last_marks (workspace_id uuid primary key, mark int)');
    await app.sql('insert into last_marks values ($1, 0)', [workspaceId]);
    await inParallel(30, () =>
      database.transaction(async (tx) => {
        const { rows } = await sql<{ mark: number }>`
          update last_marks set mark = mark + 1 where workspace_id = ${workspaceId} returning mark
        `.execute(tx);
        record(tx, { data: { mark: rows[0]?.mark } });
      }),
    );
    assert.deepEqual(
      marks(await eventsOf(client)).filter((mark) => mark !== undefined),
      upTo(30),
    );
    await app.sql('drop table last_marks');
  });

  it('goes on from the number that a former version has given', async () => {
    const { client, workspaceId, emit } = await newLog();
    await emit({ data: { mark: 1 } });
    // As that version writes it.
    const write = `
      insert into event_outbox (workspace_id, outbox_id, due_at, event_ids, types, pass_ids, instance_ids, actors, request_ids,
        created_ats, data, previous, counts)
      values ($1, gen_random_uuid(), now(), array[gen_random_uuid(), gen_random_uuid()], '{pool.low,pool.low}', '{null,null}',
        '{null,null}', '{system,system}', '{req_x,req_x}', array[now(), now()], E'{"mark":2}\\n{"mark":3}', E'{}\\n{}',
        '{"events":2,"since":null,"counts":[]}')`;
    await app.sql(write, [workspaceId]);
    await emit({ data: { mark: 4 } });
    const events = await eventsOf(client);
    assert.deepEqual(seqs(events), upTo(events.length));
    const marked = marks(events).filter((mark) => mark !== undefined);
    assert.deepEqual(marked, [1, 2, 3, 4]);
    assert.deepEqual(await app.sql('select * from event_outbox'), []);
    app.advance(2_000);
    await runJob('followLogs');
    const select = 'select counted_seq::int as seq from statistics_cursors where workspace_id = $1';
    assert.deepEqual(await app.sql(select, [workspaceId]), [{ seq: events.length }]);
  });

  it('reads forward from a number, and page by page, whatever is added between the pages', async () => {
    const { client, emit } = await newLog();
    const start = (await eventsOf(client)).at(-1)?.seq ?? 0;
    await emit({ data: { mark: 1 } }, { data: { mark: 2 } }, { data: { mark: 3 } });
    const first = await client.get(`/events?afterSeq=${start}&limit=2`);
    assert.deepEqual(marks(first.body.data), [1, 2]);
    await emit({ data: { mark: 4 } });
    const second = await client.get(`/events?afterSeq=${start}&limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual(marks(second.body.data), [3, 4]);
    assert.equal(second.body.nextCursor, null);
    const newest = await client.get('/events?limit=3');
    assert.deepEqual(marks(newest.body.data), [4, 3, 2]);
    const older = await client.get(`/events?limit=3&cursor=${newest.body.nextCursor}`);
    assert.equal(marks(older.body.data)[0], 1);
  });

  it('filters by kind, pass, card and time', async () => {
    const { client, emit } = await newLog();
    const pass = await makePass(client);
    const card = await makeCard(client, pass.passId);
    const passId = decodeId('pass', pass.passId);
    const instanceId = decodeId('inst', card.instanceId);
    await emit(
      { type: 'pool.low', passId, data: { mark: 1 } },
      { type: 'points.awarded', passId, instanceId, data: { mark: 2 } },
      { type: 'pool.low', data: { mark: 3 } },
      { type: 'points.awarded', passId, data: { mark: 4 } },
    );
    const marked = async (filters: string) =>
      marks(await eventsOf(client, filters)).filter((mark) => mark !== undefined);
    assert.deepEqual(await marked('type=pool.low'), [1, 3]);
    assert.deepEqual(await marked('type=points.awarded,pool.low,pool.low'), [1, 2, 3, 4]);
    assert.deepEqual(await marked(`passId=${pass.passId}&type=pool.low,order.refunded`), [1]);
    assert.deepEqual(await marked(`passId=${pass.passId}`), [1, 2, 4]);
    assert.deepEqual(await marked(`passId=${pass.passId}&type=points.awarded`), [2, 4]);
    assert.deepEqual(await marked(`instanceId=${card.instanceId}`), [2]);
    assert.deepEqual(await marked(`instanceId=${card.instanceId}&type=pool.low`), []);
    const now = new Date(app.running.app.now()).toISOString();
    app.advance(10 * 60_000);
    await emit({ data: { mark: 5 } });
    assert.deepEqual(await marked(`createdAfter=${now}`), [5]);
    assert.deepEqual(await marked(`createdBefore=${now}`), [1, 2, 3, 4]);
    const newest = await client.get(`/events?createdBefore=${now}&limit=1`);
    assert.deepEqual(marks(newest.body.data), [4]);
  });

  it('waits until there is an event, and no longer than it was asked to', async () => {
    const { client, emit } = await newLog();
    const last = (await eventsOf(client)).at(-1)?.seq ?? 0;
    assert.deepEqual((await client.get(`/events?afterSeq=${last}&wait=1`)).body, {
      data: [],
      nextCursor: null,
    });
    const waiting = client.get(`/events?afterSeq=${last}&type=pool.low&wait=30`);
    await emit({ data: { mark: 1 } }, { type: 'pool.low', data: { mark: 2 } });
    assert.deepEqual(marks((await waiting).body.data), [2]);
    // What is there already is not waited for.
    assert.deepEqual(marks((await client.get(`/events?afterSeq=${last}&wait=30`)).body.data), [1, 2]);
  });

  it('lets some calls of a workspace wait, and the others know', async () => {
    const { client, emit } = await newLog();
    const last = (await eventsOf(client)).at(-1)?.seq ?? 0;
    const refused: Reply[] = [];
    let seeFour = (): void => undefined;
    const four = new Promise<void>((resolve) => {
      seeFour = resolve;
    });
    const calls = inParallel(waitLimits.places.perKey + 4, async () => {
      const reply = await client.impatient.get(`/events?afterSeq=${last}&wait=30`);
      if (reply.status === 503 && refused.push(reply) === 4) seeFour();
      return reply;
    });
    await four;
    await emit({ data: { mark: 1 } });
    const waited = (await calls).filter(({ status }) => status === 200);
    assert.equal(waited.length, waitLimits.places.perKey);
    for (const { body } of waited) assert.deepEqual(marks(body.data), [1]);
    for (const reply of refused) assertRefused(reply, 'overloaded', /wait for events/);
  });

  it('shows a key that is restricted to some passes their events alone', async () => {
    const { client, emit } = await newLog();
    const [mine, other] = [await makePass(client), await makePass(client)];
    const restricted = (await makeKey(client, { passIds: [mine.passId] })).client;
    await emit({ passId: decodeId('pass', mine.passId) }, { passId: decodeId('pass', other.passId) }, {});
    const all = await eventsOf(client);
    assertRefused(await restricted.get('/events'), 'invalid_request', /passId/);
    assertRefused(await restricted.get(`/events?passId=${other.passId}`), 'insufficient_scope');
    for (const { passId } of await eventsOf(restricted, `passId=${mine.passId}`))
      assert.equal(passId, mine.passId);
    for (const { eventId, passId } of all) {
      const reply = await restricted.get(`/events/${eventId}`);
      if (passId === mine.passId) assert.equal(reply.status, 200);
      else assertRefused(reply, 'insufficient_scope');
    }
  });

  it('keeps workspaces apart', async () => {
    const [one, other] = [await newLog(), await newLog()];
    await one.emit({ data: { mark: 'secret' } });
    const [event] = (await eventsOf(one.client)).slice(-1);
    assertRefused(await other.client.get(`/events/${event?.eventId}`), 'forbidden');
    assertRefused(await other.client.get(`/events/${encodeId('evt', newUuidV7())}`), 'event_not_found');
    assertRefused(await other.client.get('/events/evt_x'), 'event_not_found');
    assert.ok(!JSON.stringify(await eventsOf(other.client)).includes('secret'));
    const { body } = await one.client.get('/events?limit=1');
    if (body.nextCursor !== null)
      assertRefused(await other.client.get(`/events?cursor=${body.nextCursor}`), 'invalid_request', /cursor/);
  });

  it('says what is wrong with a question', async () => {
    const { client } = await newLog();
    const wrong: [string, RegExp][] = [
      ['type=points', /type/],
      ['type=pool.low,points.gone', /type: there is no kind "points.gone"/],
      ['type=pool.low,', /type/],
      ['afterSeq=-1', /afterSeq/],
      ['afterSeq=1.5', /afterSeq/],
      ['afterSeq=1&wait=31', /wait/],
      ['wait=5', /afterSeq/],
      ['createdAfter=yesterday', /createdAfter/],
      ['kind=pool.low', /kind/],
      ['cursor=x', /cursor/],
    ];
    for (const [query, message] of wrong)
      assertRefused(await client.get(`/events?${query}`), 'invalid_request', message);
    assertRefused(await client.get(`/events?passId=${encodeId('pass', newUuidV7())}`), 'pass_not_found');
    assertRefused(await client.get('/events?instanceId=inst_x'), 'instance_not_found');
  });

  it('forgets what was said of an erased card, followed or not', async () => {
    const { client, emit } = await newLog();
    const pass = await makePass(client);
    const [ada, bob] = [await makeCard(client, pass.passId), await makeCard(client, pass.passId)];
    const eventOf = (card: { instanceId: string }) => ({
      passId: decodeId('pass', pass.passId),
      instanceId: decodeId('inst', card.instanceId),
      data: { mark: 'Ada Lovelace' },
    });
    await emit(eventOf(ada));
    await eventsOf(client);
    await emit(eventOf(ada), eventOf(bob));
    assert.equal((await client.delete(`/instances/${ada.instanceId}`)).status, 204);
    const left = (await eventsOf(client)).filter(({ data }) => data.mark === 'Ada Lovelace');
    assert.deepEqual(
      left.map(({ instanceId }) => instanceId),
      [bob.instanceId],
    );
    // Their places stay: a reader who counts finds no gap.
    const all = await eventsOf(client);
    assert.deepEqual(seqs(all), upTo(all.length));
  });

  it('is kept for thirty days', async () => {
    const { client, emit } = await newLog();
    await emit({ data: { mark: 1 } }, { data: { mark: 2 } });
    await eventsOf(client);
    app.advance(20 * dayMs);
    await emit({ data: { mark: 3 } });
    await eventsOf(client);
    await runJob('trimEvents');
    assert.deepEqual(marks(await eventsOf(client)).slice(-3), [1, 2, 3]);
    app.advance(11 * dayMs);
    await runJob('trimEvents');
    const left = await eventsOf(client);
    assert.deepEqual(marks(left), [3]);
    // Numbers go on where they were.
    await emit({ data: { mark: 4 } });
    assert.deepEqual(seqs(await eventsOf(client)), [left[0]?.seq, (left[0]?.seq ?? 0) + 1]);
    app.advance(31 * dayMs);
    await runJob('trimEvents');
    assert.deepEqual(await eventsOf(client), []);
  });
});
