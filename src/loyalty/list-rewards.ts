import type { Static } from 'typebox';
import { findInstance, instanceNotFound, refuseExpired, refuseVoided } from '../cards/find-instance.ts';
import { expiryOf } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import { pageOf } from '../engine/listing.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { listPending } from '../ledger/accounts.sql.ts';
import { readHolding } from '../ledger/entries.sql.ts';
import { findPass } from '../passes/find-pass.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { rewardsOf } from '../passes/programs/rewards.ts';
import { requireActiveProgram } from './ledger-item.ts';
import { findTargets } from './lock-targets.ts';
import { type RedeemableReward, spendableNow } from './loyalty.schema.ts';
import { type Named, targetOf } from './target.schema.ts';

interface Asked extends Named {
  readonly passId: string;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** A reward at its place in the list. */
interface Placed {
  readonly place: number;
  readonly reward: Static<typeof RedeemableReward>;
}

/**
 * The rewards that a card can redeem now, in the order of the program, or in which they were unlocked: the first is the one
 * that a redeem takes by default. Refused like the redeem would be.
 */
export async function listRewards(ctx: KeyCtx, asked: Asked) {
  const { db } = ctx.app.database;
  const target = targetOf(asked);
  const pass = await findPass(db, ctx, asked.passId);
  const program = await programOfPass(db, pass.workspaceId, pass.passId);
  requireActiveProgram(program);
  const [found] = await findTargets(db, pass, [target]);
  if (found === undefined || found instanceof ApiError) throw found;
  const card = await findInstance(db, ctx, encodeId('inst', found));
  if (card.passId !== pass.passId) throw instanceNotFound('this instanceId');
  refuseVoided(card);
  refuseExpired(expiryOf(card), ctx.app.now());
  const page = pageOf(ctx, `listRewards/${card.workspaceId}/${card.instanceId}`, asked);
  const rows = await readRewards(ctx, program, card, Number(page.after ?? 0), page.take);
  return page.of(rows, 'place', ({ reward }) => reward);
}

async function readRewards(
  ctx: KeyCtx,
  program: ProgramRow,
  card: { readonly workspaceId: string; readonly instanceId: string },
  after: number,
  take: number,
): Promise<Placed[]> {
  const { database, now } = ctx.app;
  if (program.mode === 'STAMPS') {
    const pending = await listPending(database.db, card, after, take);
    return pending.map(({ rewardId, seq, title, unlockedAt }) => ({
      place: seq,
      reward: {
        rewardId: encodeId('rew', rewardId),
        title,
        cost: null,
        unlockedAt: unlockedAt.toISOString(),
      },
    }));
  }
  const holding = await readHolding(database.db, card.workspaceId, card.instanceId);
  const balance = spendableNow(holding, now());
  return rewardsOf(program)
    .map(({ rewardId, ...reward }, at) => ({ ...reward, place: at + 1, rewardId }))
    .filter(({ place, cost, status }) => place > after && cost <= balance && status === 'active')
    .slice(0, take)
    .map(({ place, rewardId, title, cost }) => ({
      place,
      reward: { rewardId: encodeId('rew', rewardId), title, cost, unlockedAt: null },
    }));
}
