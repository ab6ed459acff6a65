import type { Db } from '../kit/db/database.ts';
import { countsOf, findPassesByBarcode } from './passes.sql.ts';

/** A pass of barcode mode 'simple': every one of its cards carries the code. */
export interface SharedBarcode {
  readonly passId: string;
  readonly barcode: string;
  /** How many cards carry it. */
  readonly issued: number;
}

/** The passes whose shared code is one of these. */
export async function findSharedBarcodes(
  db: Db,
  workspaceId: string,
  barcodes: readonly string[],
): Promise<SharedBarcode[]> {
  const passes = await findPassesByBarcode(db, workspaceId, barcodes);
  const counts = await countsOf(
    db,
    workspaceId,
    passes.map((pass) => pass.passId),
  );
  return passes.map((pass) => ({ ...pass, issued: counts.get(pass.passId)?.issued ?? 0 }));
}
