import type { Static } from 'typebox';
import { refuseExpired, refuseVoided } from '../cards/find-instance.ts';
import { hasExpired } from '../cards/instance.schema.ts';
import type { KeyCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, invalidAs } from '../kit/http/api-error.ts';
import { parseMoney } from '../kit/http/schemas/money.ts';
import { plainCause } from '../ledger/account.ts';
import { type AccountLedger, add, expireDue } from '../ledger/account-ledger.ts';
import { readLedgers } from '../ledger/read-ledgers.ts';
import { findPass } from '../passes/find-pass.ts';
import { type LedgerRules, ledgerRules } from '../passes/programs/ledger-rules.ts';
import { orderPoints } from '../passes/programs/order-points.ts';
import {
  applyTierMultiplier,
  type EarnsNothing,
  expiryOf,
  limitOf,
  refuseAbove,
  refuseTooMany,
} from './earn-points.ts';
import { resolvePass } from './find-pass-of-card.ts';
import { requireActiveProgram, requireCounting } from './ledger-item.ts';
import { expiryOn, lockTargets } from './lock-targets.ts';
import type { Preview } from './loyalty.schema.ts';
import { optionalTargetOf } from './target.schema.ts';

/**
 * What an award, or an order of that total, would earn, and where the account would stand then. Writes nothing. Raises
 * what the award would raise.
 */
export async function previewPoints(ctx: KeyCtx, body: Static<typeof Preview>) {
  const { points, total } = body;
  if ((points === undefined) === (total === undefined))
    throw invalidAs(
      points === undefined ? 'required' : 'excluded',
      'Send either points, or the total of an order.',
      { limit: ['points', 'total'] },
    );
  const asked = await resolvePass(ctx, body, null);
  return ctx.app.database.transaction((tx) => preview(tx, ctx, asked));
}

async function preview(tx: Tx, ctx: KeyCtx, body: Static<typeof Preview> & { readonly passId: string }) {
  const { passId, points, total } = body;
  const target = optionalTargetOf(body);
  const pass = await findPass(tx, ctx, passId);
  const at = ctx.app.now();
  const rules = await ledgerRules(tx, pass, at);
  requireActiveProgram(rules?.program);
  if (rules === undefined) throw new Error('a program without rules');
  requireCounting(rules.program, 'points');
  const { kind, role } = ctx.key;
  if (points !== undefined) refuseAbove(rules.program, kind === 'person' ? role : null, points);
  const earned =
    total === undefined ? (points ?? 0) : orderPoints(rules.program.earn, parseMoney('total', total));
  if (target === null) return { points: earned, balance: null, pendingRewards: null, rewardsUnlocked: null };
  const [card] = await lockTargets(tx, pass, [target]);
  if (card === undefined || card instanceof ApiError) throw card;
  refuseVoided(card);
  const expiry = expiryOn(pass, card);
  // Of an expired card an award is refused, and an order earns nothing.
  if (total === undefined) refuseExpired(expiry, at);
  const ledgers = await readLedgers(tx, rules.program, [{ card, spends: false, undone: null }], at);
  const ledger = ledgers.get(card.instanceId) as AccountLedger;
  return standing(
    ledger,
    rules,
    applyTierMultiplier(ledger, rules.program, earned),
    at,
    hasExpired(expiry, at),
  );
}

/** Enters the award in the account, which is not written. */
function standing(ledger: AccountLedger, rules: LedgerRules, points: number, at: Date, isExpired: boolean) {
  const cause = plainCause('', '', at);
  const { pendingRewards } = ledger.account;
  refuseTooMany(ledger, rules.program, cause, points);
  const limit = (): EarnsNothing | null =>
    isExpired ? 'instance_expired' : limitOf(ledger, rules.program, cause, points);
  const limitedBy = points === 0 ? null : limit();
  expireDue(ledger, cause);
  if (points > 0 && limitedBy === null)
    add(ledger, rules.program, cause, 'earn', points, expiryOf(rules, cause));
  return {
    points: limitedBy === null ? points : 0,
    ...(limitedBy !== null && { limitedBy }),
    balance: ledger.account.balance,
    pendingRewards: ledger.account.pendingRewards,
    rewardsUnlocked: ledger.account.pendingRewards - pendingRewards,
  };
}
