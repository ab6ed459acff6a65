import type { Db } from '../../kit/db/database.ts';
import { type DiagnosedDevice, listDiagnosedDevices } from './diagnosis.sql.ts';

export type { DiagnosedDevice };

/** A link that was passed on can be on any number of devices; the newest tell enough. */
const mostDevices = 10;

/** How it stands with the newest ten of the devices that hold a card. */
export async function diagnosedDevices(
  db: Db,
  card: { workspaceId: string; instanceId: string },
): Promise<DiagnosedDevice[]> {
  return listDiagnosedDevices(db, card, mostDevices);
}
