import type { Due } from '../engine/due.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { EventType } from './event-kinds.ts';

/** The kinds of events that statistics count. */
export const countedTypes: readonly EventType[] = [
  'instance.issued',
  'instance.installed',
  'instance.removed',
  'instance.voided',
  'instance.reactivated',
  'instance.erased',
  'points.awarded',
  'points.adjusted',
  'points.reversed',
  'points.expired',
  'reward.unlocked',
  'reward.redeemed',
];

/** Workspaces with events that statistics may not have counted: a moment after they were numbered, so that many come together. */
export const uncountedDue: Due = { table: 'eventCounters', due: 'uncountedSince', lateMs: 1_000 };

/** These workspaces, those that waited longest first. */
export async function listUncounted(
  db: Db,
  { before, within, most }: { readonly before: Date; readonly within: Sql; readonly most: number },
): Promise<{ workspaceId: string }[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from event_counters where ${within} and uncounted_since <= ${before}
    order by uncounted_since limit ${most}
  `.execute(db);
  return rows;
}

/** Records that the events of a workspace are counted up to a number. Does nothing if more events have numbers now. */
export async function dropCounted(tx: Tx, workspaceId: string, countedSeq: number): Promise<void> {
  await sql`
    update event_counters set uncounted_since = null where workspace_id = ${workspaceId} and last_seq = ${countedSeq}
  `.execute(tx);
}
