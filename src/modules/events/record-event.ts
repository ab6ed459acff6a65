import type { Tx } from '../../kit/db/database.ts';
import { insertEvent, type NewEvent } from './events.sql.ts';

/** Tells the event log of something, in the transaction in which it happens. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await insertEvent(tx, event);
}
