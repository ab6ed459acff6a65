import assert from 'node:assert/strict';
import { it } from 'node:test';
import { numberEvents } from '../../src/events/number-events.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { createTestDatabase, startTestApp } from '../harness.ts';
import { described, plannings, prepareWatched, Watch } from './reading.ts';

/*
 * Numbering, on a table that has never been analysed, where more is to be numbered than a turn takes, in rows as large as those of
 * a busy shop. What was numbered since the last vacuum is passed by in the same way as what is left for later.
 */
for (const [title, planning] of Object.entries(plannings))
  it(`numbers the first events without a look at the others, plans ${title}`, async () => {
    const url = await createTestDatabase();
    await prepareWatched(url, planning);
    const watch = new Watch(url, planning);
    const app = await startTestApp({ DATABASE_URL: url, WORKERS: 'off', REQUEST_LOG: 'off' });
    const { database } = app.running.app;
    const workspaceId = decodeId('ws', (await app.newWorkspace()).workspaceId) as string;
    const ctx = { app: app.running.app, requestId: 'req_test' };
    const event = {
      type: 'pass.updated',
      workspaceId,
      passId: null,
      instanceId: null,
      actor: 'system',
      data: { text: 'x'.repeat(7_500) },
    } as const;
    for (let transaction = 0; transaction < 1_000; transaction++)
      await database.transaction(async (tx) => recordEvent(tx, ctx, event));
    const readings = await watch.during(() =>
      database.transaction((tx) => numberEvents(tx, ctx, workspaceId, 'skip')),
    );
    watch.end();
    const [{ left } = { left: 0 }] = await app.sql<{ left: number }>(
      'select count(*)::int as left from event_outbox where workspace_id = $1',
      [workspaceId],
    );
    assert.ok(left > 700);
    // A row is first found by its id, then deleted.
    const most = 2 * (1_000 - left);
    for (const reading of readings)
      assert.ok((reading.rows.get('event_outbox') ?? 0) <= most, described([reading]));
  });
