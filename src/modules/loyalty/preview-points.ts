import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, invalidRequest } from '../../kit/http/api-error.ts';
import { parseMoney } from '../../kit/money.ts';
import { refuseVoided } from '../instances/find-instance.ts';
import { holdTargets, type Target } from '../instances/hold-targets.ts';
import { findPass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { type LedgerRules, ledgerRules } from '../programs/ledger-rules.ts';
import { orderPoints } from '../programs/order-points.ts';
import { plainAct } from './account.ts';
import { add, type Book, expireDue } from './account-book.ts';
import { expiryOf, limitOf, refuseTooMany } from './earn-points.ts';
import { refuseIdle } from './ledger-item.ts';
import { optionalTargetOf, type Preview } from './loyalty.schema.ts';
import { readBooks } from './read-books.ts';

/**
 * What an award, or an order of that total, would earn, and where the account would stand then. Writes nothing. Raises
 * what the award would raise.
 */
export async function previewPoints(tx: Tx, ctx: KeyCtx, body: Static<typeof Preview>) {
  const { passId, points, total } = body;
  const target = optionalTargetOf(body);
  if ((points === undefined) === (total === undefined))
    throw invalidRequest('Send either points, or the total of an order.');
  const pass = await findPass(tx, ctx, passId);
  const at = ctx.app.now();
  const rules = await ledgerRules(tx, pass, at, [at]);
  refuseIdle(rules?.program);
  if (rules === undefined) throw new Error('a program without rules');
  const earned =
    total === undefined ? (points ?? 0) : orderPoints(rules.program.earn, parseMoney('total', total));
  if (target === null) return { points: earned, balance: null, pendingRewards: null, rewardsUnlocked: null };
  return standing(await bookOf(tx, pass, rules, target, at), rules, earned, at);
}

/** The book of the card, which is kept from changing while it is read. */
async function bookOf(tx: Tx, pass: PassRow, { program }: LedgerRules, target: Target, at: Date) {
  const [card] = await holdTargets(tx, pass, [target]);
  if (card === undefined || card instanceof ApiError) throw card;
  refuseVoided(card);
  const books = await readBooks(tx, program, [{ card, spends: false, undone: null }], at);
  return books.get(card.instanceId) as Book;
}

/** Enters the award in the book, which nobody writes. */
function standing(book: Book, rules: LedgerRules, points: number, at: Date) {
  const act = plainAct('', at);
  const { pendingRewards } = book.account;
  refuseTooMany(book, rules.program, act, points);
  const limitedBy = points === 0 ? null : limitOf(book, rules.program, act, points);
  expireDue(book, act);
  if (points > 0 && limitedBy === null) add(book, rules.program, act, 'earn', points, expiryOf(rules, act));
  return {
    points: limitedBy === null ? points : 0,
    ...(limitedBy !== null && { limitedBy }),
    balance: book.account.balance,
    pendingRewards: book.account.pendingRewards,
    rewardsUnlocked: book.account.pendingRewards - pendingRewards,
  };
}
