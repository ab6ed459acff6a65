import assert from 'node:assert/strict';
import { it } from 'node:test';
import { followLog } from '../../src/events/follow-log.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { createTestDatabase, startTestApp } from '../harness.ts';
import { described, plannings, prepareWatched, Watch } from './reading.ts';

/*
 * Following the log, in a table that has never been analysed, where more is to be read than a turn takes, in rows as large as those of
 * a busy shop.
 */
for (const [title, planning] of Object.entries(plannings))
  it(`follows the first events without a look at the others, plans ${title}`, async () => {
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
    for (let transaction = 0; transaction < 30; transaction++)
      await database.transaction(async (tx) => {
        for (let index = 0; index < 100; index++) recordEvent(tx, ctx, event);
      });
    const readings = await watch.during(() =>
      database.transaction((tx) => followLog(tx, ctx, workspaceId, 'skip')),
    );
    watch.end();
    const [{ followed } = { followed: 0 }] = await app.sql<{ followed: number }>(
      'select sent_seq::int as followed from statistics_cursors where workspace_id = $1',
      [workspaceId],
    );
    assert.equal(followed, 1_000);
    for (const reading of readings)
      assert.ok((reading.rows.get('event_log') ?? 0) <= followed, described([reading]));
  });
