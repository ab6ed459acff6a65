import type { DueCtx, PublicCtx } from '../context.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { acquirePace, changeLeased, lockLeased } from '../engine/queue.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { plainCause } from '../ledger/account.ts';
import { type AccountLedger, expireDue, unlockRewards as unlock } from '../ledger/account-ledger.ts';
import { unlockJob } from '../ledger/emit-entry-events.ts';
import { readLedgers } from '../ledger/read-ledgers.ts';
import { writeLedgers } from '../ledger/write-ledgers.ts';
import { findPassOf } from '../passes/passes.sql.ts';
import { ledgerRules } from '../passes/programs/ledger-rules.ts';
import { deleteWalk, type UnlockWalk, unlockWalks } from '../passes/programs/unlock-walks.sql.ts';
import { announceChange } from '../pushes/announce-change.ts';
import { scanAccounts } from './full-accounts.sql.ts';
import { type LockedCard, lockTargets, restamp } from './lock-targets.ts';

/** A step is one transaction: what it did is committed with how far it came, so that a crash repeats nothing. */
const step = { looked: 5_000, cards: 100, rewards: 500 };

/** The walks that wait for their next step. */
export function unlocksDue(_ctx: DueCtx): DueWork {
  return { queues: [unlockWalks] };
}

/**
 * Gives cards that a lowered threshold has filled their rewards: takes the next step of the walk that waited longest. False
 * when none is due. A call that earns does the same for its account.
 */
export async function unlockRewards(ctx: PublicCtx): Promise<boolean> {
  const taken = await acquirePace({ app: ctx.app, queue: unlockWalks }, ctx.app.now());
  if (taken === undefined) return false;
  await ctx.app.database.transaction(async (tx) => {
    const walk = await lockLeased(tx, unlockWalks, taken);
    if (walk !== undefined) await takeStep(tx, ctx, walk);
  });
  return true;
}

async function takeStep(tx: Tx, ctx: PublicCtx, walk: UnlockWalk): Promise<void> {
  const at = ctx.app.now();
  const pass = await findPassOf(tx, walk.workspaceId, walk.passId);
  const rules = pass && (await ledgerRules(tx, pass, at));
  if (pass === undefined || rules === undefined) return deleteWalk(tx, walk);
  const { program } = rules;
  const range = { from: program.threshold ?? Number.MAX_SAFE_INTEGER, below: null };
  const portion = { after: walk.cursor, look: step.looked, pick: step.cards, at };
  const { looked, last, matching, accountIds } = await scanAccounts(tx, program, range, portion);
  const cards = await lockAccounts(tx, pass, accountIds);
  const wanted = cards.map((card) => ({ card, spends: false, undone: null }));
  const ledgers = await readLedgers(tx, program, wanted, at);
  const requestId = walk.requestId ?? ctx.requestId;
  const cause = plainCause(walk.actor ?? unlockJob, requestId, at);
  let left = step.rewards;
  for (const card of cards) {
    const ledger = ledgers.get(card.instanceId) as AccountLedger;
    expireDue(ledger, cause);
    const before = ledger.account.pendingRewards;
    unlock(ledger, program, cause, left);
    left -= ledger.account.pendingRewards - before;
    if (ledger.entries.length === 0) continue;
    ledger.account = { ...ledger.account, ...restamp(ctx, pass, card) };
    if (program.launchedAt !== null) await announceChange(tx, { ...ctx, requestId }, card, true);
  }
  writeLedgers(tx, ctx, program, [...ledgers.values()], at);
  // An account with more rewards than a step has is the first of the next one.
  const unfinished = cards.findIndex(
    ({ instanceId }) => (ledgers.get(instanceId) as AccountLedger).account.balance >= range.from,
  );
  if (unfinished >= 0)
    return moveTo(tx, walk, unfinished === 0 ? walk.cursor : (accountIds[unfinished - 1] ?? null), at);
  if (matching > accountIds.length) return moveTo(tx, walk, accountIds.at(-1) ?? null, at);
  if (looked === step.looked) return moveTo(tx, walk, last, at);
  if (walk.againAt === null) return deleteWalk(tx, walk);
  await changeLeased(tx, unlockWalks, walk, { cursor: null, againAt: null, dueAt: walk.againAt });
}

async function moveTo(tx: Tx, walk: UnlockWalk, cursor: string | null, dueAt: Date): Promise<void> {
  await changeLeased(tx, unlockWalks, walk, { cursor, dueAt });
}

/** The cards that show the accounts, held, in the order of the accounts. Raises `LostRace` where an account has moved on since. */
async function lockAccounts(
  tx: Tx,
  pass: Parameters<typeof lockTargets>[1],
  accountIds: readonly string[],
): Promise<LockedCard[]> {
  const held = await lockTargets(
    tx,
    pass,
    accountIds.map((accountId) => ({ accountId })),
  );
  return held.map((card, place) => {
    if (card instanceof ApiError || card.account?.accountId !== accountIds[place]) throw new LostRace();
    return card;
  });
}
