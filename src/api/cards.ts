import { Type } from 'typebox';
import { findInstance, readInstance } from '../cards/find-instance.ts';
import * as shapes from '../cards/instance.schema.ts';
import { updateAnswer, updateAnswers } from '../cards/update-answer.ts';
import { updateFields as updateFieldsVerb } from '../cards/update-fields.ts';
import { voidInstance as voidVerb } from '../cards/void-instance.ts';
import type { KeyCtx } from '../context.ts';
import { readTimeline } from '../delivery/read-timeline.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { listMade } from '../engine/listing.ts';
import { issueInstance as issueVerb } from '../issuing/issue-instances.ts';
import { itemOf } from '../issuing/issue-item.ts';
import { importMany, issueMany } from '../issuing/issue-many.ts';
import { reactivateInstance as reactivateVerb } from '../issuing/reactivate-instance.ts';
import { updateInstance as updateVerb } from '../issuing/update-instance.ts';
import type { Tx } from '../kit/db/database.ts';
import { closed, ExternalRef, Id, listOf, listQuery, madeBetween } from '../kit/http/shapes.ts';
import { findPass } from '../passes/find-pass.ts';
import { eraseInstance as eraseVerb } from '../removal/erase-instance.ts';

const tag = 'Instances';
const PassPath = closed({ passId: Id });
const InstancePath = closed({ instanceId: Id });
const notFound = ['instance_not_found', 'forbidden'] as const;
const passErrors = ['pass_not_found', 'forbidden'] as const;
const issueErrors = [
  'pass_not_active',
  'pass_archived',
  'fields_not_editable',
  'template_owned_field',
  'unknown_field_key',
  'partner_not_found',
  'barcode_taken',
  'pool_exhausted',
] as const;

const holderExample = { identifier: 'cust_8841', name: 'Ada', email: 'ada@example.com', locale: 'en' };

export const issueInstance = endpoint({
  op: 'issueInstance',
  tag,
  summary: "Issue a pass: one holder's card",
  description:
    'Idempotent by externalRef, and by holder.identifier: a holder who already has the card gets 200 with it.',
  idempotent: true,
  params: PassPath,
  body: shapes.NewInstance,
  example: { externalRef: 'signup-8841', holder: holderExample, fields: { tier: 'Silver' } },
  answers: { 200: shapes.Instance, 201: shapes.Instance },
  errors: [...passErrors, ...issueErrors],
  async handle(ctx: KeyCtx, { params, body, key }) {
    return issueVerb(itemOf(ctx, params.passId, body, key));
  },
});

export const issueBatch = endpoint({
  op: 'issueBatch',
  tag,
  summary: 'Issue up to 1,000 cards',
  description: 'Each item stands alone: it is issued, repeated or refused whatever becomes of the others.',
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  params: PassPath,
  body: closed({
    instances: shapes.batchOf(shapes.NewInstance, 'each as the body of POST /passes/{passId}/instances'),
  }),
  example: { instances: [{ externalRef: 'signup-1', holder: { identifier: 'cust_1' } }] },
  answers: { 200: shapes.BatchResults },
  errors: passErrors,
  async handle(ctx: KeyCtx, { params, body, key }) {
    await findPass(ctx.app.database.db, ctx, params.passId);
    return answer(200, { results: await issueMany(ctx, params.passId, body.instances, key) });
  },
});

export const importInstances = endpoint({
  op: 'importInstances',
  tag,
  summary: 'Import up to 1,000 cards that were issued elsewhere',
  description: 'They keep their barcodes. Unless asked otherwise no wallet link of ours reaches them yet.',
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  params: PassPath,
  body: closed({
    instances: shapes.batchOf(shapes.ImportedInstance, 'a card each, with the barcode that it carries'),
  }),
  example: { instances: [{ barcode: '4006381333931', holder: { identifier: 'cust_1' } }] },
  answers: { 200: shapes.BatchResults },
  errors: passErrors,
  async handle(ctx: KeyCtx, { params, body, key }) {
    await findPass(ctx.app.database.db, ctx, params.passId);
    return answer(200, { results: await importMany(ctx, params.passId, body.instances, key) });
  },
});

export const getInstance = endpoint({
  op: 'getInstance',
  tag,
  summary: 'A card',
  description: 'What it shows, whose it is, and where the holder gets it.',
  params: InstancePath,
  answers: { 200: shapes.Instance },
  errors: notFound,
  async handle(ctx: KeyCtx, { params }) {
    const row = await readInstance(ctx, params.instanceId);
    return answer(200, shapes.presentInstance(ctx.app.config.publicUrl, row));
  },
});

