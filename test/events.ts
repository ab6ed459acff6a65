import assert from 'node:assert/strict';
import type { Client, Json } from './client.ts';

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
