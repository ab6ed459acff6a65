import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { Tx } from '../../kit/db/database.ts';
import { normalText } from '../../kit/http/endpoints/parameters.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { type NewPartner, presentPartner } from './partner.schema.ts';
import { insertPartner } from './partners.sql.ts';
import { refuseTaken } from './partners.ts';

/**
 * A new partner, at whom cards are issued and points are earned. Its external id is compared in NFC. Raises
 * `external_id_taken` for that of another one.
 */
export async function createPartner(tx: Tx, ctx: KeyCtx, input: Static<typeof NewPartner>) {
  const now = ctx.app.now();
  const row = {
    workspaceId: ctx.workspaceId,
    partnerId: newUuidV7(),
    name: input.name,
    externalId: input.externalId == null ? null : normalText('externalId', input.externalId),
    location: input.location ?? null,
    metadata: input.metadata ?? {},
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  if (row.externalId !== null) await refuseTaken(tx, ctx, row.externalId);
  await insertPartner(tx, row);
  audit(tx, ctx, {
    action: 'createPartner',
    target: encodeId('part', row.partnerId),
    detail: { name: row.name, externalId: row.externalId },
  });
  return presentPartner(row);
}
