import { Type } from 'typebox';
import { documentedAs, named, variants } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, nullable, oneOf, partial, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { platformCredentials } from './platform-credentials.ts';
import type { PrivacyRequestRow } from './privacy.sql.ts';
import { isReadable, type StoreProblem, type StoreRow, webhookTopics, webhookUrl } from './store-row.ts';

const Platform = oneOf(['shopify', 'woocommerce', 'custom']);

/** The connector of each platform defines its credentials. */
const Credentials = documentedAs(
  Type.Record(Type.String({ pattern: '^[A-Za-z]{1,40}$' }), line(1_000), {
    maxProperties: 5,
    additionalProperties: false,
    description:
      'of a key that may read customers and orders: `{ accessToken }` of Shopify, `{ consumerKey, consumerSecret }` of WooCommerce; absent with `custom`. Kept encrypted, and never shown',
  }),
  {
    description: 'of a key that may read customers and orders; kept encrypted, and never shown',
    oneOf: Object.values(platformCredentials),
  },
);

const WebhookSecret = Type.String({
  pattern: '^[\\x20-\\x7e]{16,255}$',
  description: '16 to 255 printable characters, which sign the webhooks. Kept encrypted, and never shown',
});

const ByMeta = closed({ metaKey: line(255), metaValue: line(255) });

const NewConsent = Type.Union([ByMeta, closed({ attestedBy: line(200) })], {
  description:
    "what counts as consent to being invited, where the platform has no field for it: a value of the customer's own fields, or the word of a member of yours that all have consented",
});

const settings = {
  credentials: Credentials,
  webhookSecret: WebhookSecret,
  passId: nullable(Id),
  consent: nullable(NewConsent),
  followsEdits: Type.Boolean({
    description: 'whether an order that is edited after it was paid earns by its newest total',
  }),
};

const newColumns = {
  platform: Platform,
  domain: line(255, 'the host of the store, with `:port` if needed'),
  credentials: Type.Optional(settings.credentials),
  webhookSecret: settings.webhookSecret,
  passId: Type.Optional(settings.passId),
  consent: Type.Optional(settings.consent),
  followsEdits: Type.Optional(settings.followsEdits),
};
const NewShopifyStore = closed(
  {
    ...newColumns,
    platform: Type.Literal('shopify'),
    credentials: platformCredentials.shopify,
    consent: Type.Optional(Type.Null({ description: 'Shopify itself says which customers may be mailed' })),
  },
  { $id: 'NewShopifyStore' },
);
const NewWooCommerceStore = closed(
  { ...newColumns, platform: Type.Literal('woocommerce'), credentials: platformCredentials.woocommerce },
  { $id: 'NewWooCommerceStore' },
);
const { credentials: _, ...unread } = newColumns;
const NewCustomStore = closed({ ...unread, platform: Type.Literal('custom') }, { $id: 'NewCustomStore' });

export const NewStore = named(
  'NewStore',
  documentedAs(
    closed(newColumns),
    variants('platform', {
      shopify: NewShopifyStore,
      woocommerce: NewWooCommerceStore,
      custom: NewCustomStore,
    }),
  ),
);

export const StoreChanges = named('StoreChanges', partial(settings));

