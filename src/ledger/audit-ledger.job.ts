import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicCtx } from '../context.ts';
import { acquirePace, lockLeased } from '../engine/queue.sql.ts';
import { inSnapshot } from '../kit/db/database.ts';
import { sqlState } from '../kit/db/database-errors.ts';
import { encodeId } from '../kit/ids.ts';
import { countOn, keepAudit } from './audit-ledger.ts';
import {
  deleteRecount,
  findUncounted,
  insertRecount,
  type RecountTurn,
  recountTurns,
  saveRecount,
} from './audits.sql.ts';
import type { Recount } from './recount.ts';

const dayMs = 86_400_000;

/**
 * Takes the next step of the recount that waited longest, and begins one where the last is a day old. False when there is
 * none. A step is one transaction that also keeps how far it came: a worker that dies leaves the rest to others.
 */
export async function auditLedgers(ctx: PublicCtx): Promise<boolean> {
  const { now } = ctx.app;
  const next = await acquirePace({ app: ctx.app, queue: recountTurns }, now());
  if (next === undefined) return beginRecount(ctx);
  const began = performance.now();
  const recount = await takeStep(ctx, next);
  if (recount !== null && recount.findings.length > 0) complain(ctx, recount);
  // Those who wait for an answer use the same database: it gets as much rest as it had work.
  await sleep(performance.now() - began);
  return true;
}

async function beginRecount({ app: { database, now } }: PublicCtx): Promise<boolean> {
  const workspaceId = await findUncounted(database.db, new Date(now().getTime() - dayMs));
  if (workspaceId === undefined) return false;
  await database.transaction((tx) => insertRecount(tx, workspaceId, now()));
  return true;
}

/** The recount that has ended with this step; null when it goes on, or another worker has it. */
async function takeStep(ctx: PublicCtx, next: RecountTurn): Promise<Recount | null> {
  const { database, now } = ctx.app;
  try {
    return await inSnapshot(database, async (tx) => {
      const recount = await lockLeased(tx, recountTurns, next);
      if (recount === undefined) return null;
      const counted = await countOn(tx, recount, ctx.app.sumStatistics);
      if (counted.stage !== 'finished') {
        await saveRecount(tx, counted);
        return null;
      }
      await deleteRecount(tx, next.workspaceId);
      await keepAudit(tx, counted, now());
      return counted;
    });
  } catch (error) {
    // Another worker came in between: the step is done.
    if (sqlState(error) === '40001') return null;
    throw error;
  }
}

function complain({ app }: PublicCtx, { workspaceId, findings }: Recount): void {
  app.log.error({ workspaceId: encodeId('ws', workspaceId), findings }, 'the ledger does not add up');
}
