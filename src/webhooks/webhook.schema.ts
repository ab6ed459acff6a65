import { Type } from 'typebox';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, nullable, oneOf, partial, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { DeliveryRow, WebhookProblem, WebhookRow } from './webhook-row.ts';
import type { DayFigures } from './webhooks.sql.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'where events are posted to: https, at a host that everyone on the Internet can reach',
});
const Types = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: '`*` for all, kinds of events, or `points.*` for those that begin alike',
});
const PassIds = nullable(
  Type.Array(Id, {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'only events of these passes; null for all',
  }),
);
const Description = nullable(line(255, 'what it is for'));
const Payload = oneOf(['full', 'thin']);

export const NewWebhook = named(
  'NewWebhook',
  closed({
    url: Url,
    types: Types,
    passIds: Type.Optional(PassIds),
    description: Type.Optional(Description),
    payload: Type.Optional(Payload),
  }),
);

export const WebhookChanges = named(
  'WebhookChanges',
  partial({
    url: Url,
    types: Types,
    passIds: PassIds,
    description: Description,
    payload: Payload,
    status: oneOf(['active', 'paused']),
  }),
);

const columns = {
  webhookId: Id,
  url: Type.String(),
  types: Type.Array(Type.String()),
  passIds: nullable(Type.Array(Type.String())),
  description: nullable(Type.String()),
  payload: Payload,
  status: oneOf(['active', 'paused', 'disabled']),
  problem: nullable(
    closed(
      { code: oneOf(['failing', 'gone', 'no_success']), message: Type.String() },
      { description: 'what a member has to look at' },
    ),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** With its secret, which is shown once. */
export const WebhookWithSecret = closed(
  {
    ...columns,
    secret: Type.String({ description: 'verifies what is posted: shown once, and kept encrypted' }),
  },
  { $id: 'WebhookWithSecret' },
);

export const Webhook = closed(
  {
    ...columns,
    lastDay: closed(
      { delivered: Type.Integer(), failed: Type.Integer(), waiting: Type.Integer() },
      { description: 'the outcomes of the deliveries of the last 24 hours, of 10,000 at most' },
    ),
  },
  { $id: 'Webhook' },
);

const advice: Readonly<Record<WebhookProblem, string>> = {
  failing: 'An event could not be delivered four times in a row. GET its deliveries for what was answered.',
  gone: 'The receiver answered 410: it wants no more events. Activate the webhook if that was a mistake.',
  no_success:
    'No event could be delivered for five days. Mend the receiver, activate the webhook, then recover.',
};

/** A webhook as the API shows it, without its figures. */
export function presentWebhook(row: WebhookRow) {
  return {
    webhookId: encodeId('hook', row.webhookId),
    url: row.url,
    types: [...row.types],
    passIds: row.passIds?.map((passId) => encodeId('pass', passId)) ?? null,
    description: row.description,
    payload: row.payload,
    status: row.status === 'deleted' ? ('disabled' as const) : row.status,
    problem: row.problem === null ? null : { code: row.problem, message: advice[row.problem] },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A webhook, with the outcomes of its deliveries. */
export function presentWithFigures(row: WebhookRow, { delivered, failed, waiting }: DayFigures) {
  return { ...presentWebhook(row), lastDay: { delivered, failed, waiting } };
}

export const DeliveryStatus = oneOf(['waiting', 'delivered', 'failed']);

export const Delivery = closed(
  {
    deliveryId: Type.String({ description: 'the `webhook-id` of its messages, the same over all attempts' }),
    webhookId: Id,
    eventId: Id,
    type: Type.String(),
    status: DeliveryStatus,
    nextAttemptAt: nullable(Type.String({ format: 'date-time' })),
    attempts: Type.Array(
      closed({
        at: Timestamp,
        status: nullable(Type.Integer({ description: 'of the answer; null where there was none' })),
        milliseconds: Type.Integer(),
        problem: nullable(Type.String({ description: 'why there was no answer' })),
        answer: nullable(
          Type.String({ description: 'its first 1,000 bytes; null to keys that may only read' }),
        ),
      }),
      { description: 'the last twenty, the oldest first' },
    ),
    createdAt: Type.String({ format: 'date-time', description: 'when the event was made' }),
  },
  { $id: 'Delivery' },
);

/** A delivery as the API shows it; what the receiver has answered is for those alone who could have it sent there. */
export function presentDelivery(row: DeliveryRow, { access }: { readonly access: 'full' | 'read' }) {
  return {
    deliveryId: encodeId('msg', row.deliveryId),
    webhookId: encodeId('hook', row.webhookId),
    eventId: encodeId('evt', row.eventId),
    type: row.type,
    status: row.status,
    nextAttemptAt: row.status === 'waiting' ? (row.dueAt?.toISOString() ?? null) : null,
    attempts: row.attempts.map(({ at, status, milliseconds, problem, answer }) => ({
      at,
      status,
      milliseconds,
      problem,
      answer: access === 'full' ? answer : null,
    })),
    createdAt: row.createdAt.toISOString(),
  };
}

export const TestSent = named(
  'SentTest',
  closed({
    eventId: Type.String(),
    deliveryId: Type.String({ description: 'of the delivery that shows, in a moment, what was answered' }),
  }),
);

export const Recovered = named(
  'RecoveredEvents',
  closed({
    recovered: Type.Integer({ description: 'events that are sent again' }),
    nextSince: nullable(
      Type.String({
        format: 'date-time',
        description: 'where there are more: call again with it; null when all were looked at',
      }),
    ),
  }),
);
