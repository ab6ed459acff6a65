import type { Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';

/** Something that happened, for the event log. */
export interface NewEvent {
  readonly workspaceId: string;
  readonly kind: 'pool.low' | 'sweep.finished';
  readonly passId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx
    .insertInto('events')
    .values({ ...event, eventId: newUuidV7(), data: JSON.stringify(event.data) })
    .execute();
}

/** Writes the row that a query answers, where it answers one. */
export function insertFrom(kind: NewEvent['kind'], eventId: string, rows: Sql): Sql {
  return sql`
    insert into events (workspace_id, event_id, kind, pass_id, data, created_at)
    select workspace_id, ${eventId}::uuid, ${kind}, pass_id, data, created_at from (${rows}) as given
  `;
}