/** A key that is restricted to other passes must not see a replay either. */
async function reachInstance(
  tx: Tx,
  ctx: KeyCtx,
  { params }: { params: { instanceId: string } },
): Promise<void> {
  if (ctx.passIds !== null) await findInstance(tx, ctx, params.instanceId);
}

export const updateFields = writeEndpoint({
  op: 'updateFields',
  tag,
  summary: 'Change what one holder sees in the fields of the pass',
  description: 'null clears a value. One bad key and nothing is changed.',
  reach: reachInstance,
  params: InstancePath,
  body: closed({ fields: shapes.FieldChanges, externalRef: Type.Optional(ExternalRef) }),
  example: { fields: { tier: 'Gold', note: null } },
  answers: updateAnswers,
  errors: [
    ...notFound,
    'instance_voided',
    'fields_not_editable',
    'template_owned_field',
    'unknown_field_key',
    'fields_update_unsupported',
  ],
  handle: async (tx, ctx, { params, body, key }) =>
    updateAnswer(
      ctx,
      await updateFieldsVerb(tx, ctx, { instanceId: params.instanceId, fields: body.fields, key }),
    ),
});

export const updateInstance = writeEndpoint({
  op: 'updateInstance',
  tag,
  summary: 'Change holder, expiry or metadata of a card',
  description:
    'Absent leaves alone, null clears. `metadata` is replaced as a whole. Installed cards are pushed to where they show the change.',
  params: InstancePath,
  body: shapes.InstanceChanges,
  example: { holder: { email: 'ada@example.org', phone: null } },
  answers: updateAnswers,
  errors: [...notFound, 'holder_has_active_instance'],
  reach: reachInstance,
  handle: async (tx, ctx, { params, body, key }) =>
    updateAnswer(ctx, await updateVerb(tx, ctx, { instanceId: params.instanceId, changes: body, key })),
});

export const voidInstance = writeEndpoint({
  op: 'voidInstance',
  tag,
  summary: 'Void a card',
  description:
    'It can no longer earn or redeem, and the wallets show it as void. Its history stays, and it can be made valid again.',
  reach: reachInstance,
  params: InstancePath,
  answers: updateAnswers,
  errors: notFound,
  handle: async (tx, ctx, { params, key }) =>
    updateAnswer(ctx, await voidVerb(tx, ctx, { instanceId: params.instanceId, key })),
});

export const reactivateInstance = writeEndpoint({
  op: 'reactivateInstance',
  tag,
  summary: 'Make a voided card valid again',
  description: 'Unless it was erased, or its holder has another card of the pass meanwhile.',
  reach: reachInstance,
  params: InstancePath,
  answers: updateAnswers,
  errors: [...notFound, 'holder_has_active_instance'],
  handle: async (tx, ctx, { params, key }) =>
    updateAnswer(ctx, await reactivateVerb(tx, ctx, { instanceId: params.instanceId, key })),
});

export const getTimeline = endpoint({
  op: 'getTimeline',
  tag,
  summary: 'What happened to a card, newest first',
  description: 'Every change, push, installation and removal, with what came of it.',
  params: InstancePath,
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.InstanceEvent) },
  errors: notFound,
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const card = await findInstance(db, ctx, params.instanceId);
    const body = await listMade(
      ctx,
      `getTimeline/${card.instanceId}`,
      query,
      ({ after, take }) => readTimeline(db, card, after, take),
      (row) => row.eventId,
      shapes.presentEvent,
    );
    return answer(200, body);
  },
});

export const eraseInstance = writeEndpoint({
  op: 'eraseInstance',
  tag,
  summary: 'Erase the person behind a card',
  description:
    'Voids the card and deletes holder, own values and metadata, what you have said of its entries (`reason`) and of its orders (`items`), and invitations of its holder to the pass. Its barcode becomes another one that was never given: the former is found no more, and is free again. What the ledger counts stays, without a word; repeated calls are answered as they were, without the person. Your names of things stay (externalRef, Idempotency-Key, orderId, refundId), since repeats are known by them: put nothing personal in them.',
  params: InstancePath,
  answers: { 204: null },
  errors: notFound,
  reach: reachInstance,
  async handle(tx, ctx, { params }) {
    await eraseVerb(tx, ctx, params);
    return answer(204, null);
  },
});
