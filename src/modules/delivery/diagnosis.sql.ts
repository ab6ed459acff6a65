import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** What a card owes its wallets. */
export interface DiagnosedPush {
  /** Since when it waits for credits. */
  readonly skippedAt: Date | null;
  /** The wallets that have not been told yet. */
  readonly apple: boolean;
  readonly google: boolean;
  readonly web: boolean;
}

/** A change of a whole pass, or a message, that is not finished. */
export interface DiagnosedRollout {
  readonly rolloutId: string;
  /** Whether it is one of the card's own pass, and has not reached the card yet. */
  readonly isAhead: boolean;
  readonly kind: 'design' | 'message';
  readonly cards: number;
  readonly reached: number;
  readonly createdAt: Date;
}

interface Card {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
}

/** What a card owes its wallets; undefined when it owes nothing. */
export async function findDiagnosedPush(db: Db, card: Card): Promise<DiagnosedPush | undefined> {
  return db
    .selectFrom('pushes')
    .select(['skippedAt', 'apple', 'google', 'web'])
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .executeTakeFirst();
}

/** Those of the card's pass, and those of these ids, whatever workspace owns them; the oldest first. */
export async function listDiagnosedRollouts(
  db: Db,
  card: Card,
  rolloutIds: readonly string[],
): Promise<DiagnosedRollout[]> {
  const { rows } = await sql<DiagnosedRollout>`
    select rollout_id, kind, cards, done + skipped as reached, created_at,
      workspace_id = ${card.workspaceId} and pass_id = ${card.passId} and stage = 'cards'
        and (cursor is null or cursor < ${card.instanceId}) as is_ahead
    from rollouts
    where stage <> 'finished' and (
      (workspace_id = ${card.workspaceId} and pass_id = ${card.passId}) or rollout_id = any(${rolloutIds}::uuid[])
    )
    order by created_at, rollout_id
  `.execute(db);
  return rows;
}
