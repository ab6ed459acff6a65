import type { ActorCtx } from '../../context.ts';
import { type Claim, fingerprintOf } from '../../kit/db/claims.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import type { Answer } from '../../kit/http/endpoint.ts';
import { firstId } from '../../kit/id-range.ts';
import type { OrderNews } from './order-state.ts';
import type { OrderKey, OrderRow } from './orders.sql.ts';

/** The source of orders that belong to no store. */
export const apiSource = firstId;

/** News of one order. */
export interface OrderItem {
  readonly ctx: ActorCtx;
  readonly operation: 'processOrder' | 'refundOrder' | 'cancelOrder' | 'settleOrder';
  readonly order: OrderKey;
  /** Its idempotency keys, and what the effect depends on; none where repetition does no harm by itself. */
  readonly claims: readonly { readonly key: string; readonly effect: unknown }[];
  /** Public id of the pass on whose card it earns; null where only the order itself can tell. */
  readonly passId: string | null;
  readonly news: OrderNews;
  /** Whose card it is; null where nobody is named. */
  readonly customer: OrderHolder | null;
  /** Public id. */
  readonly partnerId: string | null;
  readonly items: OrderRow['items'];
  /** Whether it earns by its newest total, not by the one that was paid. */
  readonly followsEdits: boolean;
  /** What the caller is answered. */
  present(settled: SettledOrder): { readonly status: 200 | 202; readonly body: unknown };
}

/** The holder that a card of the customer gets. */
export interface OrderHolder {
  readonly identifier: string;
  /** In lower case. */
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** An order with its news, and what the ledger says of its card; null where it has none yet. */
export interface SettledOrder {
  readonly row: OrderRow;
  readonly refunded: number;
  readonly account: {
    readonly status: number;
    /** The links of the card. */
    readonly links: Readonly<Record<string, string>>;
    /** As an answer of the ledger has it: balance, pendingRewards, pushed … */
    readonly state: Readonly<Record<string, unknown>>;
    /** What the balance has gained or lost. */
    readonly points: number;
  } | null;
}

/** `again`: somebody else has the order in hands, or its pass was learned meanwhile. */
export type OrderOutcome = Answer | ApiError | 'again';

/** News of one kind for one pass share transactions; others do not wait for them. */
export function laneOf({ ctx, passId, operation }: OrderItem): string {
  return `${ctx.workspaceId} ${passId} ${operation}`;
}

/**
 * The keys of a call: the order's own, to which `names` belong, and the one that the caller has sent along, if any. One
 * that a caller can choose holds no tab.
 */
export function claimsFor(
  { source, orderId }: OrderKey,
  { names = [], effect, key }: { names?: readonly string[]; effect: unknown; key: string | null },
): OrderItem['claims'] {
  const own = [source, orderId, ...names];
  return [{ key: own.join('\t'), effect }, ...(key === null ? [] : [{ key, effect: [own, effect] }])];
}

export function claimsOf({ operation, claims, ctx }: OrderItem): Claim[] {
  return claims.map(({ key, effect }) => ({
    operation,
    key,
    fingerprint: fingerprintOf(effect),
    requestId: ctx.requestId,
  }));
}
