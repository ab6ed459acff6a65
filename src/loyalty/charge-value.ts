import type { KeyCtx } from '../context.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { type Money, parsePositive } from '../kit/http/schemas/money.ts';
import { presentMinor } from '../kit/money/minor.ts';
import { expireDue, spend, spendable } from '../ledger/account-ledger.ts';
import { minorOf } from '../passes/programs/program-terms.ts';
import type { LedgerRequest } from './ledger-item.ts';
import { currencyOf, requireValue } from './money-on-card.ts';
import { targetOf } from './target.schema.ts';
import { tillCall } from './till-call.ts';
import type { ChargeBody } from './value.schema.ts';

/** What was charged, what is left to pay, and what the card holds then. */
export type ChargeState = Readonly<Record<'charged' | 'due' | 'balance', Money>>;

/**
 * Pays with a card: the whole amount, or with `partial` as much of it as is there. It raises, of its own,
 * `insufficient_value`, also with `partial` where nothing is there, and `invalid_request` for another currency; nothing has
 * changed then.
 */
export function chargeValue(ctx: KeyCtx, body: ChargeBody, key: string | null): LedgerRequest<ChargeState> {
  const { partial = false } = body;
  const target = targetOf(body);
  const orderId = body.orderId == null ? null : normalText('orderId', body.orderId);
  const asked = parsePositive('amount', body.amount);
  return {
    ...tillCall(ctx, 'chargeValue', body, {
      target,
      key,
      effect: [asked.minor, asked.currency, orderId, partial],
    }),
    counts: 'money',
    spends: true,
    decide(ledger, { program }, cause) {
      const currency = currencyOf(program);
      const wanted = minorOf(currency, 'amount', asked);
      const held = spendable(ledger, cause.at);
      const charged = partial && held > 0 ? Math.min(held, wanted) : wanted;
      requireValue(currency, held, charged);
      expireDue(ledger, cause);
      const entry = spend(ledger, { ...cause, orderId }, 'redeem', charged);
      return {
        entry,
        state: {
          charged: presentMinor(charged, currency),
          due: presentMinor(wanted - charged, currency),
          balance: presentMinor(ledger.account.balance, currency),
        },
      };
    },
  };
}
