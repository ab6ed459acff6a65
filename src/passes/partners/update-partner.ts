import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { Tx } from '../../kit/db/database.ts';
import { normalText } from '../../kit/http/parameters.ts';
import { holdPartner } from './find-partner.ts';
import { type PartnerChanges, presentPartner } from './partner.schema.ts';
import { replacePartner } from './partners.sql.ts';

/** Changes name, external id or metadata. What was attributed to the partner stays so. */
export async function updatePartner(
  tx: Tx,
  ctx: KeyCtx,
  input: { partnerId: string; changes: Static<typeof PartnerChanges> },
) {
  const { changes } = input;
  const before = await holdPartner(tx, ctx, input.partnerId);
  const after = {
    ...before,
    ...changes,
    ...(changes.externalId != null && { externalId: normalText('externalId', changes.externalId) }),
    updatedAt: ctx.app.now(),
  };
  await replacePartner(tx, after);
  audit(tx, ctx, {
    action: 'updatePartner',
    target: input.partnerId,
    detail: { changed: Object.keys(changes), name: after.name, externalId: after.externalId },
  });
  return presentPartner(after);
}