export const Store = closed(
  {
    storeId: Id,
    platform: Platform,
    domain: Type.String(),
    passId: nullable(Id),
    consent: nullable(
      Type.Union([
        ByMeta,
        closed({ attestedBy: Type.String(), recordedAt: Timestamp, recordedBy: Type.String() }),
      ]),
    ),
    followsEdits: settings.followsEdits,
    status: oneOf(['connected', 'disconnected']),
    webhookUrl: Type.String({ description: 'where the platform sends its webhooks' }),
    webhookTopics: Type.Array(Type.String(), { description: "what it should send, by the platform's names" }),
    customersReadable: Type.Boolean({ description: 'whether the customers can be swept' }),
    reconciledAt: nullable(
      Type.String({ format: 'date-time', description: 'when its orders were last read through' }),
    ),
    problem: nullable(
      closed(
        { code: Type.String(), message: Type.String() },
        { description: 'what a member has to look at' },
      ),
    ),
    waitingWebhooks: Type.Integer({ description: 'webhooks that are yet to be processed' }),
    givenUpWebhooks: Type.Integer({
      description: 'those of the last 30 days that could not be read, or were refused for as long',
    }),
    connectedAt: Timestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Store' },
);

export const StoreTest = named(
  'StoreTest',
  Type.Union([
    closed({
      ok: Type.Literal(true),
      shop: nullable(closed({ name: Type.String() })),
      message: Type.String(),
    }),
    closed({ ok: Type.Literal(false), reason: Type.String(), message: Type.String() }),
  ]),
);

/** The counts of a store's webhooks that wait or were abandoned. */
export interface Waiting {
  readonly count: number;
  /** The refusal that most of them wait for to pass; null while none was refused. */
  readonly refused: string | null;
  /** Webhooks that were abandoned: unreadable, or refused for a month. */
  readonly givenUp: number;
  /** The order of the last webhook that could not be read, and the reason; null for none. */
  readonly orderId: string | null;
  readonly reason: string | null;
}

export const nothingWaits: Waiting = {
  count: 0,
  refused: null,
  givenUp: 0,
  orderId: null,
  reason: null,
};

/** A store as the API shows it: without its secrets. */
export function presentStore(publicUrl: string, row: StoreRow, waiting: Waiting) {
  const storeId = encodeId('store', row.storeId);
  return {
    storeId,
    platform: row.platform,
    domain: row.domain,
    passId: row.passId === null ? null : encodeId('pass', row.passId),
    consent: row.consent,
    followsEdits: row.followsEdits,
    status: row.disconnectedAt === null ? ('connected' as const) : ('disconnected' as const),
    webhookUrl: webhookUrl(publicUrl, storeId),
    webhookTopics: [...webhookTopics[row.platform]],
    customersReadable: isReadable(row),
    reconciledAt: row.reconciledAt?.toISOString() ?? null,
    problem: problemOf(row, waiting),
    waitingWebhooks: waiting.count,
    givenUpWebhooks: waiting.givenUp,
    connectedAt: row.connectedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

const advice: Readonly<Record<StoreProblem, string>> = {
  store_not_connected: 'The store does not answer as one of its platform. Check its domain.',
  store_unauthorized: 'The store refuses the credentials. Renew them with PATCH /stores/{storeId}.',
  store_throttled: 'The store asks for fewer questions. It is read again later.',
  store_unavailable: 'The store cannot be reached. It is asked again later.',
  store_answer_unreadable: 'The store answers what cannot be read. It is asked again later.',
  app_uninstalled: 'The app was removed in the store. Connect the store again.',
};

function problemOf({ problem }: StoreRow, { count, refused, givenUp, orderId, reason }: Waiting) {
  if (problem !== null) return { code: problem, message: advice[problem] };
  const order = orderId === null ? '' : ` (order ${orderId})`;
  const last = reason === null ? '' : ` The last one${order}: ${reason}`;
  if (refused === null)
    return givenUp === 0
      ? null
      : {
          code: 'webhooks_given_up',
          message: `${givenUp} webhooks of the last 30 days could not be read, or were refused for as long.${last} Compare what the store sends with docs/STORES.md.`,
        };
  return {
    code: refused,
    message: `${count} webhooks wait: the cards cannot take them at the moment. They are tried again for 30 days.`,
  };
}

export const PrivacyRequest = closed(
  {
    requestId: Id,
    topic: oneOf(['data_request', 'customer_redact', 'shop_redact']),
    customerId: nullable(Type.String({ description: "the store's number of the customer" })),
    orderIds: Type.Array(Type.String(), { description: "the store's numbers of the orders" }),
    instanceIds: Type.Array(Id, { description: 'cards of the customer, or that were erased' }),
    receivedAt: Timestamp,
    doneAt: nullable(Type.String({ format: 'date-time' })),
  },
  { $id: 'PrivacyRequest' },
);

/** A privacy request as the API shows it. */
export function presentPrivacyRequest(row: PrivacyRequestRow) {
  return {
    requestId: encodeId('preq', row.requestId),
    topic: row.topic,
    customerId: row.subject.customerId,
    orderIds: [...row.subject.orderIds],
    instanceIds: row.instanceIds.map((instanceId) => encodeId('inst', instanceId)),
    receivedAt: row.receivedAt.toISOString(),
    doneAt: row.doneAt?.toISOString() ?? null,
  };
}
