import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { encodeId } from '../kit/ids.ts';
import type { Cause, UndoneEntry } from '../ledger/account.ts';
import { type AccountLedger, expireDue, undoEarn, undoRedeem } from '../ledger/account-ledger.ts';
import { readUses } from '../ledger/accounts.sql.ts';
import type { EntryRow } from '../ledger/entries.sql.ts';
import { shownKind } from '../ledger/entry.schema.ts';
import type { LedgerRules } from '../passes/programs/ledger-rules.ts';
import { findEntry } from './find-entry.ts';
import { auditOf, claimsOf, type LedgerRequest, type Posted } from './ledger-item.ts';
import { type AccountState, presentState, type Reversal } from './loyalty.schema.ts';

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
  if (ctx.key.role === 'staff' && row.actor !== ctx.actor)
    throw refusal('role_required', 'Staff undo what they entered themselves. Ask a manager.');
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
  { program }: LedgerRules,
  cause: Cause,
  row: EntryRow,
  undone: UndoneEntry,
): Posted<ReversalState> {
  if (row.kind !== 'earn' && row.kind !== 'redeem') {
    throw refusal(
      'entry_not_reversible',
      `An entry of kind "${shownKind(row.kind)}" cannot be undone. POST /loyalty/adjust corrects a balance.`,
    );
  }
  if (row.orderId !== null) {
    throw refusal(
      'entry_not_reversible',
      `This entry belongs to the order "${row.orderId}". Refund that instead, in its store or with POST /orders/{orderId}/refunds.`,
    );
  }
  const isReversed = ledger.entries.some(({ reversalOf }) => reversalOf === undone.seq);
  if (isReversed || ledger.reversed.has(undone.seq))
    throw refusal('already_reversed', 'This entry was undone before. Nothing was changed.');
  expireDue(ledger, cause);
  const entry =
    row.kind === 'earn' ? undoEarn(ledger, program, cause, undone) : undoRedeem(ledger, cause, undone);
  const reversalOf = encodeId('entry', row.entryId);
  return {
    entry,
    state: { ...presentState(ledger.account, program, entry.points), reversalOf },
    audit: auditOf(entry, reversalOf),
  };
}
