import type { Db } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { passNotFound } from './find-pass.ts';
import type { PassRow } from './pass-row.ts';
import { findPassAnywhere } from './passes.sql.ts';

/** The colours of a pass, whoever asks: every card shows them. Raises `pass_not_found`. */
export async function findColors(db: Db, publicId: string): Promise<PassRow['colors']> {
  const passId = decodeId('pass', publicId);
  const row = passId === null ? undefined : await findPassAnywhere(db, passId);
  if (row === undefined) throw passNotFound(publicId);
  return row.colors;
}
