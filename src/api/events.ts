import { Type } from 'typebox';
import { findInstance } from '../cards/find-instance.ts';
import type { KeyCtx } from '../context.ts';
import { answer, endpoint } from '../engine/endpoints.ts';
import { EventShape, EventTypes, presentEvent, typesIn } from '../events/event.schema.ts';
import { findOwnEvent, readEvents } from '../events/read-events.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { closed, Id, listOf, listQuery, Moment } from '../kit/http/schemas/shapes.ts';
import { decodeId } from '../kit/ids.ts';
import { findPass, refuseOtherPass } from '../passes/find-pass.ts';

const tag = 'Events';

export const listEvents = endpoint({
  op: 'listEvents',
  call: 'events.list',
  tag,
  summary: 'What has happened',
  description:
    'With afterSeq the events behind that number in their order, for a reader who goes on from the last one and so misses none; otherwise the newest first. wait holds the answer until there is one. Kept for 30 days.',
  query: listQuery({
    type: Type.Optional(EventTypes),
    passId: Type.Optional(Id),
    instanceId: Type.Optional(Id),
    afterSeq: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,14})$',
        description: 'the last number that was read; 0 for the first',
      }),
    ),
    createdAfter: Type.Optional(Moment),
    createdBefore: Type.Optional(Moment),
    wait: Type.Optional(
      Type.String({ pattern: '^([0-9]|[12][0-9]|30)$', description: 'seconds, with afterSeq; 30 at most' }),
    ),
  }),
  answers: { 200: listOf(EventShape) },
  errors: ['pass_not_found', 'instance_not_found', 'forbidden'],
  hasOwnLimits: true,
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const { passId, instanceId, afterSeq, wait = '0' } = query;
    if (wait !== '0' && afterSeq === undefined)
      throw invalidField('wait', 'required', 'give afterSeq, the last number that you have read.', {
        part: 'query',
      });
    const pass = passId === undefined ? undefined : await findPass(db, ctx, passId);
    const card = instanceId === undefined ? undefined : await findInstance(db, ctx, instanceId);
    if (ctx.passIds !== null && pass === undefined && card === undefined)
      throw invalidField('passId', 'required', 'this key is restricted to some passes. Name one of them.', {
        part: 'query',
      });
    const filter = {
      workspaceId: ctx.workspaceId,
      types: typesIn(query.type),
      passId: pass?.passId,
      instanceId: card?.instanceId,
      createdAfter: momentOf(query.createdAfter),
      createdBefore: momentOf(query.createdBefore),
    };
    const from = { afterSeq: afterSeq === undefined ? null : Number(afterSeq), waitMs: Number(wait) * 1_000 };
    return answer(200, await readEvents(ctx, filter, query, from));
  },
});

export const getEvent = endpoint({
  op: 'getEvent',
  call: 'events.get',
  tag,
  summary: 'An event',
  description: 'One event by its id, as lists and webhooks show it. Kept for 30 days.',
  params: closed({ eventId: Id }),
  answers: { 200: EventShape },
  errors: ['event_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    const row = await findOwnEvent(ctx, decodeId('evt', params.eventId));
    refuseOtherPass(ctx, row.passId ?? '');
    return answer(200, presentEvent(row));
  },
});

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
