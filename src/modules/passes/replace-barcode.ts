import type { Tx } from '../../kit/db/database.ts';
import type { PassRow } from './pass-row.ts';
import { type AssignedCode, replaceCode } from './pool.sql.ts';

/** Forgets the code that a card has from the pool of its pass: `other` stands there instead, as on the card. */
export async function replaceBarcode(
  tx: Tx,
  pass: Pick<PassRow, 'workspaceId' | 'passId'>,
  code: AssignedCode,
  other: string,
): Promise<void> {
  await replaceCode(tx, pass, code, other);
}
