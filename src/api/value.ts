import type { KeyCtx } from '../context.ts';
import { answer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import {
  answerCall,
  answerOnCard,
  cardErrors,
  groundErrors,
  idleErrors,
  once,
} from '../loyalty/answer-call.ts';
import { chargeValue as chargeValueVerb } from '../loyalty/charge-value.ts';
import { loadValue as loadValueVerb } from '../loyalty/load-value.ts';
import { refundValue as refundValueVerb } from '../loyalty/refund-value.ts';
import { resolveSource, transferValue as transferValueVerb } from '../loyalty/transfer-value.ts';
import * as shapes from '../loyalty/value.schema.ts';
import { refuseHiddenPass } from '../passes/find-pass.ts';

const tag = 'Value';
const amount = { amount: '25.00', currency: 'EUR' };

export const loadValue = endpoint({
  op: 'loadValue',
  call: 'value.load',
  tag,
  summary: 'Put money on a card',
  description: `${once} In the currency of the program, and never above its \`maxBalance\`.`,
  idempotent: true,
  body: shapes.ValueLoad,
  example: { passId: 'pass_…', barcode: '7Q4M2X9KD3', amount, externalRef: 'receipt-2027-0131-19' },
  answers: { 200: shapes.LoadedValue, 202: shapes.LoadedValue },
  errors: [...groundErrors, ...idleErrors, ...cardErrors],
  handle: (ctx: KeyCtx, input) => answerOnCard(ctx, input, 'loadValue', loadValueVerb),
});

export const chargeValue = endpoint({
  op: 'chargeValue',
  call: 'value.charge',
  tag,
  summary: 'Pay with the money of a card',
  description: `${once} A refused charge takes nothing. With \`partial\` a card that holds less pays what it has, and \`due\` is left to pay.`,
  idempotent: true,
  body: shapes.ValueCharge,
  example: {
    passId: 'pass_…',
    barcode: '7Q4M2X9KD3',
    amount: { amount: '8.40', currency: 'EUR' },
    orderId: 'order-1042',
    externalRef: 'receipt-2027-0131-20',
  },
  answers: { 200: shapes.ChargedValue, 202: shapes.ChargedValue },
  errors: [...groundErrors, ...idleErrors, ...cardErrors, 'insufficient_value'],
  handle: (ctx: KeyCtx, input) => answerOnCard(ctx, input, 'chargeValue', chargeValueVerb),
});

export const refundValue = endpoint({
  op: 'refundValue',
  call: 'value.refund',
  tag,
  summary: 'Give money back to the card that has paid',
  description:
    'Idempotent by refundId. What is left of a charge, or a part of it: never more than was charged. Money that has expired since is good again for as long as money that is loaded now. Works while the program is paused.',
  idempotent: true,
  body: shapes.ValueRefund,
  example: { entryId: 'entry_…', amount: { amount: '2.10', currency: 'EUR' }, refundId: 'refund-1042-1' },
  answers: { 200: shapes.RefundedValue, 202: shapes.RefundedValue },
  errors: ['entry_not_found', 'forbidden', 'entry_not_reversible', 'already_reversed', 'instance_voided'],
  handle: async (ctx: KeyCtx, { body }) => answerCall(ctx, await refundValueVerb(ctx, body)),
});

export const transferValue = writeEndpoint({
  op: 'transferValue',
  call: 'value.transfer',
  tag,
  summary: 'Move money from one card to another',
  description:
    'Both are cards of one pass; without an `amount` all that is there goes. It expires as it would have before. The card that it comes from may be voided, since it was lost.',
  body: shapes.ValueTransfer,
  example: { passId: 'pass_…', from: { barcode: '7Q4M2X9KD3' }, to: { barcode: '5RT8WZ2N6H' } },
  answers: { 200: shapes.TransferredValue },
  errors: [
    'pass_not_found',
    'forbidden',
    'no_loyalty_program',
    ...idleErrors,
    ...cardErrors,
    'insufficient_value',
    'external_ref_reused',
  ],
  async authorizeReplay(_tx, ctx, { body, key }) {
    refuseHiddenPass(ctx, (await resolveSource(ctx, body, key)).passId);
  },
  handle: async (tx, ctx, { body, key }) => answer(200, await transferValueVerb(tx, ctx, body, key)),
});
