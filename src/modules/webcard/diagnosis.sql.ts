import { sql } from 'kysely';
import type { Db } from '../../kit/db/database.ts';

/** A web card that is open or installed somewhere. */
export interface DiagnosedWebCard {
  /** Whether its browser takes pushes. */
  readonly takesPushes: boolean;
  readonly expiresAt: Date;
  /** When to push next; null when it has been told everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

/** Those that last longest first. */
export async function listDiagnosedWebCards(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  limit: number,
): Promise<DiagnosedWebCard[]> {
  const { rows } = await sql<DiagnosedWebCard>`
    select push_endpoint is not null as takes_pushes, expires_at, due_at, attempts
    from web_cards
    where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
    order by expires_at desc, viewer_id
    limit ${limit}
  `.execute(db);
  return rows;
}
