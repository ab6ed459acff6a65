import type { Tx } from '../kit/db/database.ts';
import type { Sql } from '../kit/db/sql.ts';
import { insertEvent, insertFrom, type NewEvent } from './events.sql.ts';

/** Tells the event log of something, in the transaction in which it happens. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await insertEvent(tx, event);
}

/**
 * The end of a statement that tells the event log of what it answers: a row of workspace_id, pass_id, data and created_at,
 * or none.
 */
export function eventsOf(kind: NewEvent['kind'], eventId: string, rows: Sql): Sql {
  return insertFrom(kind, eventId, rows);
}
