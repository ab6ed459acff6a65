import type { Db } from '../../kit/db/database.ts';
import { type DiagnosedWebCard, listDiagnosedWebCards } from './diagnosis.sql.ts';
import { watchedForMs } from './keep-viewer.ts';

export type { DiagnosedWebCard };

/** A card has few more viewers than that; these tell enough. */
const limit = 10;

/** How it stands at `now` with ten of the browsers that have a card open or installed. */
export async function diagnosedWebCards(
  db: Db,
  card: { workspaceId: string; instanceId: string },
  now: Date,
): Promise<DiagnosedWebCard[]> {
  return listDiagnosedWebCards(db, card, { now, openUntil: new Date(now.getTime() + watchedForMs), limit });
}
