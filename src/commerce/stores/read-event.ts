import { type StoreEvent, type StoreOrder, StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { StoreRow } from './store-row.ts';

/** What a kept webhook tells; null when it cannot be read, which no repetition changes. */
export function readEvent(
  { platform, domain }: Pick<StoreRow, 'platform' | 'domain'>,
  { topic, body }: { readonly topic: string; readonly body: Buffer },
): StoreEvent | null {
  if (topic === reconciledTopic) return { kind: 'order', order: readOrder(body) };
  try {
    return connectors[platform].readWebhook(topic, body, domain);
  } catch (error) {
    if (error instanceof StoreTrouble) return null;
    throw error;
  }
}

/** The topic of an order that was read from the store, refused, and kept in the place of a webhook. */
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
