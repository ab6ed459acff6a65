import type { KeyCtx } from '../context.ts';
import { normalText } from '../kit/http/endpoints/parameters.ts';
import { type Money, parsePositive } from '../kit/http/schemas/money.ts';
import { presentMinor } from '../kit/money/minor.ts';
import { spendable } from '../ledger/account-ledger.ts';
import { minorOf } from '../passes/programs/program-terms.ts';
import { postEarn, refuseAbove } from './earn-points.ts';
import type { LedgerRequest } from './ledger-item.ts';
import { currencyOf, refuseOverfull } from './money-on-card.ts';
import { targetOf } from './target.schema.ts';
import { tillCall } from './till-call.ts';
import type { LoadBody } from './value.schema.ts';

/** What was loaded, and what the card holds then. */
export interface LoadState {
  readonly loaded: Money;
  readonly balance: Money;
}

/**
 * Puts money on a card. It raises, of its own, `invalid_request` for another currency, for more than one load may give, and
 * for more than a card may hold.
 */
export function loadValue(ctx: KeyCtx, body: LoadBody, key: string | null): LedgerRequest<LoadState> {
  const target = targetOf(body);
  const orderId = body.orderId == null ? null : normalText('orderId', body.orderId);
  const asked = parsePositive('amount', body.amount);
  const { kind, role } = ctx.key;
  return {
    ...tillCall(ctx, 'loadValue', body, { target, key, effect: [asked.minor, asked.currency, orderId] }),
    counts: 'money',
    spends: false,
    decide(ledger, rules, cause) {
      const { program } = rules;
      const currency = currencyOf(program);
      const minor = minorOf(currency, 'amount', asked);
      refuseAbove(program, kind === 'person' ? role : null, minor);
      refuseOverfull(program, spendable(ledger, cause.at) + minor, 'amount');
      const { entry } = postEarn(ledger, rules, { ...cause, orderId }, minor, () => null);
      const { balance } = ledger.account;
      return {
        entry,
        state: { loaded: presentMinor(minor, currency), balance: presentMinor(balance, currency) },
      };
    },
  };
}
