import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { Tx } from '../../kit/db/database.ts';
import { holdPartner } from './find-partner.ts';
import { replacePartner } from './partners.sql.ts';

/** Removes a partner for good. Its row stays: cards and entries of the ledger name it. */
export async function deletePartner(tx: Tx, ctx: KeyCtx, input: { partnerId: string }): Promise<void> {
  const partner = await holdPartner(tx, ctx, input.partnerId);
  await replacePartner(tx, { ...partner, deletedAt: ctx.app.now() });
  audit(tx, ctx, {
    action: 'deletePartner',
    target: input.partnerId,
    detail: { name: partner.name, externalId: partner.externalId },
  });
}
