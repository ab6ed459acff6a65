import { Type } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { boundsOf, pageMade, pageOf } from '../engine/listing.ts';
import { EventType } from '../events/event.schema.ts';
import { closed, Id, listOf, listQuery, Moment, madeBetween } from '../kit/http/schemas/shapes.ts';
import { checkReceiver, createWebhook as createVerb } from '../webhooks/create-webhook.ts';
import { listDeliveries as listDeliveryRows } from '../webhooks/deliveries.sql.ts';
import { findOwnDelivery, findWebhook, presentWebhooks } from '../webhooks/find-webhook.ts';
import {
  recoverWebhook as recoverVerb,
  resendDelivery as resendVerb,
  testWebhook as testVerb,
} from '../webhooks/send-by-hand.ts';
import {
  Delivery,
  DeliveryStatus,
  NewWebhook,
  presentDelivery,
  Recovered,
  TestSent,
  Webhook,
  WebhookChanges,
  WebhookWithSecret,
} from '../webhooks/webhook.schema.ts';
import { listWebhooks as listWebhookRows } from '../webhooks/webhooks.sql.ts';
import {
  deleteWebhook as deleteVerb,
  readWebhook,
  rotateWebhook as rotateVerb,
  updateWebhook as updateVerb,
} from '../webhooks/webhooks.ts';

const tag = 'Webhooks';
const WebhookPath = closed({ webhookId: Id });
const DeliveryPath = closed({ webhookId: Id, deliveryId: Id });

export const createWebhook = writeEndpoint({
  op: 'createWebhook',
  call: 'webhooks.create',
  tag,
  summary: 'Have events posted to a URL',
  description:
    'From now on each event of these kinds is posted there, signed as Standard Webhooks 1.0.0 has it; the `secret` that verifies it is shown once. Receivers may get an event more than once, by the same `webhook-id`, and in any order: `seq` shows which is the newer. docs/API.md, "Webhooks", says how a receiver answers and when it is tried again.',
  sealed: true,
  body: NewWebhook,
  example: { url: 'https://shop.example.com/hooks/punchcard', types: ['points.*', 'reward.redeemed'] },
  answers: { 201: WebhookWithSecret },
  errors: ['webhook_limit_reached'],
  prepare: (ctx, { body }) => checkReceiver(ctx, body),
  handle: async (tx, ctx, { body }) => answer(201, await createVerb(tx, ctx, body)),
});

export const listWebhooks = endpoint({
  op: 'listWebhooks',
  call: 'webhooks.list',
  tag,
  summary: 'List webhooks',
  description: 'Each with the outcomes of the events of the last day.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(Webhook) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const page = pageMade(ctx, `listWebhooks/${ctx.workspaceId}`, query);
    const rows = await listWebhookRows(db, ctx.workspaceId, page.after, page.take);
    const shown = page.of(rows, 'webhookId', (row) => row);
    return answer(200, { ...shown, data: await presentWebhooks(db, ctx, shown.data) });
  },
});

export const getWebhook = endpoint({
  op: 'getWebhook',
  call: 'webhooks.get',
  tag,
  summary: 'A webhook',
  description: '`problem` says what a member has to look at: that it fails, or why it was disabled.',
  params: WebhookPath,
  answers: { 200: Webhook },
  errors: ['webhook_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await readWebhook(ctx, params.webhookId)),
});

export const updateWebhook = writeEndpoint({
  op: 'updateWebhook',
  call: 'webhooks.update',
  tag,
  summary: 'Change a webhook, pause or activate it',
  description:
    'Absent leaves alone, null clears. While a webhook is paused or disabled nothing is sent and nothing kept for it: `recover` sends what it missed.',
  params: WebhookPath,
  body: WebhookChanges,
  example: { status: 'paused' },
  answers: { 200: Webhook },
  errors: ['webhook_not_found', 'forbidden'],
  prepare: (ctx, { body }) => checkReceiver(ctx, body),
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updateVerb(tx, ctx, { webhookId: params.webhookId, changes: body })),
});

