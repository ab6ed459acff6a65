import { Type } from 'typebox';
import { Identifier } from '../cards/instance.schema.ts';
import { documentedWith, inNfc } from '../kit/http/schemas/documented.ts';
import {
  closed,
  ExternalRef,
  Id,
  LocaleTag,
  line,
  listQuery,
  madeBetween,
  nullable,
  oneOf,
  Timestamp,
} from '../kit/http/schemas/shapes.ts';
import { mailboxPattern, printablePattern } from '../kit/http/schemas/text-patterns.ts';
import { encodeId } from '../kit/ids.ts';
import { type InviteRow, inviteStatuses } from './invite-row.ts';

const Email = inNfc(
  Type.String({
    minLength: 3,
    maxLength: 254,
    pattern: printablePattern,
    description: 'an e-mail address; in lower case, it is the person',
  }),
);
const InviteStatus = oneOf(inviteStatuses);

export const NewInvite = closed(
  {
    email: documentedWith(Email, { pattern: mailboxPattern }),
    name: Type.Optional(nullable(line(200, 'whom the mail greets, and the holder of the card'))),
    identifier: Type.Optional(nullable(Identifier)),
    locale: Type.Optional(
      nullable({
        ...LocaleTag,
        description: "the language of the mail and of the card, BCP 47; else the workspace's",
      }),
    ),
    externalRef: Type.Optional(ExternalRef),
  },
  { $id: 'NewInvite' },
);

const Cursor = Type.String({ minLength: 1, maxLength: 100, description: '`nextCursor` of the call before' });

export const CardMailing = closed(
  { dryRun: Type.Optional(Type.Boolean({ description: 'only counts' })), cursor: Type.Optional(Cursor) },
  { $id: 'CardMailing' },
);

export const SentCards = closed(
  {
    mailed: Type.Integer({ description: 'people whose mail is on its way, or would be' }),
    noAddress: Type.Integer({ description: 'cards without an e-mail address that can be used' }),
    suppressed: Type.Integer({ description: 'people who want no mail, or whose address is dead' }),
    sentBefore: Type.Integer({ description: 'people who were mailed before, for this pass' }),
    duplicate: Type.Integer({ description: 'cards whose address another card has' }),
    nextCursor: nullable(Type.String({ description: 'null: there are no more cards' })),
  },
  { $id: 'SentCards' },
);

export const InviteFilters = listQuery({
  ...madeBetween,
  status: Type.Optional(InviteStatus),
  email: Type.Optional(Email),
});

export const Invite = closed(
  {
    inviteId: Id,
    passId: Id,
    sweepId: nullable(Id),
    status: InviteStatus,
    email: nullable(Type.String({ description: 'null once the person was forgotten' })),
    problem: nullable(
      Type.String({
        description: "why it was not sent, or not yet: the mail server's reply in numbers, or a word",
      }),
    ),
    instanceId: nullable(Type.String({ description: 'the card that was made of it' })),
    createdAt: Timestamp,
    sentAt: nullable(Timestamp),
    acceptedAt: nullable(Timestamp),
  },
  { $id: 'Invite' },
);

/** An invitation as the API shows it; without the secret of its links. */
export function presentInvite(row: InviteRow) {
  return {
    inviteId: encodeId('invite', row.inviteId),
    passId: encodeId('pass', row.passId),
    sweepId: row.sweepId === null ? null : encodeId('sweep', row.sweepId),
    status: row.status,
    email: row.email,
    problem: row.problem,
    instanceId: row.instanceId === null ? null : encodeId('inst', row.instanceId),
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
  };
}
