import { changeInstance } from '../cards/changes.sql.ts';
import { presentInstance, presentUpdate } from '../cards/instance.schema.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import type { PublicCtx } from '../context.ts';
import { forgetEvents } from '../events/forget-events.ts';
import { forgetClaimsOf, listClaimsOf } from '../events/timeline.sql.ts';
import { batchesOf } from '../kit/batches.ts';
import { hideClaims, overwriteAnswers } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { forgetReasons } from '../loyalty/forget-reasons.ts';
import { clearItems } from '../orders/orders.sql.ts';
import { newBarcode } from '../passes/barcode-formats.ts';
import { replaceCode } from '../passes/pool.sql.ts';
import { forgetAnswers } from '../webhooks/deliveries.sql.ts';
import { listClaimsOfCard } from './claims-of-card.sql.ts';

/**
 * Forgets what callers have said around a card that is erased: the code that they have given it, the reasons of its
 * entries, the items of its orders, the keys of calls and the answers that were kept for replays, what its events say, and what receivers of these
 * have answered. The caller holds the card, and says under
 * which identifier it knew the holder. Answers the code that the card has from then on.
 */
export async function scrubFreeText(
  tx: Tx,
  ctx: PublicCtx,
  erased: InstanceRow,
  identifier: string | null,
): Promise<string | null> {
  await clearItems(tx, erased);
  const { instanceId, barcode: former } = erased;
  // One that never was on a card: a scan of the former code finds no card. It is not scanned, so it need not fit the pass's format.
  const barcode = former === null ? null : newBarcode('qr');
  if (former !== null && barcode !== null) {
    await changeInstance(tx, erased, { barcode }, null);
    await replaceCode(tx, erased, { instanceId, barcode: former }, barcode);
  }
  await forgetNames(tx, ctx, { ...erased, barcode }, identifier);
  await forgetEvents(tx, ctx, erased);
  await forgetAnswers(tx, erased);
  return barcode;
}

/**
 * Forgets by which names callers know an erased card, its entries and their calls, and the answers that were kept for
 * replays: also what erasures of former versions have left.
 */
export async function forgetNames(
  tx: Tx,
  ctx: PublicCtx,
  erased: InstanceRow,
  identifier: string | null,
): Promise<void> {
  const externalRef = null;
  await changeInstance(tx, erased, { externalRef }, null);
  await forgetReasons(tx, ctx, erased, identifier);
  await forgetKeptAnswers(tx, ctx, { ...erased, externalRef });
}

/** What was kept for replays shows the erased card from now on, in the shape of its operation. */
async function forgetKeptAnswers(tx: Tx, ctx: PublicCtx, erased: InstanceRow): Promise<void> {
  const { publicUrl } = ctx.app.config;
  const claims = Map.groupBy(
    await listClaimsOf(tx, erased),
    ({ operation }) => operation === 'issueInstance',
  );
  const { workspaceId } = erased;
  const issued = JSON.stringify(presentInstance(publicUrl, erased));
  await overwriteAnswers(tx, workspaceId, claims.get(true) ?? [], issued);
  const updated = JSON.stringify(
    presentUpdate(publicUrl, erased, { pushed: false, pushSkipReason: 'unchanged' }),
  );
  await overwriteAnswers(tx, workspaceId, claims.get(false) ?? [], updated);
  await hideKeys(tx, ctx, erased, [...claims.values()].flat());
}

/** How many keys are hidden at a time. */
const mostKeys = 1_000;

/** The idempotency keys of callers become unreadable: they stay as keyed hashes, so that a repeat is known. */
async function hideKeys(
  tx: Tx,
  { app }: PublicCtx,
  { workspaceId, instanceId }: InstanceRow,
  claims: readonly { readonly operation: string; readonly key: string }[],
): Promise<void> {
  const { keyHash } = app.database;
  if (keyHash === undefined) throw new Error('keys of callers cannot be hidden without a hash');
  for (const some of batchesOf(claims, mostKeys)) await hideClaims(tx, workspaceId, some, keyHash);
  const publicId = encodeId('inst', instanceId);
  for (let isMore = true; isMore; ) {
    const found = await listClaimsOfCard(tx, workspaceId, publicId, mostKeys);
    await hideClaims(tx, workspaceId, found, keyHash);
    isMore = found.length === mostKeys;
  }
  await forgetClaimsOf(tx, { workspaceId, instanceId });
}
