import { StoreTrouble } from '../../connectors/connector.ts';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import { refusal } from '../../errors.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { LostRace } from '../../kit/db/database-errors.ts';
import { encodeId } from '../../kit/ids.ts';
import {
  findPass,
  lockForIssue,
  passNotFound,
  refuseForeignPass,
  refuseUnpublished,
} from '../../passes/find-pass.ts';
import type { PassKey } from '../../passes/pass-row.ts';
import { findStoreForPass } from '../../stores/find-store.ts';
import { isReadable, type StoreRow } from '../../stores/store-row.ts';
import { readCustomers } from './decide-outcomes.ts';
import { showSweep } from './find-sweep.ts';
import type { SweepInput } from './sweep.schema.ts';
import { noCounts } from './sweep-row.ts';
import { findRunningSweep, insertSweep } from './sweeps.sql.ts';

/**
 * The store that a sweep would read, after its first page was read, so that what is wrong with it shows at once. Raises,
 * in this order: `pass_not_found`, `forbidden`, `insufficient_scope`, `pass_not_active`, `store_not_found`, `forbidden`,
 * `sweep_running`, `sweep_failed`.
 */
export async function tryStore(ctx: KeyCtx, passId: string, input: SweepInput): Promise<StoreRow> {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, passId);
  refuseUnpublished(pass);
  const store = await findStoreForPass(db, ctx, pass.passId, input.storeId);
  await refuseSecond(db, pass);
  if (store === undefined)
    throw sweepFailed(
      'store_not_connected',
      'No store is connected whose customers could be invited. Name it with storeId where there are several.',
    );
  if (!isReadable(store))
    throw sweepFailed(
      'customers_not_readable',
      'Stores of this platform have no list of customers that could be read.',
    );
  try {
    await readCustomers(ctx, store, null);
  } catch (error) {
    throw error instanceof StoreTrouble ? sweepFailed(error.reason, error.message) : error;
  }
  return store;
}

/** Begins a sweep of a store that was tried. Raises `sweep_running` when another was faster. */
export async function startSweep(
  tx: Tx,
  ctx: KeyCtx,
  { passId, store, ...input }: SweepInput & { readonly passId: string; readonly store: StoreRow },
) {
  const pass = await lockForIssue(tx, ctx.workspaceId, passId);
  if (pass === undefined) throw passNotFound(passId);
  refuseForeignPass(ctx, pass);
  refuseUnpublished(pass);
  const { workspaceId } = pass;
  const sweep = await insertSweep(
    tx,
    {
      workspaceId,
      passId: pass.passId,
      storeId: store.storeId,
      dryRun: input.dryRun ?? false,
      most: input.limit ?? null,
      counts: noCounts,
      actor: ctx.actor,
    },
    ctx.app.now(),
  );
  if (sweep === undefined) {
    await refuseSecond(tx, pass);
    // It has just ended.
    throw new LostRace();
  }
  audit(tx, ctx, {
    action: 'startSweep',
    target: encodeId('sweep', sweep.sweepId),
    detail: { passId, storeId: encodeId('store', sweep.storeId), dryRun: sweep.dryRun, limit: sweep.most },
  });
  wakeAfter(tx, ctx, ctx.workspaceId, 'runSweeps');
  return showSweep(tx, sweep);
}

async function refuseSecond(db: Db, pass: PassKey): Promise<void> {
  const running = await findRunningSweep(db, pass);
  if (running === undefined) return;
  const { state } = await showSweep(db, running);
  throw refusal(
    'sweep_running',
    'A sweep of customers is running for this pass. Wait until it has ended, or cancel it.',
    { state },
  );
}

function sweepFailed(reason: string, message: string) {
  return refusal('sweep_failed', message, { reason });
}
