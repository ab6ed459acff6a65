import type { Json } from '../client.ts';
import { pick, type Random } from '../ledger/random.ts';

/** One call as an integrator makes it: under a key of his own, repeated until there is a definite answer. */
export interface Call {
  readonly operation: Operation;
  /** What names the effect to its caller, in the tables and in the history. */
  readonly ref: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the key is said: in the body, in the header Idempotency-Key, or by the numbers of the order. */
  readonly keyIn: 'body' | 'header' | 'order';
  /** Codes of refusals that are none of the caller's mistakes. */
  readonly mayBeRefused: readonly string[];
}

const refusals = {
  earnPoints: ['program_inactive'],
  redeemReward: ['program_inactive', 'insufficient_points', 'no_reward_pending'],
  adjustPoints: ['balance_too_low'],
  reverseEntry: ['already_reversed'],
  issueInstance: ['pool_exhausted'],
  addCredits: [],
  updateFields: [],
  createPass: ['draft_limit_reached'],
  createApiKey: [],
  processOrder: [],
  refundOrder: [],
  cancelOrder: [],
} as const;

export type Operation = keyof typeof refusals;

/** What the clients work on. */
export interface Shop {
  readonly workspaceId: string;
  readonly programs: readonly Program[];
  /** Passes whose cards are issued: with codes of their own, out of a pool, and out of one that runs dry. */
  readonly passes: readonly string[];
  /** The pass whose cards come with orders. */
  readonly ordersPassId: string;
  /** Cards whose fields are changed; most of them are on phones. */
  readonly changing: readonly string[];
}

export interface Program {
  readonly passId: string;
  readonly programId: string;
  /** Whether it is paused and resumed all the time. */
  readonly isMoody: boolean;
  readonly cards: Card[];
}

interface Card {
  readonly instanceId: string;
  readonly barcode: string;
  readonly identifier: string;
}

/** The life of an order of ten euros: calls to be made one after the other. */
export interface OrderLife {
  readonly orderId: string;
  readonly customer: number;
  readonly calls: readonly Call[];
  /** The points that it has earned in the end. */
  readonly points: number;
  /** Whether what undoes it came first. */
  readonly isUndoneFirst: boolean;
}

/** Few of them, so that first orders of one customer meet. */
const customers = 40;

export function newCall(operation: Operation, ref: string, path: string, body: object): Call {
  const inHeader = ['createPass', 'createApiKey', 'updateFields'].includes(operation);
  return {
    operation,
    ref,
    method: operation === 'updateFields' ? 'PATCH' : 'POST',
    path,
    body: body as Call['body'],
    keyIn: /Order$/.test(operation) ? 'order' : inHeader ? 'header' : 'body',
    mayBeRefused: refusals[operation],
  };
}

/** Draws the next call; `entryId` is one of an entry that may be undone. */
export function drawCall(shop: Shop, random: Random, ref: string, entryId: string | undefined): Call {
  const kind = random();
  if (kind < 0.2) return issue(shop, random, ref);
  if (kind < 0.25) {
    const path = `/operator/workspaces/${shop.workspaceId}/credits`;
    return newCall('addCredits', ref, path, { amount: whole(random, 9) });
  }
  if (kind < 0.4)
    return newCall('updateFields', ref, `/instances/${pick(random, shop.changing)}/fields`, {
      fields: { tier: ref },
    });
  if (kind < 0.42) return newCall('createApiKey', ref, '/api-keys', { name: ref, access: 'read' });
  if (kind < 0.43) return newCall('createPass', ref, '/passes', { title: ref, type: 'coupon' });
  return drawPosting(shop, random, ref, entryId);
}

function drawPosting(shop: Shop, random: Random, ref: string, entryId: string | undefined): Call {
  const { passId, cards } = pick(random, shop.programs);
  // One card in four calls of its program: many wait for it at any moment.
  const card = (random() < 0.25 ? cards[0] : undefined) ?? pick(random, cards);
  const body = { passId, ...targetOf(random, card) };
  const kind = random();
  if (kind < 0.5) return newCall('earnPoints', ref, '/loyalty/points', { ...body, points: whole(random, 8) });
  if (kind < 0.74) return newCall('redeemReward', ref, '/loyalty/redeem', body);
  if (kind < 0.86 || entryId === undefined) {
    const points = random() < 0.5 ? whole(random, 5) : -whole(random, 5);
    return newCall('adjustPoints', ref, '/loyalty/adjust', { ...body, points, reason: 'Counted again' });
  }
  return newCall('reverseEntry', ref, `/loyalty/entries/${entryId}/reverse`, {});
}

/** Draws a call of which a second effect would be refused: what was done, and what is refused, must not be mixed up. */
export function drawContested(shop: Shop, random: Random, ref: string, entryId: string | undefined): Call {
  if (entryId !== undefined && random() < 0.5)
    return newCall('reverseEntry', ref, `/loyalty/entries/${entryId}/reverse`, {});
  const { passId, cards } = pick(random, shop.programs);
  return newCall('redeemReward', ref, '/loyalty/redeem', {
    passId,
    ...targetOf(random, pick(random, cards)),
  });
}

/** A card of a pass, or one that takes part in a program from then on. */
function issue(shop: Shop, random: Random, ref: string): Call {
  const passIds = [...shop.passes, ...shop.programs.map(({ passId }) => passId)];
  const holder = { identifier: identifierOf(ref) };
  return newCall('issueInstance', ref, `/passes/${pick(random, passIds)}/instances`, { holder });
}

/** Draws an order: processed and then undone in part or whole, or the other way round. */
export function drawOrder(shop: Shop, random: Random, orderId: string): OrderLife {
  const customer = whole(random, customers);
  const email = `c${customer}@example.com`;
  const process = newCall('processOrder', orderId, '/orders/process', {
    passId: shop.ordersPassId,
    orderId,
    customer: customer % 2 === 0 ? { id: `c${customer}`, email } : { email },
    total: { amount: '10.00', currency: 'EUR' },
  });
  const isCancelled = random() < 0.3;
  const isUndoneFirst = random() < 0.25;
  const undo = isCancelled
    ? newCall('cancelOrder', orderId, `/orders/${orderId}/cancel`, { early: isUndoneFirst })
    : newCall('refundOrder', orderId, `/orders/${orderId}/refunds`, {
        refundId: 'r',
        amount: { amount: '4.00', currency: 'EUR' },
      });
  return {
    orderId,
    customer,
    calls: isUndoneFirst ? [undo, process] : [process, undo],
    points: isCancelled ? 0 : 6,
    isUndoneFirst,
  };
}

/** A new card takes part from now on. */
export function welcome({ programs }: Shop, { path, ref }: Call, body: Json): void {
  const program = programs.find(({ passId }) => path.includes(passId));
  if (program !== undefined && program.cards.length < 40)
    program.cards.push({ instanceId: body.instanceId, barcode: body.barcode, identifier: identifierOf(ref) });
}

/** The same key for something else, where the operation can detect that. */
export function asAnotherEffect(call: Call): Call | null {
  const { points } = call.body;
  return typeof points === 'number' ? { ...call, body: { ...call.body, points: points + 100 } } : null;
}

function targetOf(random: Random, { instanceId, barcode, identifier }: Card) {
  return pick<object>(random, [{ instanceId }, { barcode }, { identifier }]);
}

function identifierOf(ref: string): string {
  return `holder ${ref}`;
}

function whole(random: Random, most: number): number {
  return 1 + Math.floor(random() * most);
}
