import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { encodeId } from '../kit/ids.ts';
import type { Cause, UndoneEntry } from '../ledger/account.ts';
import { type AccountLedger, expireDue, spendable } from '../ledger/account-ledger.ts';
import { readUses } from '../ledger/accounts.sql.ts';
import type { EntryRow } from '../ledger/entries.sql.ts';
import { shownKind } from '../ledger/entry.schema.ts';
import { refund, undoEarn, undoRedeem } from '../ledger/undo.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import { findEntry, refuseEntryOfOthers } from './find-entry.ts';
import { auditOf, claimsOf, type LedgerRequest, type Posted } from './ledger-item.ts';
import { type AccountState, presentState, type Reversal } from './loyalty.schema.ts';
import { requireValue } from './money-on-card.ts';

/** Where an account stands after something was undone, by its public id. */
export type ReversalState = AccountState & { readonly reversalOf: string };

/**
 * Undoes an earn or a redeem, once, also while the program is paused and on a voided card. Raises `entry_not_found`,
 * `forbidden`, `entry_not_reversible`, and `role_required` of staff for an entry of another person; and of its own `already_reversed`. What an entry says never changes, so it is
 * read before.
 */
export async function reverseEntry(
  ctx: KeyCtx,
  publicId: string,
  body: Static<typeof Reversal>,
  key: string | null,
): Promise<LedgerRequest<ReversalState>> {
  const { db } = ctx.app.database;
  const row = await findEntry(db, ctx, publicId);
  refuseEntryOfOthers(ctx, row);
  const passId = encodeId('pass', row.passId);
  const undone: UndoneEntry = {
    entryId: row.entryId,
    seq: row.seq,
    points: row.points,
    expiresAt: row.expiresAt === null ? null : Number(row.expiresAt),
    uses: await readUses(db, row, [row.seq]),
  };
  return {
    ctx,
    operation: 'reverseEntry',
    claims: claimsOf(ctx, 'reverseEntry', passId, { key, effect: [publicId] }),
    names: [],
    externalRef: key,
    passId,
    partnerId: null,
    target: { accountId: row.accountId },
    reason: body.reason ?? null,
    occurredAt: null,
    mustBeActive: false,
    mayBeVoided: true,
    spends: true,
    undone,
    // For the partner at which the points were earned or spent, even if it was deleted.
    decide: (ledger, rules, cause) =>
      reverse(ledger, rules, { ...cause, partnerId: row.partnerId }, row, undone),
  };
}

function reverse(
  ledger: AccountLedger,
  rules: LedgerRules,
  cause: Cause,
  row: EntryRow,
  undone: UndoneEntry,
): Posted<ReversalState> {
  const { program } = rules;
  if (row.kind !== 'earn' && row.kind !== 'redeem') {
    throw refusal(
      'entry_not_reversible',
      `An entry of kind "${shownKind(row.kind)}" cannot be undone. POST /loyalty/adjust corrects a balance.`,
    );
  }
  // Money is paid for an order, or sold by one, without being earned by it.
  if (row.orderId !== null && program.currency === null) {
    throw refusal(
      'entry_not_reversible',
      `This entry belongs to the order "${row.orderId}". Refund that instead, in its store or with POST /orders/{orderId}/refunds.`,
    );
  }
  const isReversed = ledger.entries.some(({ reversalOf }) => reversalOf === undone.seq);
  if (isReversed || ledger.reversed.has(undone.seq))
    throw refusal('already_reversed', 'This entry was undone before. Nothing was changed.');
  if (row.kind === 'earn' && program.currency !== null)
    requireValue(program.currency, spendable(ledger, cause.at), row.points);
  expireDue(ledger, cause);
  const entry =
    row.kind === 'earn'
      ? undoEarn(ledger, program, cause, undone)
      : program.currency === null
        ? undoRedeem(ledger, cause, undone)
        : refund(ledger, cause, undone, { points: -row.points, until: rules.expiryOf(cause.at) });
  const reversalOf = encodeId('entry', row.entryId);
  return {
    entry,
    state: { ...presentState(ledger.account, program, entry.points), reversalOf },
    audit: auditOf(entry, reversalOf),
  };
}
