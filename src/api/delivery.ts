import { findInstance } from '../cards/find-instance.ts';
import { updateAnswer, updateAnswers } from '../cards/update-answer.ts';
import type { KeyCtx, OperatorCtx } from '../context.ts';
import { countRecipients } from '../delivery/audience.ts';
import { takeBackMessage as takeBackVerb, updateMessage as updateVerb } from '../delivery/change-message.ts';
import { findMessage } from '../delivery/find-message.ts';
import { announcementsLeft } from '../delivery/google/notification-quota.ts';
import { planMessage, timesOf } from '../delivery/plan-message.ts';
import { pushInstance as pushVerb } from '../delivery/push-instance.ts';
import { sendMessage as sendVerb } from '../delivery/send-message.ts';
import { diagnoseCard, diagnoseOwnCard } from '../diagnosis/diagnose-card.ts';
import { Diagnosis, InstanceDiagnosis } from '../diagnosis/diagnosis.schema.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { progressEndpoint } from '../engine/progress-endpoint.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { findPass } from '../passes/find-pass.ts';
import {
  Message,
  MessageCost,
  MessageUpdate,
  NewMessage,
  presentMessage,
  SentMessage,
} from '../pushes/message.schema.ts';
import { listMessagesOf } from '../pushes/messages.sql.ts';

const tag = 'Delivery';
const PassPath = closed({ passId: Id });

export const pushInstance = writeEndpoint({
  op: 'pushInstance',
  call: 'instances.push',
  tag,
  summary: 'Deliver the current state of a card again',
  description:
    'Applies nothing, so it is the safe way to make up for a push that was skipped: send this, not the update or award again. It costs a credit unless the newest state is on its way already, or a top-up has paid for it.',
  params: closed({ instanceId: Id }),
  answers: { 200: updateAnswers[200] },
  errors: ['instance_not_found', 'forbidden', 'instance_voided', 'insufficient_credits'],
  async authorizeReplay(tx, ctx, { params }) {
    await findInstance(tx, ctx, params.instanceId);
  },
  async handle(tx, ctx, { params, key }) {
    const { body } = updateAnswer(ctx, await pushVerb(tx, ctx, { instanceId: params.instanceId, key }));
    return answer(200, body);
  },
});

export const sendMessage = writeEndpoint({
  op: 'sendMessage',
  call: 'messages.send',
  tag,
  summary: 'Send a text to the installed cards of a pass',
  description:
    'The lock screen shows it and the back of the card keeps the newest one. To every installed card, or to an `audience`: the cards of which all holds that it names. A credit for each card; not enough for all, and nothing is sent. With `dryRun` it answers how many cards these are, and sends nothing. Who comes to match after the audience was counted may do without; for cards that were removed before their turn the credits come back. With `sendAt` it is kept and goes out then, to those who match then, and is paid for then; with `endsAt` its text leaves the cards at that moment. Void cards get none.',
  // An audience is counted before the transaction; that takes longer the more cards the pass has.
  hasOwnLimits: false,
  params: PassPath,
  body: NewMessage,
  example: { text: 'Double stamps until Sunday', audience: { fields: { tier: 'Gold' } } },
  answers: { 200: MessageCost, 202: SentMessage },
  errors: ['pass_not_found', 'forbidden', 'unknown_field_key', 'partner_not_found', 'insufficient_credits'],
  async authorizeReplay(tx, ctx, { params }) {
    await findPass(tx, ctx, params.passId);
  },
  async prepare(ctx, { params: { passId }, body: { audience, dryRun, sendAt, endsAt } }) {
    timesOf(ctx, { sendAt, endsAt });
    const isSentToAll = audience === undefined && dryRun !== true && sendAt === undefined;
    return isSentToAll ? null : countRecipients(ctx, { passId, audience });
  },
  async handle(tx, ctx, { params: { passId }, body: { text, audience, dryRun, ...times } }, counted) {
    const recipients = counted ?? 0;
    if (dryRun === true) {
      const pass = await findPass(tx, ctx, passId);
      const left = await announcementsLeft(tx, pass, ctx.app.now());
      return answer(200, { recipients, credits: recipients, announcementsLeft: left });
    }
    const { sendAt, endsAt } = timesOf(ctx, times);
    if (sendAt !== null)
      return answer(202, await planMessage(tx, ctx, { passId, text, audience, recipients, sendAt, endsAt }));
    const to = audience === undefined ? null : { audience, recipients };
    return answer(202, await sendVerb(tx, ctx, { passId, text, to, endsAt }));
  },
});

