import type { Db } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { type DiagnosedCard, type DiagnosedEvent, findDiagnosed, listNewestEvents } from './diagnosis.sql.ts';
import { instanceNotFound } from './find-instance.ts';

export type { DiagnosedCard, DiagnosedEvent };

const mostReports = 5;

/**
 * A card by its public id, whoever owns it, with the newest event of each kind and wallet, newest first, and the last
 * five things that devices reported. Raises `instance_not_found`.
 */
export async function diagnosedCard(
  db: Db,
  publicId: string,
): Promise<{ card: DiagnosedCard; events: DiagnosedEvent[] }> {
  const instanceId = decodeId('inst', publicId);
  const card = instanceId === null ? undefined : await findDiagnosed(db, instanceId);
  if (card === undefined) throw instanceNotFound(`the id "${publicId.slice(0, 40)}"`);
  return { card, events: await listNewestEvents(db, card, mostReports) };
}
