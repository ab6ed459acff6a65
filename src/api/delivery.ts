import { Type } from 'typebox';
import { findInstance } from '../cards/find-instance.ts';
import { updateAnswer, updateAnswers } from '../cards/update-answer.ts';
import type { OperatorCtx } from '../context.ts';
import { diagnoseCard } from '../delivery/diagnose-card.ts';
import { pushInstance as pushVerb } from '../delivery/push-instance.ts';
import { sendMessage as sendVerb } from '../delivery/send-message.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { closed, Id, oneOf, prose } from '../kit/http/shapes.ts';
import { findPass } from '../passes/find-pass.ts';

const tag = 'Delivery';

export const pushInstance = writeEndpoint({
  op: 'pushInstance',
  tag,
  summary: 'Deliver the current state of a card once more',
  description:
    'Applies nothing, so it is the safe way to make up for a push that was skipped: send this, not the update or award again. It costs a credit unless the newest state is on its way already, or a top-up has paid for it.',
  params: closed({ instanceId: Id }),
  answers: { 200: updateAnswers[200] },
  errors: ['instance_not_found', 'forbidden', 'instance_voided', 'insufficient_credits'],
  async reach(tx, ctx, { params }) {
    await findInstance(tx, ctx, params.instanceId);
  },
  async handle(tx, ctx, { params, key }) {
    const { body } = updateAnswer(ctx, await pushVerb(tx, ctx, { instanceId: params.instanceId, key }));
    return answer(200, body);
  },
});

export const sendMessage = writeEndpoint({
  op: 'sendMessage',
  tag,
  summary: 'Send a text to every installed card of a pass',
  description:
    'The lock screen shows it and the back of the card keeps the newest one. A credit for each card that is installed now; not enough for all, and nothing is sent.',
  params: closed({ passId: Id }),
  body: closed({ text: prose(500) }),
  example: { text: 'Double stamps until Sunday' },
  answers: {
    202: closed({
      messageId: Id,
      recipients: Type.Integer({ description: 'cards that are installed now' }),
      credits: Type.Integer({ description: 'credits reserved for them' }),
    }),
  },
  errors: ['pass_not_found', 'forbidden', 'insufficient_credits'],
  async reach(tx, ctx, { params }) {
    await findPass(tx, ctx, params.passId);
  },
  handle: async (tx, ctx, { params, body }) =>
    answer(202, await sendVerb(tx, ctx, { passId: params.passId, text: body.text })),
});

export const diagnoseInstance = endpoint({
  op: 'diagnoseInstance',
  tag: 'Operator',
  summary: 'Why a phone does not show an update of a card',
  description:
    'Everything on the way from the card to its wallets, in this order and in words for a person. `error` stays until somebody does something about it, `warning` delays or passes by itself. No device is named.',
  params: closed({ instanceId: Id }),
  answers: {
    200: closed({
      instanceId: Id,
      workspaceId: Id,
      findings: Type.Array(
        closed({
          level: oneOf(['ok', 'warning', 'error']),
          what: Type.String(),
          advice: Type.Optional(Type.String({ description: 'what to do about it' })),
        }),
      ),
    }),
  },
  errors: ['instance_not_found'],
  handle: async (ctx: OperatorCtx, { params }) => answer(200, await diagnoseCard(ctx, params)),
});
