import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { refusal } from '../../errors.ts';
import { changedProperties } from '../../events/changed-properties.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { normalText } from '../../kit/http/endpoints/parameters.ts';
import { decodeId } from '../../kit/ids.ts';
import { lockWorkspaceRow } from '../../workspaces/workspaces.sql.ts';
import { restampPasses } from '../change-shown.ts';
import { type PartnerChanges, presentPartner } from './partner.schema.ts';
import {
  findLiveIds,
  findLivePartner,
  hasExternalId,
  lockLivePartner,
  type PartnerRow,
  replacePartner,
} from './partners.sql.ts';

/** Whose partners are looked up. Attribution is open to restricted keys, so nothing else of the caller matters. */
type Owner = Pick<KeyCtx, 'workspaceId'>;

/** A partner of the caller by its public id; raises `partner_not_found`, also for one of another account. */
export async function findPartner(db: Db, { workspaceId }: Owner, publicId: string): Promise<PartnerRow> {
  const partnerId = decodeId('part', publicId);
  const row = partnerId === null ? undefined : await findLivePartner(db, workspaceId, partnerId);
  if (row === undefined) throw partnerNotFound();
  return row;
}

/** The same, kept from changing until the transaction ends. */
async function lockPartner(tx: Tx, { workspaceId }: Owner, publicId: string): Promise<PartnerRow> {
  const partnerId = decodeId('part', publicId);
  const row = partnerId === null ? undefined : await lockLivePartner(tx, workspaceId, partnerId);
  if (row === undefined) throw partnerNotFound();
  return row;
}

/**
 * Which partners of the workspace the public ids name: public id → id, in one query, or none where nothing is named.
 * Unknown ids, those of a deleted partner and those of another account are absent: refuse them with `partnerNotFound`.
 */
export async function requirePartners(
  db: Db,
  { workspaceId }: Owner,
  publicIds: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const asked = new Map<string, string>();
  for (const publicId of publicIds) {
    const partnerId = publicId == null ? null : decodeId('part', publicId);
    if (publicId != null && partnerId !== null) asked.set(publicId, partnerId);
  }
  if (asked.size === 0) return asked;
  const live = await findLiveIds(db, workspaceId, [...asked.values()]);
  return new Map([...asked].filter(([, partnerId]) => live.has(partnerId)));
}

export function partnerNotFound() {
  return refusal('partner_not_found', 'No partner has this id in this workspace. GET /partners lists yours.');
}

/**
 * Raises `external_id_taken` where a partner of the workspace has the external id, and keeps others from taking it until the
 * transaction ends. No index does: former versions let several have the same, and these keep it.
 */
export async function refuseTaken(tx: Tx, { workspaceId }: Owner, externalId: string): Promise<void> {
  await lockWorkspaceRow(tx, workspaceId);
  if (!(await hasExternalId(tx, workspaceId, externalId))) return;
  throw refusal(
    'external_id_taken',
    'Another partner has this externalId. GET /partners?externalId= shows it.',
  );
}

/**
 * Changes name, external id, location or metadata. What was attributed to the partner stays so; cards that were issued at it
 * show the places nearest to where it is now. Raises `external_id_taken` for the
 * external id of another one.
 */
export async function updatePartner(
  tx: Tx,
  ctx: KeyCtx,
  input: { partnerId: string; changes: Static<typeof PartnerChanges> },
) {
  const { changes } = input;
  const before = await lockPartner(tx, ctx, input.partnerId);
  const externalId = changes.externalId == null ? null : normalText('externalId', changes.externalId);
  const after = {
    ...before,
    ...changes,
    ...(externalId !== null && { externalId }),
    updatedAt: ctx.app.now(),
  };
  if (externalId !== null && externalId !== before.externalId) await refuseTaken(tx, ctx, externalId);
  await replacePartner(tx, after);
  if (!isDeepStrictEqual(before.location, after.location))
    await restampPasses(tx, ctx, ctx.workspaceId, 'chains');
  const shown = presentPartner(after);
  const { previous, current } = changedProperties(
    { ...presentPartner(before), updatedAt: shown.updatedAt },
    shown,
  );
  audit(tx, ctx, {
    action: 'updatePartner',
    target: input.partnerId,
    detail: { before: previous, after: current },
  });
  return shown;
}

/** Removes a partner for good. Its row stays: cards and entries of the ledger name it. */
export async function deletePartner(tx: Tx, ctx: KeyCtx, input: { partnerId: string }): Promise<void> {
  const partner = await lockPartner(tx, ctx, input.partnerId);
  await replacePartner(tx, { ...partner, deletedAt: ctx.app.now() });
  audit(tx, ctx, {
    action: 'deletePartner',
    target: input.partnerId,
    detail: { before: { name: partner.name, externalId: partner.externalId } },
  });
}
