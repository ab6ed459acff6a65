import type { App } from '../../context.ts';
import type { StoreRow } from './store-row.ts';
import { contextOf, type Owner } from './store-secrets.ts';

/** What a store is read with, as its connector takes it; null where there is nothing. */
export function openCredentials(app: App, store: Owner & Pick<StoreRow, 'credentials'>): unknown {
  if (store.credentials === null) return null;
  return JSON.parse(app.box.open(store.credentials, contextOf(store, 'credentials')));
}
