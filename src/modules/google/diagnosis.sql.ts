import type { Db } from '../../kit/db/database.ts';

/** What Google Wallet knows of a card. */
export interface DiagnosedObject {
  /** SHA-256 of what Google was told last; null while the object is to be made. */
  readonly content: Buffer | null;
  /** Whether a holder keeps it. */
  readonly saved: boolean;
  /** Its notifying updates of the last 24 hours. */
  readonly notifiedAt: readonly Date[];
  /** When to tell Google next; null when it has been told everything. */
  readonly dueAt: Date | null;
  readonly attempts: number;
}

export async function findDiagnosedObject(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<DiagnosedObject | undefined> {
  return db
    .selectFrom('googleObjects')
    .select(['content', 'saved', 'notifiedAt', 'dueAt', 'attempts'])
    .where('workspaceId', '=', card.workspaceId)
    .where('instanceId', '=', card.instanceId)
    .executeTakeFirst();
}
