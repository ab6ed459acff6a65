import { Type } from 'typebox';
import { freelyNamed, named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, Moment, nullable, partial, prose } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { MessageRow } from './messages.sql.ts';

const Balance = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** Which of the installed cards a message is for: everything that is given holds of each of them. */
const MessageAudience = partial({
  installed: Type.Unsafe<true | 'apple' | 'google' | 'web'>({
    enum: [true, 'apple', 'google', 'web'],
    description: 'true, as without it: in any wallet; or the kind of wallet that holds the card',
  }),
  fields: freelyNamed(
    Type.Record(Type.String(), nullable(Type.String({ maxLength: 1_000 })), {
      minProperties: 1,
      maxProperties: 10,
      description:
        'what the card shows in each of these fields, its own value or that of the pass; null: nothing',
    }),
  ),
  tier: line(
    1_000,
    'key of the tier of its program that the holder is in; where that has none, what the card shows in the field `tier`',
  ),
  balance: partial({ from: Balance, to: Balance }),
  lastSeen: partial({
    after: Type.String({
      ...Moment,
      description: 'a wallet fetched the card, or its page was opened, since then',
    }),
    before: Type.String({ ...Moment, description: 'and that has not happened since then' }),
  }),
  partnerId: Id,
  awayDays: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'the card has earned nothing for so many days, and is older than that',
  }),
  rewardWaiting: Type.Unsafe<true>({
    enum: [true],
    description: 'a reward is unlocked, or the balance is enough for the first one',
  }),
  consent: line(60, 'key of a consent of the join page that the holder has agreed to, and not taken back'),
});

const SendAt = Type.String({
  ...Moment,
  description: 'when it goes out, at most ten years ahead; without it, at once',
});
const EndsAt = Type.String({
  ...Moment,
  description: 'when its text leaves the cards, by an update of each card; without it, with the next message',
});

export const NewMessage = named(
  'NewMessage',
  closed({
    text: prose(500),
    audience: Type.Optional(MessageAudience),
    sendAt: Type.Optional(SendAt),
    endsAt: Type.Optional(EndsAt),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'only answers how many cards it would go to, and what it would cost' }),
    ),
  }),
);

export const MessageUpdate = named(
  'MessageUpdate',
  partial({
    text: prose(500),
    audience: nullable(MessageAudience),
    sendAt: SendAt,
    endsAt: nullable(EndsAt),
  }),
);

export const MessageCost = named(
  'MessageCost',
  closed({
    recipients: Type.Integer({ description: 'installed cards that it would go to now' }),
    credits: Type.Integer({ description: 'credits that it would cost' }),
    announcementsLeft: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 3,
        description:
          'messages to all cards that Google Wallet would announce now, of three in 24 hours; the next ones arrive without a sound. A card whose own changes were announced has fewer. null: no card of the pass is there',
      }),
    ),
  }),
);

export const SentMessage = named(
  'SentMessage',
  closed({
    messageId: Id,
    recipients: Type.Integer({ description: 'cards that it goes to' }),
    credits: Type.Integer({ description: 'credits reserved for them' }),
  }),
);

export const Message = closed(
  {
    messageId: Id,
    passId: Id,
    text: nullable(Type.String({ description: 'null for messages of before texts were kept' })),
    audience: nullable(MessageAudience),
    state: Type.Unsafe<'planned' | 'running' | 'finished' | 'cancelled' | 'unsent'>({
      type: 'string',
      enum: ['planned', 'running', 'finished', 'cancelled', 'unsent'],
      description:
        '`planned` waits for `sendAt`; `cancelled` was taken back before; `unsent` could not be sent then, for `unsentReason`',
    }),
    unsentReason: nullable(
      Type.String({ description: 'code of the error; `too_late`: its end had come before it could go out' }),
    ),
    recipients: Type.Integer({ description: 'cards that it was paid for' }),
    delivered: Type.Integer({ description: 'of them, those for which a wallet was notified' }),
    failed: Type.Integer({
      description: 'those whose wallets have failed for good; their credits came back',
    }),
    skipped: Type.Integer({
      description: 'those that were removed, or matched no more, before their turn; their credits came back',
    }),
    waiting: Type.Integer({ description: 'those whose wallets are still to be notified' }),
    createdAt: Type.String({
      format: 'date-time',
      description: 'when it went out; when it was made, as long as it has not',
    }),
    sendAt: nullable(Type.String({ format: 'date-time', description: 'null: it was sent at once' })),
    endsAt: nullable(Type.String({ format: 'date-time', description: 'when its text leaves the cards' })),
    endedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'when its text began to leave them, at its end or taken back',
      }),
    ),
    finishedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'when the last card had its turn; some may still wait',
      }),
    ),
  },
  { $id: 'Message' },
);

/** A message as the API shows it. */
export function presentMessage(row: MessageRow) {
  const { cards: recipients, delivered, failed } = row;
  const skipped = row.stage === 'cards' ? 0 : recipients - row.done;
  const isUnderWay = row.stage === 'cards' || row.stage === 'devices';
  return {
    messageId: encodeId('push', row.rolloutId),
    passId: encodeId('pass', row.passId),
    text: row.message,
    audience: row.audience,
    state: isUnderWay ? ('running' as const) : row.stage,
    unsentReason: row.reason,
    recipients,
    delivered,
    failed,
    skipped,
    waiting: Math.max(recipients - delivered - failed - skipped, 0),
    createdAt: row.createdAt.toISOString(),
    sendAt: row.sendAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
