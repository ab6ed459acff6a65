import type { Page, StoreApi, StoreCustomer } from '../../connectors/connector.ts';
import { StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { PublicCtx } from '../../context.ts';
import { callStore, unsealCredentials } from '../stores/call-store.ts';
import type { StoreRow } from '../stores/store-row.ts';
import { type Considered, considerCustomers } from './decide-outcomes.ts';

/** Customers of a store, and where the next ones begin; null after the last. */
export interface CustomerPage {
  readonly customers: readonly Considered[];
  readonly next: string | null;
  /** How long the store is to be left alone before the next question, in ms. */
  readonly restMs: number;
}

/** What the platforms give at most; those that give less are asked for less by their connectors. */
const customersPerPage = 250;

/** The next customers of a store. Raises StoreTrouble. */
export async function readCustomers(
  ctx: PublicCtx,
  store: StoreRow,
  after: string | null,
): Promise<CustomerPage> {
  const { api, knowsConsent } = connectors[store.platform];
  if (api === null || store.disconnectedAt !== null)
    throw new StoreTrouble('store_not_connected', 'The store is not connected.', null);
  const { value, restMs } = await callStore(ctx.app, store, question(ctx, api, store, after));
  refuseStandstill(value, after);
  return { customers: considerCustomers(value.items, store, knowsConsent), next: value.next, restMs };
}

function question(ctx: PublicCtx, api: StoreApi, store: StoreRow, after: string | null) {
  return api.listCustomers(unsealCredentials(ctx.app, store), after, customersPerPage);
}

/** A list that goes on where it began would be read for ever. */
function refuseStandstill({ next }: Page<StoreCustomer>, after: string | null): void {
  if (next !== null && next === after)
    throw new StoreTrouble('store_answer_unreadable', 'The list of customers does not move on.', soonMs);
}

const soonMs = 5_000;
