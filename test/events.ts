import assert from 'node:assert/strict';
import { recordEvent } from '../src/events/record-event.ts';
import { decodeId } from '../src/kit/ids.ts';
import type { Client, Json } from './client.ts';
import type { TestApp } from './harness.ts';

/** All events of a workspace in their order, or those that the filters of `GET /events` leave, such as `type=points.awarded`. */
export async function eventsOf(client: Client, filters = ''): Promise<Json[]> {
  const events: Json[] = [];
  for (let afterSeq = 0; ; ) {
    const { status, body, text } = await client.get(`/events?afterSeq=${afterSeq}&limit=100&${filters}`);
    assert.equal(status, 200, text);
    events.push(...body.data);
    if (body.nextCursor === null) return events;
    afterSeq = body.data.at(-1).seq;
  }
}

/** An event in the workspace of a client; its id. */
export async function makeEvent({ running: { app } }: TestApp, client: Client): Promise<string> {
  const workspaceId = decodeId('ws', (await client.get('/workspace')).body.workspaceId) ?? assert.fail();
  const event = {
    type: 'pass.created',
    workspaceId,
    actor: 'system',
    passId: null,
    instanceId: null,
    data: {},
  } as const;
  await app.database.transaction(async (tx) => recordEvent(tx, { app, requestId: 'req_test' }, event));
  return (await client.get('/events')).body.data[0].eventId;
}
