import type { Static } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { isKept } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import { invalidAs, invalidField } from '../kit/http/api-error.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { type Money, parsePositive } from '../kit/http/schemas/money.ts';
import { encodeId } from '../kit/ids.ts';
import { presentMinor } from '../kit/money/minor.ts';
import type { UndoneEntry } from '../ledger/account.ts';
import { expireDue } from '../ledger/account-ledger.ts';
import { readUses } from '../ledger/accounts.sql.ts';
import { type EntryRow, findCharges } from '../ledger/entries.sql.ts';
import { refund, undoneOf } from '../ledger/undo.ts';
import { minorOf } from '../passes/programs/program-terms.ts';
import { findEntry, refuseEntryOfOthers } from './find-entry.ts';
import { auditOf, claimsOf, type LedgerRequest } from './ledger-item.ts';
import { currencyOf, textOf } from './money-on-card.ts';
import type { ValueRefund } from './value.schema.ts';

type Body = Static<typeof ValueRefund>;

/** What was given back of which charge, what is left of it to give back, and what the card holds then. */
export type RefundState = Readonly<Record<'refunded' | 'refundable' | 'balance', Money>> & {
  readonly refundOf: string;
};

/**
 * Gives money back to the card that has paid it: what is left of a charge, or a part of that; also while the program is paused.
 * Raises `entry_not_found`, `forbidden`, `entry_not_reversible`, `already_reversed` where nothing is left, and `invalid_request` for
 * more than is left.
 */
export async function refundValue(ctx: KeyCtx, body: Body): Promise<LedgerRequest<RefundState>> {
  const key = normalText('refundId', body.refundId);
  const asked = body.amount === undefined ? null : parsePositive('amount', body.amount);
  const charge = await findCharge(ctx, body, key);
  refuseEntryOfOthers(ctx, charge);
  const undone: UndoneEntry = {
    entryId: charge.entryId,
    seq: charge.seq,
    points: charge.points,
    expiresAt: null,
    uses: await readUses(ctx.app.database.db, charge, [charge.seq]),
  };
  const passId = encodeId('pass', charge.passId);
  const refundOf = encodeId('entry', charge.entryId);
  return {
    ctx,
    operation: 'refundValue',
    claims: claimsOf(ctx, 'refundValue', passId, {
      key,
      effect: [body.entryId, body.orderId, asked?.minor, asked?.currency],
    }),
    names: [],
    externalRef: key,
    passId,
    partnerId: null,
    target: { accountId: charge.accountId },
    reason: body.reason ?? null,
    occurredAt: null,
    counts: 'money',
    mustBeActive: false,
    mayBeVoided: false,
    spends: true,
    undone,
    decide(ledger, rules, cause) {
      const currency = currencyOf(rules.program);
      const left = -charge.points - undoneOf(ledger, charge.seq);
      const points = asked === null ? left : minorOf(currency, 'amount', asked);
      if (left === 0)
        throw refusal('already_reversed', 'The whole charge was given back before. Nothing was changed.');
      if (points > left)
        throw invalidField(
          'amount',
          'max_value',
          `${textOf(left, currency)} of this charge is left to give back.`,
          {
            limit: left,
          },
        );
      const { partnerId, orderId } = charge;
      expireDue(ledger, cause);
      const until = rules.expiryOf(cause.at);
      const entry = refund(ledger, { ...cause, partnerId, orderId }, undone, { points, until });
      return {
        entry,
        state: {
          refunded: presentMinor(points, currency),
          refundable: presentMinor(left - points, currency),
          refundOf,
          balance: presentMinor(ledger.account.balance, currency),
        },
        audit: auditOf(entry, refundOf),
      };
    },
  };
}

/** The charge that a refund names; a repeat is answered as before, whatever was charged for the order since. */
async function findCharge(ctx: KeyCtx, { entryId, orderId }: Body, key: string): Promise<EntryRow> {
  if ((entryId === undefined) === (orderId === undefined))
    throw invalidAs(entryId === undefined ? 'required' : 'excluded', 'Send either entryId or orderId.', {
      limit: ['entryId', 'orderId'],
    });
  const { database } = ctx.app;
  const { db } = database;
  if (entryId !== undefined) {
    const row = await findEntry(db, ctx, entryId);
    if (row.kind === 'redeem' && row.currency !== null) return row;
    throw refusal(
      'entry_not_reversible',
      'Only a charge is refunded. POST /loyalty/entries/{entryId}/reverse undoes others.',
    );
  }
  const [charge, ...others] = await findCharges(db, ctx.workspaceId, normalText('orderId', orderId ?? ''));
  if (charge === undefined)
    throw refusal('entry_not_found', `No charge has paid for the order "${orderId?.slice(0, 40)}".`);
  if (others.length > 0 && !(await isKept(database, ctx.workspaceId, 'refundValue', key)))
    throw invalidField('orderId', 'other', 'several charges have paid for this order. Name each by entryId.');
  return findEntry(db, ctx, encodeId('entry', charge.entryId));
}
