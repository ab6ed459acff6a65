import { type Exchange, StoreTrouble } from '../connectors/connector.ts';
import type { App } from '../context.ts';
import { FetchRefused } from '../kit/safe-fetch/safe-fetch.ts';
import type { StoreRow } from './store-row.ts';
import { contextOf, type Owner } from './store-secrets.ts';

/**
 * Asks a store a question and reads the answer; `restMs` is how long to wait before the next one. Raises StoreTrouble,
 * and nothing else but the signal's reason, when the store cannot be reached, refuses, or gives an answer that cannot be read.
 */
export async function callStore<T>(
  app: App,
  store: { readonly workspaceId: string; readonly domain: string },
  exchange: Exchange<T>,
  signal?: AbortSignal,
): Promise<{ value: T; restMs: number }> {
  const { path, ...question } = exchange.request;
  const answer = await app
    .callStore(`https://${store.domain}${path}`, {
      ...question,
      key: store.workspaceId,
      ...(signal && { signal }),
    })
    .catch((error) => {
      throw error instanceof FetchRefused ? troubleOf(error) : error;
    });
  return { value: exchange.read(answer), restMs: exchange.restMs(answer) };
}

/** How soon a store that could not be reached is worth another try. */
const soonMs = 5_000;

function troubleOf({ reason, message }: FetchRefused): StoreTrouble {
  switch (reason) {
    case 'timeout':
    case 'unreachable':
    case 'busy':
      return new StoreTrouble('store_unavailable', message, soonMs);
    case 'too_large':
      return new StoreTrouble('store_answer_unreadable', message, null);
    default:
      return new StoreTrouble('store_not_connected', message, null);
  }
}

/** What a store is read with, as its connector takes it; null where there is nothing. */
export function unsealCredentials(app: App, store: Owner & Pick<StoreRow, 'credentials'>): unknown {
  if (store.credentials === null) return null;
  return JSON.parse(app.box.open(store.credentials, contextOf(store, 'credentials')));
}
