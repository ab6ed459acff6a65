import { findInstance, readInstance } from '../cards/find-instance.ts';
import * as shapes from '../cards/instance.schema.ts';
import { InstanceEvent, presentEvent } from '../cards/timeline.schema.ts';
import type { KeyCtx } from '../context.ts';
import { readTimeline } from '../delivery/read-timeline.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { BatchResults, ImportedInstance, KnownInstance, NewInstance } from '../lifecycle/issue.schema.ts';
import { issueInstance as issueVerb } from '../lifecycle/issue-instances.ts';
import { itemOf } from '../lifecycle/issue-item.ts';
import { importMany, issueMany } from '../lifecycle/issue-many.ts';
import { findPass } from '../passes/find-pass.ts';

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
  'fields_update_unsupported',
  'partner_not_found',
  'barcode_taken',
  'pool_exhausted',
  'no_loyalty_program',
  'holder_has_active_instance',
] as const;

const holderExample = { identifier: 'cust_8841', name: 'Ada', email: 'ada@example.com', locale: 'en' };

export const issueInstance = endpoint({
  op: 'issueInstance',
  call: 'instances.issue',
  tag,
  summary: "Issue a pass: one holder's card",
  description:
    'Idempotent by externalRef, and by holder.identifier: a holder who already has the card gets 200 with it, unchanged. With `onExisting: "update"` that card takes over the details of the holder and the fields that are sent, as an update of it would, and the answer says the outcome of the push.',
  idempotent: true,
  params: PassPath,
  body: NewInstance,
  example: { externalRef: 'signup-8841', holder: holderExample, fields: { tier: 'Silver' } },
  answers: { 200: KnownInstance, 201: shapes.Instance, 202: KnownInstance },
  errors: [...passErrors, ...issueErrors],
  async handle(ctx: KeyCtx, { params, body, key }) {
    return issueVerb(itemOf(ctx, params.passId, body, key));
  },
});

export const issueBatch = endpoint({
  op: 'issueBatch',
  call: 'instances.issueBatch',
  tag,
  summary: 'Issue up to 1,000 cards',
  description: 'Each item stands alone: it is issued, repeated or refused whatever becomes of the others.',
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  params: PassPath,
  body: closed({
    instances: shapes.batchOf(NewInstance, 'each as the body of POST /passes/{passId}/instances'),
  }),
  example: { instances: [{ externalRef: 'signup-1', holder: { identifier: 'cust_1' } }] },
  answers: { 200: BatchResults },
  errors: passErrors,
  async handle(ctx: KeyCtx, { params, body, key }) {
    await findPass(ctx.app.database.db, ctx, params.passId);
    return answer(200, { results: await issueMany(ctx, params.passId, body.instances, key) });
  },
});

export const importInstances = endpoint({
  op: 'importInstances',
  call: 'instances.importBatch',
  tag,
  summary: 'Import up to 1,000 cards that were issued elsewhere',
  description: 'They keep their barcodes. Unless asked otherwise no wallet link of ours reaches them yet.',
  idempotent: true,
  bodyLimit: 5 * 1024 * 1024,
  params: PassPath,
  body: closed({
    instances: shapes.batchOf(ImportedInstance, 'a card each, with the barcode that it carries'),
  }),
  example: { instances: [{ barcode: '4006381333931', holder: { identifier: 'cust_1' } }] },
  answers: { 200: BatchResults },
  errors: passErrors,
  async handle(ctx: KeyCtx, { params, body, key }) {
    await findPass(ctx.app.database.db, ctx, params.passId);
    return answer(200, { results: await importMany(ctx, params.passId, body.instances, key) });
  },
});

export const getInstance = endpoint({
  op: 'getInstance',
  call: 'instances.get',
  tag,
  summary: 'A card',
  description: 'What it shows, whose it is, and where the holder gets it.',
  params: InstancePath,
  answers: { 200: shapes.Instance },
  errors: notFound,
  async handle(ctx: KeyCtx, { params }) {
    return answer(
      200,
      shapes.presentFound(
        ctx.app.config.publicUrl,
        await readInstance(ctx, params.instanceId),
        ctx.app.now(),
      ),
    );
  },
});

export const getTimeline = endpoint({
  op: 'getTimeline',
  call: 'instances.timeline',
  tag,
  summary: 'What happened to a card, newest first',
  description: 'Every change, push, installation and removal, with what came of it.',
  params: InstancePath,
  query: listQuery(madeBetween),
  answers: { 200: listOf(InstanceEvent) },
  errors: notFound,
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const card = await findInstance(db, ctx, params.instanceId);
    const page = pageMade(ctx, `getTimeline/${card.instanceId}`, query);
    const rows = await readTimeline(db, card, page);
    return answer(200, page.of(rows, 'eventId', presentEvent));
  },
});
