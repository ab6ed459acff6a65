import type { KeyCtx } from '../context.ts';
import { claimsOf, type LedgerItem } from './ledger-item.ts';
import type { CardTarget } from './lock-targets.ts';
import { partnerFor } from './partner-for.ts';

/** What a till names. */
interface Asked {
  readonly passId: string;
  readonly partnerId?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * What the calls of a till have in common: while the program is active, on a card that is neither voided nor over, for the
 * caller's partner. `effect` is what the effect depends on besides pass and card. Raises `role_required` as `partnerFor` does.
 */
export function tillCall(
  ctx: KeyCtx,
  operation: LedgerItem['operation'],
  { passId, partnerId, reason = null }: Asked,
  {
    target,
    key,
    effect,
  }: { readonly target: CardTarget; readonly key: string | null; readonly effect: readonly unknown[] },
) {
  return {
    ctx,
    operation,
    claims: claimsOf(ctx, operation, passId, { key, effect: [passId, target, ...effect] }),
    names: [],
    externalRef: key,
    passId,
    partnerId: partnerFor(ctx, partnerId),
    target,
    reason,
    occurredAt: null,
    mustBeActive: true,
    mayBeVoided: false,
    refusesExpired: true,
    undone: null,
  } as const;
}
