import { changeInstance } from '../cards/changes.sql.ts';
import { presentInstance, presentUpdate } from '../cards/instance.schema.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import { clearItems } from '../commerce/orders/orders.sql.ts';
import type { PublicCtx } from '../context.ts';
import { forgetEvents } from '../events/number-events.ts';
import { listClaimsOf } from '../events/timeline.sql.ts';
import { newBarcode } from '../issuing/assign-barcodes.ts';
import { overwriteAnswers } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { forgetReasons } from '../loyalty/forget-reasons.ts';
import { replaceCode } from '../passes/pool.sql.ts';
import { countNumbered } from '../statistics/count-events.ts';
import { forgetAnswers } from '../webhooks/deliveries.sql.ts';

/**
 * Forgets what callers have said around a card that is erased: the code that they have given it, the reasons of its
 * entries, the items of its orders, the answers that were kept for replays, what its events say, and what receivers of these
 * have answered. The caller holds the card, and says under
 * which identifier it knew the holder. Answers the code that the card has from then on.
 */
export async function forgetWords(
  tx: Tx,
  ctx: PublicCtx,
  erased: InstanceRow,
  identifier: string | null,
): Promise<string | null> {
  await clearItems(tx, erased);
  const { instanceId, barcode: former } = erased;
  // One that never was on a card: who scans the former finds nobody.
  const barcode = former === null ? null : newBarcode();
  if (former !== null && barcode !== null) {
    await changeInstance(tx, erased, { barcode }, null);
    await replaceCode(tx, erased, { instanceId, barcode: former }, barcode);
  }
  await forgetReasons(tx, erased, identifier);
  await forgetKeptAnswers(tx, ctx, { ...erased, barcode });
  await forgetEvents(tx, ctx, erased, countNumbered);
  await forgetAnswers(tx, erased);
  return barcode;
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
}