export const listMessages = endpoint({
  op: 'listMessages',
  call: 'messages.list',
  tag,
  summary: 'The messages of a pass',
  description: 'Newest first, each with its outcome so far.',
  params: PassPath,
  query: listQuery(madeBetween),
  answers: { 200: listOf(Message) },
  errors: ['pass_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params, query }) {
    const { db } = ctx.app.database;
    const pass = await findPass(db, ctx, params.passId);
    const page = pageMade(ctx, `listMessages/${ctx.workspaceId}/${pass.passId}`, query);
    const rows = await listMessagesOf(db, pass, page);
    return answer(200, page.of(rows, 'rolloutId', presentMessage));
  },
});

export const getMessage = endpoint({
  op: 'getMessage',
  call: 'messages.get',
  tag,
  summary: 'A message and its outcome',
  description:
    '`recipients` are always the sum of `delivered`, `failed`, `skipped` and `waiting`. Each card counts once, with the first of its wallets that was notified.',
  params: closed({ messageId: Id }),
  answers: { 200: Message },
  errors: ['message_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await showMessage(ctx, params.messageId)),
});

export const watchMessage = progressEndpoint({
  op: 'watchMessage',
  call: 'messages.progress',
  tag,
  summary: 'The outcome of a message, as it happens',
  params: closed({ messageId: Id }),
  get: 'getMessage',
  ends: 'once no card waits',
  errors: ['message_not_found', 'forbidden'],
  show: (ctx, { messageId }) => showMessage(ctx, messageId),
  isDone: ({ state, waiting }) => state !== 'planned' && state !== 'running' && waiting === 0,
});

export const updateMessage = writeEndpoint({
  op: 'updateMessage',
  call: 'messages.update',
  tag,
  summary: 'Change a message that waits for its time',
  description: 'Everything but its pass. `null` takes the audience or the end away.',
  params: closed({ messageId: Id }),
  body: MessageUpdate,
  example: { sendAt: '2030-03-01T09:00:00Z', endsAt: null },
  hasOwnLimits: false,
  answers: { 200: Message },
  errors: [
    'message_not_found',
    'forbidden',
    'message_already_sent',
    'unknown_field_key',
    'partner_not_found',
  ],
  async authorizeReplay(tx, ctx, { params }) {
    await findMessage(tx, ctx, params.messageId);
  },
  async prepare(ctx, { params, body: { audience } }) {
    if (audience === undefined || audience === null) return;
    const { passId } = await findMessage(ctx.app.database.db, ctx, params.messageId);
    await countRecipients(ctx, { passId: encodeId('pass', passId), audience });
  },
  async handle(tx, ctx, { params, body }) {
    return answer(200, presentMessage(await updateVerb(tx, ctx, { ...params, ...body })));
  },
});

export const takeBackMessage = writeEndpoint({
  op: 'takeBackMessage',
  call: 'messages.takeBack',
  tag,
  summary: 'Take a message back',
  description:
    'One that waits for its time is not sent. The text of one that has gone out leaves the cards, by an update of each at a credit; notifications that phones have shown stay, and a newer message too. Repeating it changes nothing.',
  params: closed({ messageId: Id }),
  answers: { 200: Message },
  errors: ['message_not_found', 'forbidden'],
  async authorizeReplay(tx, ctx, { params }) {
    await findMessage(tx, ctx, params.messageId);
  },
  async handle(tx, ctx, { params }) {
    return answer(200, presentMessage(await takeBackVerb(tx, ctx, params)));
  },
});

async function showMessage(ctx: KeyCtx, messageId: string) {
  return presentMessage(await findMessage(ctx.app.database.db, ctx, messageId));
}

export const diagnoseInstance = endpoint({
  op: 'diagnoseInstance',
  call: 'operator.diagnoseInstance',
  tag: 'Operator',
  summary: 'Why a phone does not show an update of a card',
  description:
    'Everything on the way from the card to its wallets, in this order and in words for a person. `error` stays until a person does something about it, `warning` delays or passes by itself. No device is named.',
  params: closed({ instanceId: Id }),
  answers: {
    200: Diagnosis,
  },
  errors: ['instance_not_found'],
  handle: async (ctx: OperatorCtx, { params }) => answer(200, await diagnoseCard(ctx, params)),
});

export const getDiagnosis = endpoint({
  op: 'getDiagnosis',
  call: 'instances.diagnosis',
  tag,
  summary: 'Why a phone does not show an update of a card',
  description:
    'Everything on the way from the card to its wallets, in this order, with words for a person and a code for programs. `error` stays until a person does something about it, `warning` delays or passes by itself. No device is named.',
  params: closed({ instanceId: Id }),
  answers: { 200: InstanceDiagnosis },
  errors: ['instance_not_found', 'forbidden'],
  handle: async (ctx: KeyCtx, { params }) => answer(200, await diagnoseOwnCard(ctx, params)),
});
