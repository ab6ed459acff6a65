import type { CallOptions } from '../../../sdk/typescript/src/core/options.ts';
import type { Instance, ListedOrder } from '../../../sdk/typescript/src/types.ts';
import { codeOf } from '../../shared/api-error.ts';
import { shownBalance } from '../../shared/balance.ts';
import { formatMoney } from '../../shared/format.ts';
import type { IconName } from '../../shared/icon.tsx';
import { api } from '../api.ts';
import { nameOf } from '../cards/holder-name.ts';
import { findOrders, numberOf } from '../commerce/find-orders.ts';
import { orderHref } from '../commerce/order-state.tsx';

/** A page that a search leads to. */
export interface Found {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  /** The pass of a card. */
  readonly passId?: string;
  readonly isVoid?: boolean;
  /** What distinguishes it from others of that title. */
  readonly more: readonly string[];
  /** A balance, or a total. */
  readonly figure?: string;
}

const mostPeople = 10;

/**
 * The cards of the people whom a text may mean, over all passes; the card that carries it as its code, and the orders that have it as their
 * number, come first.
 */
export async function findAll(text: string, options: CallOptions): Promise<Found[]> {
  const [carriers, found, people] = await Promise.all([
    Promise.all(codesIn(text).map((barcode) => orNone(api.instances.lookUp({ barcode }, options)))),
    orNone(findOrders(text, [], options)),
    api.holders.list({ q: text, limit: mostPeople }, options).page(),
  ]);
  const cards = [...carriers.filter((card) => card !== null), ...people.data.flatMap((one) => one.cards)];
  const known = new Map(cards.map((card) => [card.instanceId, card]));
  return [...(found ?? []).map(ofOrder), ...[...known.values()].map(ofCard)];
}

/** As typed, and as our own codes are written. */
function codesIn(text: string): string[] {
  return [...new Set([text, text.replace(/\s+/g, '').toUpperCase()])];
}

/** Null for what is not there, and for a text that cannot be a code or a number. */
async function orNone<T>(asked: PromiseLike<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (['instance_not_found', 'order_not_found', 'ambiguous_barcode', 'invalid_request'].includes(code))
      return null;
    throw error;
  }
}

function ofCard(card: Instance): Found {
  const { instanceId, passId, status, holder, phoneGiven, barcode, loyalty } = card;
  const title = nameOf(card);
  const more = [holder?.email, holder?.phone ?? phoneGiven, holder?.identifier, barcode];
  return {
    href: `/console/cards/${instanceId}`,
    icon: 'card',
    title,
    passId,
    isVoid: status === 'voided',
    more: more.flatMap((one) => (one == null || one === title ? [] : [one])).slice(0, 2),
    ...(loyalty !== null && { figure: shownBalance(loyalty) }),
  };
}

function ofOrder(order: ListedOrder): Found {
  return {
    href: orderHref(order),
    icon: 'order',
    title: numberOf(order),
    more: order.holderName === null ? [] : [order.holderName],
    ...(order.total !== null && { figure: formatMoney(order.total) }),
  };
}
