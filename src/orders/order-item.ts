import type { linksTo } from '../cards/instance.schema.ts';
import type { ActorCtx } from '../context.ts';
import type { BatchCall } from '../engine/batch.ts';
import { type Claim, fingerprintOf } from '../kit/db/claims.ts';
import type { ApiError } from '../kit/http/api-error.ts';
import { firstId } from '../kit/ids.ts';
import type { Settled } from '../loyalty/ledger-item.ts';
import type { AccountState } from '../loyalty/loyalty.schema.ts';
import type { OrderState, OrderUpdate } from './order-state.ts';
import type { OrderKey, OrderRow } from './orders.sql.ts';

/** The source of orders that belong to no store. */
export const apiSource = firstId;

export interface OrderAnswer {
  readonly status: 200 | 202;
  readonly body: unknown;
}

/** An update of one order. It has no claims where repetition does no harm by itself. */
export interface OrderItem<A extends OrderAnswer = OrderAnswer> extends BatchCall<RecordedOrder, A> {
  readonly operation: Operation;
  readonly order: OrderKey;
  /** Public id of the pass on whose card it earns; null where only the order itself has it. */
  readonly passId: string | null;
  readonly update: OrderUpdate;
  /** Whose card it is; null where no customer is named. */
  readonly customer: OrderHolder | null;
  /** Public id. */
  readonly partnerId: string | null;
  readonly items: OrderRow['items'];
  /** Whether it earns by its newest total, not by the one that was paid. */
  readonly followsEdits: boolean;
  /** Why it is refused by what is known of the order, which it would make `after` of `before`; null where it fits. */
  unfit(before: OrderState, after: OrderState): ApiError | null;
}

type Operation = 'processOrder' | 'refundOrder' | 'cancelOrder' | 'recordOrder';

/** The holder that a card of the customer gets. */
export interface OrderHolder {
  readonly identifier: string;
  /** In lower case. */
  readonly email: string | null;
  /** In the form of E.164; and as it was given, where that is something else. */
  readonly phone: string | null;
  readonly phoneGiven?: string | null;
  /** The same in the form of E.164, where nothing else names the customer. */
  readonly number: string | null;
  readonly name: string | null;
}

type Links = ReturnType<typeof linksTo>;

/** An order after an update, and what the ledger says of its card; null where it has none yet. */
export interface RecordedOrder {
  readonly row: OrderRow;
  readonly refunded: number;
  readonly account: {
    readonly settled: Settled<AccountState>;
    /** The links of the card. */
    readonly links: Links;
    /** What the balance has gained or lost. */
    readonly points: number;
  } | null;
}

/** Updates of one kind for one pass share transactions; others do not wait for them. */
export function laneOf({ ctx, passId, operation }: OrderItem): string {
  return `${ctx.workspaceId} ${passId} ${operation}`;
}

/**
 * The keys of a call: the order's own, to which `names` belong, and the one that the caller has sent along, if any. One
 * that a caller can choose holds no tab.
 */
export function claimsFor(
  { requestId }: ActorCtx,
  operation: Operation,
  { source, orderId }: OrderKey,
  { names = [], effect, key }: { names?: readonly string[]; effect: unknown; key: string | null },
): Claim[] {
  const own = [source, orderId, ...names];
  const claim = (name: string, of: unknown) => ({
    operation,
    key: name,
    fingerprint: fingerprintOf(of),
    requestId,
  });
  return [claim(own.join('\t'), effect), ...(key === null ? [] : [claim(key, [own, effect])])];
}

/** An order's name within its workspace; an id holds no control characters. */
export function nameOf({ source, orderId }: OrderKey): string {
  return `${source}\t${orderId}`;
}
