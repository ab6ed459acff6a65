import { Type } from 'typebox';
import { CardVoid, FieldUpdate, UpdateResults, Voiding } from '../cards/card-changes.schema.ts';
import { findInstance } from '../cards/find-instance.ts';
import * as shapes from '../cards/instance.schema.ts';
import { updateAnswer, updateAnswers } from '../cards/update-answer.ts';
import {
  updateFieldsBatch as updateFieldsBatchVerb,
  updateFields as updateFieldsVerb,
} from '../cards/update-fields.ts';
import { voidBatch as voidBatchVerb, voidInstance as voidVerb } from '../cards/void-instance.ts';
import type { KeyCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { eraseInstance as eraseVerb } from '../erasure/erase-instance.ts';
import type { Tx } from '../kit/db/database.ts';
import { closed, ExternalRef, Id } from '../kit/http/schemas/shapes.ts';
import { reactivateInstance as reactivateVerb } from '../lifecycle/reactivate-instance.ts';
import { updateInstance as updateVerb } from '../lifecycle/update-instance.ts';

const tag = 'Instances';
const InstancePath = closed({ instanceId: Id });
const notFound = ['instance_not_found', 'forbidden'] as const;
const fieldErrors = [
  'instance_voided',
  'fields_not_editable',
  'template_owned_field',
  'unknown_field_key',
  'fields_update_unsupported',
] as const;

/** A key that is restricted to other passes must not see a replay either. */
async function refuseHiddenInstance(
  tx: Tx,
  ctx: KeyCtx,
  { params }: { params: { instanceId: string } },
): Promise<void> {
  if (ctx.passIds !== null) await findInstance(tx, ctx, params.instanceId);
}

export const updateFields = endpoint({
  op: 'updateFields',
  call: 'instances.updateFields',
  tag,
  summary: 'Change what one holder sees in the fields of the pass',
  description:
    'null leaves a field blank, `{ "useDefault": true }` returns it to the value of the pass. One bad key and nothing is changed.',
  idempotent: true,
  params: InstancePath,
  body: closed({ fields: shapes.FieldChanges, externalRef: Type.Optional(ExternalRef) }),
  example: { fields: { tier: 'Gold', note: null } },
  answers: updateAnswers,
  errors: [...notFound, ...fieldErrors],
  handle: (ctx: KeyCtx, { params, body, key }) =>
    updateFieldsVerb(ctx, { instanceId: params.instanceId, fields: body.fields }, key),
});

const eachAlone =
  'Of any passes. Each item stands alone: it is applied, repeated or refused whatever becomes of the others.';

export const updateFieldsBatch = endpoint({
  op: 'updateFieldsBatch',
  call: 'instances.updateFieldsBatch',
  tag,
  summary: 'Change the fields of up to 1,000 cards',
  description: `${eachAlone} One without an externalRef is repeated under the Idempotency-Key and its place.`,
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  body: closed({
    updates: shapes.batchOf(
      FieldUpdate,
      'each as the body of PATCH /instances/{instanceId}/fields, with the instanceId',
    ),
  }),
  example: { updates: [{ instanceId: 'inst_…', fields: { tier: 'Gold' }, externalRef: 'upgrade-1' }] },
  answers: { 200: UpdateResults },
  handle: async (ctx: KeyCtx, { body, key }) =>
    answer(200, { results: await updateFieldsBatchVerb(ctx, body.updates, key) }),
});

export const updateInstance = writeEndpoint({
  op: 'updateInstance',
  call: 'instances.update',
  tag,
  summary: 'Change holder, expiry, metadata or fields of a card',
  description:
    'Absent leaves alone, null clears. `metadata` is replaced as a whole, `fields` one by one, as PATCH …/fields does. Installed cards are pushed to where they show the change.',
  params: InstancePath,
  body: shapes.InstanceChanges,
  example: { holder: { email: 'ada@example.org', phone: null } },
  answers: updateAnswers,
  errors: [...notFound, ...fieldErrors, 'holder_has_active_instance'],
  authorizeReplay: refuseHiddenInstance,
  handle: async (tx, ctx, { params, body, key }) =>
    updateAnswer(ctx, await updateVerb(tx, ctx, { instanceId: params.instanceId, changes: body, key })),
});

export const voidInstance = endpoint({
  op: 'voidInstance',
  call: 'instances.void',
  tag,
  summary: 'Void a card',
  description:
    'It can no longer earn or redeem, and the wallets show it as void. Its history stays, and it can be made valid again. The reason is shown with the card; voiding it again leaves the first.',
  idempotent: true,
  params: InstancePath,
  body: Type.Optional(Voiding),
  example: { reason: 'Reported as lost' },
  answers: updateAnswers,
  errors: notFound,
  handle: (ctx: KeyCtx, { params, body, key }) =>
    voidVerb(ctx, { instanceId: params.instanceId, ...body }, key),
});

export const voidBatch = endpoint({
  op: 'voidBatch',
  call: 'instances.voidBatch',
  tag,
  summary: 'Void up to 1,000 cards',
  description: `${eachAlone} Under an Idempotency-Key, an item is repeated by its place.`,
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  body: closed({
    voids: shapes.batchOf(
      CardVoid,
      'each as the body of POST /instances/{instanceId}/void, with the instanceId',
    ),
  }),
  example: { voids: [{ instanceId: 'inst_…', reason: 'Reported as lost' }] },
  answers: { 200: UpdateResults },
  handle: async (ctx: KeyCtx, { body, key }) =>
    answer(200, { results: await voidBatchVerb(ctx, body.voids, key) }),
});

export const reactivateInstance = writeEndpoint({
  op: 'reactivateInstance',
  call: 'instances.reactivate',
  tag,
  summary: 'Make a voided card valid again',
  description: 'Unless it was erased, or its holder has got another card of the pass since.',
  authorizeReplay: refuseHiddenInstance,
  params: InstancePath,
  answers: updateAnswers,
  errors: [...notFound, 'holder_has_active_instance'],
  handle: async (tx, ctx, { params, key }) =>
    updateAnswer(ctx, await reactivateVerb(tx, ctx, { instanceId: params.instanceId, key })),
});

export const eraseInstance = writeEndpoint({
  op: 'eraseInstance',
  call: 'instances.erase',
  tag,
  summary: 'Erase the person behind a card',
  description:
    'Voids the card and deletes holder, own values and metadata, what you have said of its entries (`reason`) and of its orders (`items`), and invitations of its holder to the pass. Its barcode becomes another one that was never given: the former is found no more, and is free again. What the ledger counts stays, without a word; repeated calls are answered as they were, without the person. Your names of things stay (externalRef, Idempotency-Key, orderId, refundId), since repeats are known by them: put nothing personal in them.',
  params: InstancePath,
  answers: { 204: null },
  errors: notFound,
  authorizeReplay: refuseHiddenInstance,
  handle: async (tx, ctx, { params }) => emptyAnswer(204, eraseVerb(tx, ctx, params)),
});
