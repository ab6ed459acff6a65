import { changeInstance } from '../cards/changes.sql.ts';
import { findInstances, lockInstanceRow } from '../cards/instances.sql.ts';
import { changedNow } from '../cards/last-modified.ts';
import type { PublicCtx } from '../context.ts';
import { changeLeased, leaseDue, lockLeased } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { deleteWalk, type ErasureWalk, erasureWalks, listVoided } from './erasure-walks.sql.ts';
import { scrubFreeText } from './scrub-free-text.ts';

/** What one step looks at, and how many cards it holds at most. */
const step = { read: 1_000, cards: 20 };
/** A worker that dies in the middle of a step leaves it to others after this time. */
const leaseMs = 60_000;

/**
 * Takes the next step of forgetting what erasures of former versions have left: the callers' codes, reasons and items. False
 * when none is due.
 */
export async function walkErasures(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const at = now();
  const lease = { now: at, until: new Date(at.getTime() + leaseMs), most: 1 };
  const [taken] = await leaseDue({ app: ctx.app, queue: erasureWalks }, lease);
  if (taken === undefined) return false;
  await database.transaction(async (tx) => {
    const walk = await lockLeased(tx, erasureWalks, taken);
    if (walk !== undefined) await takeStep(tx, ctx, walk, at);
  });
  return true;
}

async function takeStep(tx: Tx, ctx: PublicCtx, walk: ErasureWalk, at: Date): Promise<void> {
  const voided = await listVoided(tx, walk, step.read);
  const erased = voided.filter(({ isErased }) => isErased).slice(0, step.cards);
  for (const { instanceId } of erased) await forgetLeft(tx, ctx, walk.workspaceId, instanceId);
  const last = erased.length === step.cards ? erased.at(-1) : voided.at(-1);
  const isOver = voided.length < step.read && last === voided.at(-1);
  if (isOver || last === undefined) return deleteWalk(tx, walk);
  await changeLeased(tx, erasureWalks, walk, { cursor: last.instanceId, dueAt: at });
}

async function forgetLeft(tx: Tx, ctx: PublicCtx, workspaceId: string, instanceId: string): Promise<void> {
  await lockInstanceRow(tx, workspaceId, instanceId);
  const [row] = await findInstances(tx, workspaceId, [instanceId]);
  if (row === undefined) return;
  await scrubFreeText(tx, ctx, row, null);
  if (row.barcode === null) return;
  // Wallets show the code.
  await changeInstance(tx, row, {}, { at: changedNow(ctx, row), shown: true });
  await announceChange(tx, ctx, row, true);
}
