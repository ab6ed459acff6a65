import { deleteConsents } from '../cards/consents.sql.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import type { PublicCtx } from '../context.ts';
import { emailHashOf } from '../engine/email-hash.ts';
import type { Tx } from '../kit/db/database.ts';
import { normalEmail } from '../kit/mail/address.ts';
import { deleteProofsOf } from './proofs.sql.ts';

/** Forgets what the person whose card is erased has agreed to, and what they have entered since. */
export async function forgetJoin(tx: Tx, ctx: PublicCtx, row: InstanceRow): Promise<void> {
  await deleteConsents(tx, row);
  const email = normalEmail(row.holder?.email ?? '');
  if (email !== null) await deleteProofsOf(tx, row, emailHashOf(ctx, row.workspaceId, email));
}
