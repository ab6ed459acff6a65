import { type StoreEvent, type StoreOrder, StoreTrouble } from '../connectors/connector.ts';
import { readJson } from '../connectors/read-answer.ts';
import { connectors } from '../connectors/registry.ts';
import type { StoreRow } from './store-row.ts';

/** Reads a kept webhook. Returns its event, or the reason why it cannot be read; repeating the call gives the same result. */
export function readEvent(
  { platform, domain }: Pick<StoreRow, 'platform' | 'domain'>,
  { topic, body }: { readonly topic: string; readonly body: Buffer },
): StoreEvent | StoreTrouble {
  if (topic === reconciledTopic) return { kind: 'order', order: readOrder(body) };
  const { api, readWebhook } = connectors[platform];
  try {
    if (topic !== unreadTopic) return readWebhook(topic, body, domain);
    const order = api?.readOrder(readJson(body, 'an order')) ?? null;
    return order === null ? { kind: 'other' } : { kind: 'order', order };
  } catch (error) {
    if (error instanceof StoreTrouble) return error;
    throw error;
  }
}

/** The topic of an order as the store has listed it, which could not be read. */
export const unreadTopic = 'unread';

/** The topic of an order that was read from the store, refused, and kept like a webhook. */
export const reconciledTopic = 'reconciled';

/** An order for storage. */
export function writeOrder(order: StoreOrder): Buffer {
  return Buffer.from(JSON.stringify(order));
}

/** The order that was stored. */
function readOrder(bytes: Buffer): StoreOrder {
  const order = JSON.parse(bytes.toString('utf8')) as StoreOrder;
  const { state } = order;
  return { ...order, state: state && { ...state, placedAt: new Date(state.placedAt) } };
}
