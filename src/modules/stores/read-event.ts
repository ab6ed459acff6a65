import { type StoreEvent, StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import { readOrder, reconciledTopic } from './kept-order.ts';
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
