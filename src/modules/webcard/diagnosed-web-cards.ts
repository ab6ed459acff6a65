import type { Db } from '../../kit/db/database.ts';
import { type DiagnosedWebCard, listDiagnosedWebCards } from './diagnosis.sql.ts';

export type { DiagnosedWebCard };

/** A link that was passed on can be open in any number of browsers; these tell enough. */
const mostWebCards = 10;

/** How it stands with ten of the browsers that have a card open or installed. */
export async function diagnosedWebCards(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<DiagnosedWebCard[]> {
  return listDiagnosedWebCards(db, card, mostWebCards);
}
