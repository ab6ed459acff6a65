import { type Page, type StoreApi, type StoreCustomer, StoreTrouble } from '../../connectors/connector.ts';
import { connectors } from '../../connectors/registry.ts';
import type { PublicCtx } from '../../context.ts';
import { callStore, unsealCredentials } from '../../stores/call-store.ts';
import { identifierOf, type StoreConsent, type StoreRow } from '../../stores/store-row.ts';
import type { Invitee } from '../invite-people.ts';
import type { Outcome } from './sweep-row.ts';

/** A customer of a page: what rules an invitation out, or who may be invited. */
export type Considered =
  | { readonly customerId: string; readonly outcome: 'no_contact' | 'no_consent' | 'consent_unknown' }
  | { readonly customerId: string; readonly invitee: Invitee };

/** What was decided on a customer. */
interface Decided {
  readonly customerId: string;
  readonly outcome: Outcome;
  readonly inviteId: string | null;
}

/** Where customers come from. */
interface Origin {
  readonly domain: string;
  readonly consent: StoreConsent | null;
}

/**
 * Finds the customers of a page who may be invited. Nothing else is checked for those without consent. Consent is given
 * for an address, so a customer without one has none. A customer who is named twice counts once.
 */
export function considerCustomers(
  customers: readonly StoreCustomer[],
  store: Origin,
  knowsConsent: boolean,
): Considered[] {
  const distinct = new Map(customers.toReversed().map((customer) => [customer.customerId, customer]));
  return customers
    .filter((customer) => distinct.get(customer.customerId) === customer)
    .map((customer) => {
      const { customerId, email, name, locale } = customer;
      if ((email ?? '').trim() === '') return { customerId, outcome: 'no_contact' };
      const consent = knowsConsent ? customer.consent : consentByRule(store.consent, customer);
      if (consent === 'denied') return { customerId, outcome: 'no_consent' };
      if (consent !== 'granted') return { customerId, outcome: 'consent_unknown' };
      return { customerId, invitee: { email, name, locale, identifier: identifierOf(store, customerId) } };
    });
}

/** Whether a customer has consented, where the platform does not say so itself. */
function consentByRule(rule: StoreConsent | null, { meta }: StoreCustomer): StoreCustomer['consent'] {
  if (rule === null) return 'unknown';
  if ('attestedBy' in rule) return 'granted';
  const value = Object.hasOwn(meta, rule.metaKey) ? meta[rule.metaKey] : undefined;
  if (value === undefined) return 'unknown';
  return value === rule.metaValue ? 'granted' : 'denied';
}

/** Those of a page who may be invited, in its order. */
export function inviteesOf(considered: readonly Considered[]): Invitee[] {
  return considered.flatMap((one) => ('invitee' in one ? [one.invitee] : []));
}

/**
 * The customers of a page up to the one with whom `left` are invited, and whether there was one. `judged` is what became
 * of those who may be invited, in their order.
 */
export function cutAtLimit(
  considered: readonly Considered[],
  judged: readonly { readonly verdict: Outcome }[],
  left: number,
): { readonly within: readonly Considered[]; readonly isFull: boolean } {
  let next = 0;
  let invited = 0;
  for (const [at, one] of considered.entries()) {
    if ('invitee' in one && judged[next++]?.verdict === 'invited') invited += 1;
    if (invited === left) return { within: considered.slice(0, at + 1), isFull: true };
  }
  return { within: considered, isFull: false };
}

/** The outcome for each customer, from the outcomes of those who may be invited, in their order. */
export function decideOutcomes(
  considered: readonly Considered[],
  judged: readonly { readonly verdict: Outcome; readonly inviteId: string | null }[],
): Decided[] {
  let next = 0;
  return considered.flatMap((one): Decided[] => {
    const { customerId } = one;
    if ('outcome' in one) return [{ customerId, outcome: one.outcome, inviteId: null }];
    const verdict = judged[next++];
    return verdict === undefined
      ? []
      : [{ customerId, outcome: verdict.verdict, inviteId: verdict.inviteId }];
  });
}

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
