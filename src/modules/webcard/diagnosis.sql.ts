import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** A browser that has a card open or installed. */
export interface DiagnosedWebCard {
  readonly isInstalled: boolean;
  /** Whether it takes pushes. */
  readonly takesPushes: boolean;
  /** When to push next; null when it has been told everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

/** Those that count as a wallet after `now`, those that last longest first; who lasts longer than `openUntil` has it installed. */
export async function listDiagnosedWebCards(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  { now, openUntil, limit }: { now: Date; openUntil: Date; limit: number },
): Promise<DiagnosedWebCard[]> {
  const { rows } = await sql<DiagnosedWebCard>`
    select expires_at > ${openUntil} as is_installed, push_endpoint is not null as takes_pushes, due_at, attempts
    from web_cards
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId} and expires_at > ${now}
    order by expires_at desc, viewer_id
    limit ${limit}
  `.execute(db);
  return rows;
}
