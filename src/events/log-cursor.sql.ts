import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** How far the log of a workspace was followed. */
export interface LogCursor {
  /** The last event that statistics have counted. */
  readonly countedSeq: number;
  readonly countedAt: Date;
  /** What happened before is counted by a walk; null: nothing was. */
  readonly countsFrom: Date | null;
  /** The last event whose deliveries to webhooks were made. */
  readonly sentSeq: number;
}

/** Locks how far a log was followed; undefined where it is to be passed over and another transaction has it. */
export async function lockCursor(
  tx: Tx,
  workspaceId: string,
  wait: 'wait' | 'skip',
): Promise<LogCursor | undefined> {
  const select = async () => {
    const { rows } = await prepared<LogCursor>`
      select counted_seq, counted_at, counts_from, sent_seq from statistics_cursors where workspace_id = ${workspaceId}
      for no key update ${sql.raw(wait === 'skip' ? 'skip locked' : '')}
    `.execute(tx);
    return rows[0];
  };
  const held = await select();
  if (held !== undefined) return held;
  await sql`insert into statistics_cursors (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(
    tx,
  );
  return select();
}

/** Keeps how far a log was followed. */
export async function moveCursor(
  tx: Tx,
  workspaceId: string,
  { countedSeq, countedAt, sentSeq }: Omit<LogCursor, 'countsFrom'>,
): Promise<void> {
  await prepared`
    update statistics_cursors set counted_seq = ${countedSeq}, counted_at = ${countedAt}, sent_seq = ${sentSeq}
    where workspace_id = ${workspaceId}
  `.execute(tx);
}

/** The last event of a workspace whose deliveries to webhooks were made; 0 where there is none. */
export async function findSentSeq(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ sentSeq: number }>`
    select sent_seq from statistics_cursors where workspace_id = ${workspaceId}
  `.execute(db);
  return rows[0]?.sentSeq ?? 0;
}
