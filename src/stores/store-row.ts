import type { TroubleReason } from '../connectors/connector.ts';
import { connectors, type Platform } from '../connectors/registry.ts';
import type { ActorCtx, PublicCtx } from '../context.ts';
import { encodeId } from '../kit/ids.ts';

/** What counts as consent to being mailed, where the platform does not say. */
export type StoreConsent =
  | { readonly metaKey: string; readonly metaValue: string }
  | { readonly attestedBy: string; readonly recordedAt: string; readonly recordedBy: string };

/** What keeps a store from being read, or why it was disconnected by its own side. */
export type StoreProblem = TroubleReason | 'app_uninstalled';

/** What a store is found by. */
export interface StoreKey {
  readonly workspaceId: string;
  readonly storeId: string;
}

/** A store that was connected, with its secrets sealed. */
export interface StoreRow extends StoreKey {
  readonly platform: Platform;
  readonly domain: string;
  /** The pass whose cards its orders earn on; null: they earn nothing. */
  readonly passId: string | null;
  readonly credentials: string | null;
  /** Null once no webhook of the store is accepted. */
  readonly webhookSecrets: string | null;
  readonly consent: StoreConsent | null;
  /** Whether an order that was edited after it was paid earns by its newest total. */
  readonly followsEdits: boolean;
  readonly connectedAt: Date;
  readonly disconnectedAt: Date | null;
  /** Every order that was changed before was read. */
  readonly watermark: Date;
  /** When it is read next; null where there is nothing to read. */
  readonly reconcileAt: Date | null;
  readonly reconciledAt: Date | null;
  /** Failed readings in a row. */
  readonly failures: number;
  readonly problem: StoreProblem | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Webhooks that a platform should send us, by its own names. */
export const webhookTopics: Readonly<Record<Platform, readonly string[]>> = {
  shopify: [
    'orders/paid',
    'orders/updated',
    'orders/cancelled',
    'orders/delete',
    'refunds/create',
    'app/uninstalled',
    'customers/data_request',
    'customers/redact',
    'shop/redact',
  ],
  woocommerce: ['order.created', 'order.updated', 'order.deleted'],
  custom: ['order', 'customer.data_request', 'customer.redact', 'shop.redact'],
};

/** Whether the store's customers and orders can be asked for. */
export function isReadable(store: Pick<StoreRow, 'platform' | 'disconnectedAt'>): boolean {
  return store.disconnectedAt === null && connectors[store.platform].api !== null;
}

/** Where the platform sends its webhooks. */
export function webhookUrl(publicUrl: string, publicId: string): string {
  return `${publicUrl}/v1/stores/${publicId}/webhooks`;
}

/**
 * The holder's identifier on the card of a store's customer: stores count their customers each for themselves. Domains
 * and numbers are short enough for the 255 characters that it may have.
 */
export function identifierOf({ domain }: { readonly domain: string }, customerId: string): string {
  return `${domain}/${customerId}`;
}

/** The context of work on behalf of a store. */
export function actorOf(ctx: PublicCtx, store: StoreKey): ActorCtx {
  return {
    ...ctx,
    workspaceId: store.workspaceId,
    actor: encodeId('store', store.storeId),
    passIds: null,
  };
}
