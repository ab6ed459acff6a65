import type { Tx } from '../kit/db/database.ts';
import { newUuidV7 } from '../kit/ids.ts';

/** Something that happened, for the event log. */
export interface NewEvent {
  readonly workspaceId: string;
  readonly kind: 'sweep.finished';
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
