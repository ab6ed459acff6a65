import type { StoreOrder } from '../../connectors/connector.ts';

/** The topic of an order that was read from the store, refused, and kept in the place of a webhook. */
export const reconciledTopic = 'reconciled';

/** An order for storage. */
export function writeOrder(order: StoreOrder): Buffer {
  return Buffer.from(JSON.stringify(order));
}

/** The order that was stored. */
export function readOrder(bytes: Buffer): StoreOrder {
  const order = JSON.parse(bytes.toString('utf8')) as StoreOrder;
  const { state } = order;
  return { ...order, state: state && { ...state, placedAt: new Date(state.placedAt) } };
}
