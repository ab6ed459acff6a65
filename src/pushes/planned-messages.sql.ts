import type { Queue } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { Audience } from './rollouts.sql.ts';

/** A message that is to go out later. */
export interface PlannedRow {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly passId: string;
  readonly message: string;
  readonly audience: Audience | null;
  readonly sendAt: Date;
  readonly endsAt: Date | null;
  /** When to send it; while a worker does, the end of its lease; null: it is not going to be sent. */
  readonly dueAt: Date | null;
  readonly state: 'planned' | 'cancelled' | 'unsent';
  /** The code of the error for which it was not sent. */
  readonly reason: string | null;
  readonly requestId: string;
  readonly actor: string;
  readonly createdAt: Date;
}

/** Those whose time has come. */
export const duePlanned: Queue<PlannedRow> = {
  job: 'sendPlanned',
  table: 'planned_messages',
  part: 'workspaceId',
  key: { messageId: 'uuid' },
  due: 'dueAt',
  columns: sql`*`,
};

const written = (row: PlannedRow) => ({ ...row, audience: row.audience && JSON.stringify(row.audience) });

/** Keeps a message for its time. */
export async function insertPlanned(tx: Tx, row: PlannedRow): Promise<void> {
  await tx.insertInto('plannedMessages').values(written(row)).execute();
}

/** A message of a workspace that has not gone out, kept from changing until the transaction ends. */
export function lockPlanned(tx: Tx, workspaceId: string, messageId: string): Promise<PlannedRow | undefined> {
  return sql<PlannedRow>`
    select * from planned_messages
    where workspace_id = ${workspaceId} and message_id = ${messageId}
    for no key update
  `.first(tx);
}

/** Puts a changed message in the place of what it was. */
export async function replacePlanned(tx: Tx, row: PlannedRow): Promise<void> {
  const { workspaceId, messageId, ...changed } = written(row);
  await tx
    .updateTable('plannedMessages')
    .set(changed)
    .where('workspaceId', '=', workspaceId)
    .where('messageId', '=', messageId)
    .execute();
}

/** The message has gone out: it is a rollout from now on. */
export async function deletePlanned(tx: Tx, { workspaceId, messageId }: PlannedRow): Promise<void> {
  await sql`
    delete from planned_messages where workspace_id = ${workspaceId} and message_id = ${messageId}
  `.execute(tx);
}
