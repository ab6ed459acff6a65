import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { keepPass } from './change-shown.ts';
import { countCards } from './count-cards.ts';
import { moveMark } from './count-pool.ts';
import type { PassRow } from './pass-row.ts';
import { countsOfPass } from './passes.sql.ts';
import { deleteCode, findCode, keepMark } from './pool.sql.ts';
import { normalCode } from './read-codes.ts';

/** Takes a code out of the pool that no card carries. Raises `barcode_not_found`, and `invalid_request` for one on a card. */
export async function deleteBarcode(
  tx: Tx,
  ctx: KeyCtx,
  input: { passId: string; barcode: string },
): Promise<void> {
  const pass = await keepPass(tx, ctx, input.passId);
  const code = await findCode(tx, pass, normalCode(input.barcode));
  if (code === undefined)
    throw refusal('barcode_not_found', 'The pool of this pass has no such barcode. GET …/barcodes lists it.');
  if (code.instanceId !== null) {
    const card = encodeId('inst', code.instanceId);
    throw invalidRequest(
      `The barcode is on the card ${card}; only codes that wait for a card can be deleted.`,
    );
  }
  await deleteCode(tx, pass, code.barcode);
  countCards(tx, pass, { pooled: -1 });
  await followMark(tx, ctx, pass, code.seq);
  audit(tx, ctx, { action: 'deleteBarcode', target: input.passId, detail: { barcode: code.barcode } });
}

/** A code that goes before the mark leaves as many behind it. */
async function followMark(tx: Tx, ctx: KeyCtx, pass: PassRow, seq: number): Promise<void> {
  if (pass.poolLowSeq === null || seq < pass.poolLowSeq) return;
  const { pooled, ...others } = await countsOfPass(tx, pass);
  const counts = { ...others, pooled: pooled - 1 };
  await keepMark(tx, pass, await moveMark(tx, ctx, pass, counts));
}
