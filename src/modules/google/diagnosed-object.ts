import type { Db } from '../../kit/db/database.ts';
import { type DiagnosedObject, findDiagnosedObject } from './diagnosis.sql.ts';

export type { DiagnosedObject };

/** How it stands with a card at Google; null when nobody has asked for it there. */
export async function diagnosedObject(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<DiagnosedObject | null> {
  return (await findDiagnosedObject(db, card)) ?? null;
}
