import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { KeyCtx, PublicCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { findStore, presentNow, presentStores } from '../stores/find-store.ts';
import { listPrivacyRequests as listRequests } from '../stores/privacy.sql.ts';
import { receiveWebhook as receiveVerb } from '../stores/receive-webhook.ts';
import {
  NewStore,
  PrivacyRequest,
  presentPrivacyRequest,
  Store,
  StoreChanges,
  StoreTest,
} from '../stores/store.schema.ts';
import { listStores as listStoreRows } from '../stores/stores.sql.ts';
import {
  connectStore as connectVerb,
  disconnectStore as disconnectVerb,
  testStore as testVerb,
  updateStore as updateVerb,
} from '../stores/stores.ts';

const tag = 'Stores';
const StorePath = closed({ storeId: Id });

export const connectStore = writeEndpoint({
  op: 'connectStore',
  call: 'stores.connect',
  tag,
  summary: 'Connect an online store',
  description:
    'Orders that are placed from now on earn on the cards of the pass. Nothing is asked of the store: test it with POST /stores/{storeId}/test, then have it send the topics in `webhookTopics` to `webhookUrl`. docs/STORES.md goes through it platform by platform.',
  body: NewStore,
  example: {
    platform: 'shopify',
    domain: 'blue-bean.myshopify.com',
    credentials: { accessToken: 'shpat_0123456789abcdef0123456789abcdef' },
    webhookSecret: '2f5c1e8a9d4b47c0a6e3b1d8f7c92e05',
    passId: 'pass_01k9z3v7q2e8m4n6r0t5w1x9yb',
  },
  answers: { 201: Store },
  errors: ['pass_not_found', 'forbidden', 'store_already_connected'],
  handle: async (tx, ctx, { body }) => answer(201, await connectVerb(tx, ctx, body)),
});

export const listStores = endpoint({
  op: 'listStores',
  call: 'stores.list',
  tag,
  summary: 'List stores',
  description: 'Those that were disconnected are among them.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(Store) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const page = pageMade(ctx, `listStores/${ctx.workspaceId}`, query);
    const rows = await listStoreRows(db, ctx.workspaceId, page);
    const shown = page.of(rows, 'storeId', (row) => row);
    return answer(200, { ...shown, data: await presentStores(db, ctx, shown.data) });
  },
});

export const getStore = endpoint({
  op: 'getStore',
  call: 'stores.get',
  tag,
  summary: 'A store',
  description:
    '`problem` says what a member has to look at: that the store cannot be read, or what its orders wait for.',
  params: StorePath,
  answers: { 200: Store },
  errors: ['store_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const { db } = ctx.app.database;
    return answer(200, await presentNow(db, ctx, await findStore(db, ctx, params.storeId)));
  },
});

export const updateStore = writeEndpoint({
  op: 'updateStore',
  call: 'stores.update',
  tag,
  summary: 'Change credentials, webhook secret, pass or consent of a store',
  description:
    'Absent leaves alone, null clears. A former webhook secret is taken for another hour. What waits is tried again at once.',
  params: StorePath,
  body: StoreChanges,
  example: { webhookSecret: '8c0d3f61b7a2495e9f14d6c0e5b8a7f3' },
  answers: { 200: Store },
  errors: ['store_not_found', 'pass_not_found', 'forbidden'],
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updateVerb(tx, ctx, { storeId: params.storeId, changes: body })),
});

export const disconnectStore = writeEndpoint({
  op: 'disconnectStore',
  call: 'stores.disconnect',
  tag,
  summary: 'Disconnect a store',
  description:
    'Its credentials are deleted, and what it sends from now on earns nothing; what it has sent before still counts. Cards and points stay. Connected again, it is the same store.',
  params: StorePath,
  answers: { 204: null },
  errors: ['store_not_found', 'forbidden'],
  handle: async (tx, ctx, { params }) => emptyAnswer(204, disconnectVerb(tx, ctx, params)),
});

export const testStore = endpoint({
  op: 'testStore',
  call: 'stores.test',
  hasOwnLimits: true,
  tag,
  summary: 'Ask a store whether it can be read',
  description:
    'Asks for its name with the credentials that are kept. A store that could not be read before, and can be now, is read at once; of a `custom` one nothing is asked.',
  params: StorePath,
  answers: { 200: StoreTest },
  errors: ['store_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await testVerb(ctx, params)),
});

const mostBytes = 5 * 1_048_576;

export const receiveWebhook = endpoint({
  op: 'receiveWebhook',
  tag,
  summary: 'A store reports what has happened in it',
  description:
    'Signed by the platform: HMAC-SHA256 over the raw body. A store that does not exist is answered like a wrong signature. It is kept as it came, and processed afterwards; repetitions and any order are harmless. An unsigned trial call of WooCommerce is answered 200.',
  params: StorePath,
  accepts: { 'application/json': 'stream', 'application/x-www-form-urlencoded': 'stream' },
  body: Type.Unsafe<Readable>(Type.Object({})),
  bodyLimit: mostBytes,
  answers: { 200: closed({ received: Type.Literal(true) }) },
  errors: ['invalid_signature'],
  async handle(ctx: PublicCtx, { params, headers, body }) {
    await receiveVerb(ctx, { storeId: params.storeId, headers, body });
    return answer(200, { received: true as const });
  },
});

export const listPrivacyRequests = endpoint({
  op: 'listPrivacyRequests',
  call: 'stores.privacyRequests',
  tag,
  summary: 'What a platform has demanded for the privacy of customers, and what was done',
  description:
    'A `data_request` names the cards and orders of the customer, whom you answer. The service has erased by itself what had to be erased.',
  params: StorePath,
  query: listQuery(madeBetween),
  answers: { 200: listOf(PrivacyRequest) },
  errors: ['store_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const store = await findStore(db, ctx, params.storeId);
    const page = pageMade(ctx, `listPrivacyRequests/${ctx.workspaceId}/${store.storeId}`, query);
    const rows = await listRequests(db, store, page);
    return answer(200, page.of(rows, 'requestId', presentPrivacyRequest));
  },
});
