import type { KeyCtx } from '../context.ts';
import { pageOf } from '../engine/listing.ts';
import { refusal } from '../errors.ts';
import type { Db } from '../kit/db/database.ts';
import { presentEvent } from './event.schema.ts';
import {
  type EventCounter,
  type EventFilter,
  type EventRow,
  findCounter,
  findEvent,
  findMoment,
  findOwnerOfEvent,
  listEvents,
} from './event-log.sql.ts';

interface From {
  /** The last number that was read: those behind it in their order; null: the newest first. */
  readonly afterSeq: number | null;
  /** How long to wait for the first event. */
  readonly waitMs: number;
}

/** A page of the log. What was committed before the call is in it. */
export async function readEvents(
  ctx: KeyCtx,
  filter: EventFilter,
  query: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
  { afterSeq, waitMs }: From,
) {
  const { places, until } = ctx.app.eventWaits;
  const { wait: _, limit: __, cursor: ___, ...named } = query as Record<string, string | undefined>;
  const scope = `listEvents/${ctx.workspaceId}/${JSON.stringify(named)}`;
  const read = async () => {
    const counter = await findCounter(ctx.app.database.db, ctx.workspaceId);
    const { above, below } = await boundsOf(ctx.app.database.db, filter);
    const asked = pageOf(ctx, scope, query);
    const { take } = asked;
    const seq = asked.after === null ? null : Number(asked.after);
    const rows = await listEvents(
      ctx.app.database.db,
      filter,
      afterSeq === null
        ? { order: 'desc', above, below: Math.min(below, seq ?? below), take }
        : { order: 'asc', above: Math.max(above, seq ?? afterSeq), below, take },
    );
    return { page: asked.of(rows, 'seq', presentEvent), head: counter?.lastSeq ?? 0 };
  };
  const first = await read();
  if (waitMs === 0 || first.page.data.length > 0) return first.page;
  const signal = ctx.client?.signal;
  const wait = async () => {
    const end = performance.now() + waitMs;
    for (let { head, page } = first; ; ) {
      const leftMs = end - performance.now();
      if (page.data.length > 0 || leftMs <= 0 || ctx.app.isDraining()) return page;
      if (await until(ctx.workspaceId, head, Math.min(leftMs, judgedMs), signal))
        ({ head, page } = await read());
      // However short the wait was: the event may be younger than the end of the caller's access.
      await ctx.app.askKeyAgain.beforeAnswer(ctx, 0);
    }
  };
  return places.enter(ctx.workspaceId, wait, signal);
}

/** The pause between two checks of a waiting caller: with the age of the caches, a caller whose access has ended waits for a second at most. */
const judgedMs = 200;

/** Events of one moment get their numbers within this time: the longest transaction, and how far clocks are apart. */
const spareMs = 60_000;

/** Between which numbers the events of a time are, both left out: found by halves, since there is no gap among them. */
async function boundsOf(db: Db, filter: EventFilter): Promise<{ above: number; below: number }> {
  const { workspaceId, createdAfter, createdBefore } = filter;
  const all = { above: 0, below: Number.MAX_SAFE_INTEGER };
  if (createdAfter === undefined && createdBefore === undefined) return all;
  const counter = await findCounter(db, workspaceId);
  if (counter === undefined) return all;
  const firstSince = (moment: number) => findFirstSeq(db, workspaceId, counter, moment);
  return {
    above: createdAfter === undefined ? 0 : (await firstSince(createdAfter.getTime() - spareMs)) - 1,
    below: createdBefore === undefined ? all.below : await firstSince(createdBefore.getTime() + spareMs),
  };
}

/**
 * The number of the first event since a moment, or else the number that the next event will get. The order of numbers may
 * differ from the order of times.
 */
export async function findFirstSeq(
  db: Db,
  workspaceId: string,
  { firstSeq, lastSeq }: EventCounter,
  moment: number,
): Promise<number> {
  let low = firstSeq;
  let high = lastSeq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const at = await findMoment(db, workspaceId, middle);
    // One that is gone was older.
    if (at === undefined || at.getTime() < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An event of the caller's workspace. Raises `event_not_found`, and `forbidden` for that of another account. */
export async function findOwnEvent(ctx: KeyCtx, eventId: string | null): Promise<EventRow> {
  const { db } = ctx.app.database;
  if (eventId !== null) {
    const row = await findEvent(db, ctx.workspaceId, eventId);
    if (row !== undefined) return row;
    if ((await findOwnerOfEvent(db, eventId)) !== undefined)
      throw refusal('forbidden', 'This event belongs to another account.');
  }
  throw refusal('event_not_found', 'There is no event with this id; events are kept for 30 days.');
}
