import type { Db } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';

/** What Google Wallet knows of a card. */
export interface DiagnosedObject {
  /** SHA-256 of what Google was told last; null while the object is to be made. */
  readonly content: Buffer | null;
  /** Whether a holder keeps it. */
  readonly saved: boolean;
  /** The notifying updates of the last 24 hours: its own, and those of all cards of its pass. */
  readonly notifiedAt: readonly Date[];
  /** When to tell Google next; null when it has been told everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

export async function findDiagnosedObject(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<DiagnosedObject | undefined> {
  const { rows } = await sql<DiagnosedObject>`
    select o.content, o.saved, o.notified_at || coalesce(c.notified_at, '{}') as notified_at, o.due_at, o.attempts
    from google_objects o
    join instances i using (workspace_id, instance_id)
    left join google_classes c on c.workspace_id = i.workspace_id and c.pass_id = i.pass_id
    where o.workspace_id = ${card.workspaceId} and o.instance_id = ${card.instanceId}
  `.execute(db);
  return rows[0];
}