export const deleteWebhook = writeEndpoint({
  op: 'deleteWebhook',
  call: 'webhooks.delete',
  tag,
  summary: 'Delete a webhook',
  description: 'Nothing more is sent there, including what was about to be sent.',
  params: WebhookPath,
  answers: { 204: null },
  errors: ['webhook_not_found', 'forbidden'],
  handle: async (tx, ctx, { params }) => emptyAnswer(204, deleteVerb(tx, ctx, params)),
});

export const rotateWebhook = writeEndpoint({
  op: 'rotateWebhook',
  call: 'webhooks.rotateSecret',
  tag,
  summary: 'A new secret for a webhook',
  description:
    'For 24 hours messages are signed with the secrets before, too, so that a receiver can change over at its leisure.',
  sealed: true,
  params: WebhookPath,
  answers: { 201: WebhookWithSecret },
  errors: ['webhook_not_found', 'forbidden'],
  handle: async (tx, ctx, { params }) => answer(201, await rotateVerb(tx, ctx, params)),
});

export const testWebhook = writeEndpoint({
  op: 'testWebhook',
  call: 'webhooks.test',
  tag,
  summary: 'Send a webhook a test',
  description:
    'An event of the kind `webhook.test` is sent to it alone, once, whatever its status and kinds. Its delivery shows, in a moment, what was answered.',
  params: WebhookPath,
  answers: { 202: TestSent },
  errors: ['webhook_not_found', 'forbidden'],
  handle: async (tx, ctx, { params }) => answer(202, await testVerb(tx, ctx, params)),
});

export const recoverWebhook = writeEndpoint({
  op: 'recoverWebhook',
  call: 'webhooks.recover',
  tag,
  summary: 'Send again what was not delivered',
  description:
    'Events since the moment, or seconds before, at most 14 days ago, which the webhook wants to hear of and did not get, those among them that happened while it was paused or disabled. What was delivered since is left out. 10,000 a call, of 50,000 events: where `nextSince` is not null, call again with it.',
  params: WebhookPath,
  body: closed({ since: Moment }),
  example: { since: '2027-01-31T12:00:00Z' },
  answers: { 200: Recovered },
  errors: ['webhook_not_found', 'forbidden', 'webhook_not_active'],
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await recoverVerb(tx, ctx, { ...params, ...body })),
});

export const listDeliveries = endpoint({
  op: 'listDeliveries',
  call: 'webhooks.deliveries',
  tag,
  summary: 'The outcomes of the events of a webhook',
  description: 'The newest events first; kept for 30 days.',
  params: WebhookPath,
  query: listQuery({
    status: Type.Optional(DeliveryStatus),
    type: Type.Optional(EventType),
    ...madeBetween,
  }),
  answers: { 200: listOf(Delivery) },
  errors: ['webhook_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const webhook = await findWebhook(db, ctx, params.webhookId);
    const { status, type } = query;
    const { since, until } = boundsOf(query);
    const scope = JSON.stringify(['listDeliveries', webhook.webhookId, status, type, since, until]);
    const page = pageOf(ctx, scope, query);
    const within = { after: page.after ?? until, take: page.take };
    const rows = await listDeliveryRows(db, webhook, { status, type, since }, within);
    const body = page.of(rows, 'deliveryId', (row) => presentDelivery(row, ctx.key));
    return answer(200, body);
  },
});

export const getDelivery = endpoint({
  op: 'getDelivery',
  call: 'webhooks.delivery',
  tag,
  summary: 'The outcome of an event at a webhook',
  description: 'With its attempts. What the receiver has answered is shown to keys with full access alone.',
  params: DeliveryPath,
  answers: { 200: Delivery },
  errors: ['webhook_not_found', 'delivery_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) =>
    answer(200, presentDelivery(await findOwnDelivery(ctx.app.database.db, ctx, params), ctx.key)),
});

export const resendDelivery = writeEndpoint({
  op: 'resendDelivery',
  call: 'webhooks.resend',
  tag,
  summary: 'Send an event to a webhook again',
  description:
    'At once, whatever the status of the webhook. Where it was delivered or given up it is tried once; one that waits goes on as it would have.',
  params: DeliveryPath,
  answers: { 202: Delivery },
  errors: ['webhook_not_found', 'delivery_not_found', 'forbidden'],
  handle: async (tx, ctx, { params }) => answer(202, await resendVerb(tx, ctx, params)),
});
