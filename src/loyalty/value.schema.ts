import { type Static, type TSchema, Type } from 'typebox';
import { pushColumns } from '../cards/instance.schema.ts';
import { documentedWith, exactlyOneOf, inNfc } from '../kit/http/schemas/documented.ts';
import { Money } from '../kit/http/schemas/money.ts';
import { closed, ExternalRef, Id, line, nullable } from '../kit/http/schemas/shapes.ts';
import { oneCard, targetColumns, targetNames } from './target.schema.ts';

const OrderId = Type.Optional(
  nullable(inNfc(line(255, 'the order that it pays for, or was sold by, as you name it'))),
);
const Reason = Type.Optional(nullable(line(500, 'why, for readers of the ledger')));

const callColumns = {
  passId: Type.Optional(Id),
  ...targetColumns,
  amount: Money,
  orderId: OrderId,
  reason: Reason,
  externalRef: Type.Optional(ExternalRef),
  partnerId: Type.Optional(nullable(Id)),
};

export const ValueLoad = documentedWith(closed(callColumns, { $id: 'ValueLoad' }), oneCard);

export const ValueCharge = documentedWith(
  closed(
    {
      ...callColumns,
      partial: Type.Optional(
        Type.Boolean({ description: 'charge what is there where the card holds less; `due` is the rest' }),
      ),
    },
    { $id: 'ValueCharge' },
  ),
  oneCard,
);

export const ValueRefund = documentedWith(
  closed(
    {
      entryId: Type.Optional({ ...Id, description: 'of the charge' }),
      orderId: Type.Optional(inNfc(line(255, 'the order that one charge of the workspace has paid for'))),
      amount: Type.Optional(Money),
      refundId: inNfc(line(255, 'yours, of this refund: a repeat answers the original result')),
      reason: Reason,
    },
    { $id: 'ValueRefund' },
  ),
  exactlyOneOf('entryId', 'orderId'),
);

/** What names one of the two cards of a transfer. */
const OneCard = documentedWith(closed(targetColumns), exactlyOneOf(...targetNames));

export const ValueTransfer = closed(
  {
    passId: Type.Optional(Id),
    from: OneCard,
    to: OneCard,
    amount: Type.Optional(Money),
    reason: Reason,
    externalRef: Type.Optional(ExternalRef),
  },
  { $id: 'ValueTransfer' },
);

const posted = { entryId: Id, instanceId: Id, programId: Id };
const Balance = { balance: Money };

export const LoadedValue = closed(
  { ...posted, loaded: Money, ...Balance, ...pushColumns },
  { $id: 'LoadedValue', description: 'money that was put on a card, and what it holds then' },
);
export const ChargedValue = closed(
  { ...posted, charged: Money, due: Money, ...Balance, ...pushColumns },
  {
    $id: 'ChargedValue',
    description: 'money that was taken, what is left to pay, and what the card holds then',
  },
);
export const RefundedValue = closed(
  { ...posted, refunded: Money, refundable: Money, refundOf: Id, ...Balance, ...pushColumns },
  {
    $id: 'RefundedValue',
    description: 'money that was given back, and what is left of the charge to give back',
  },
);

const side = closed({ entryId: Id, instanceId: Id, ...Balance, ...pushColumns });
export const TransferredValue = closed(
  { programId: Id, transferred: Money, from: side, to: side },
  {
    $id: 'TransferredValue',
    description: 'money that went from one card to another, and what both hold then',
  },
);

export type LoadBody = InPass<typeof ValueLoad>;
export type ChargeBody = InPass<typeof ValueCharge>;
/** A body whose pass is known. */
type InPass<S extends TSchema> = Static<S> & { readonly passId: string };
