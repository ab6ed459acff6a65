import { useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Entry, Instance, Money, Program } from '../../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../../src/kit/money/minor.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { formatMoney } from '../../shared/format.ts';
import { inMoney, limitOfLoad } from '../../shared/in-money.ts';
import { minorOf } from '../../shared/minor.ts';
import { toast } from '../../shared/toast.tsx';
import { typedAmount } from '../../shared/typed-amount.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import type { Undoable } from './undo-dialog.tsx';

interface DialogProps {
  readonly card: Instance;
  readonly held: Money;
  readonly program: Program | undefined;
  readonly onChange: (entered?: Undoable) => void;
  readonly onClose: () => void;
}

/** Puts money on a card. */
export function LoadDialog({ card: { passId, instanceId }, held, program, onChange, onClose }: DialogProps) {
  const t = cards().money;
  const [externalRef] = useState(newKey);
  const { currency } = held;
  const most = program?.maxBalance ?? null;
  return (
    <Dialog title={t.loadTitle} onClose={onClose}>
      <Form
        submit={t.load}
        act={(filled) =>
          inMoney(currency, limitOfLoad(most), () =>
            api.value.load({ passId, instanceId, externalRef, ...filledMoney(filled, currency) }),
          )
        }
        done={({ entryId, loaded, balance }) => {
          toast(t.loaded(formatMoney(loaded), formatMoney(balance)));
          onChange({ entryId, kind: 'earn', points: minorOf(loaded), amount: loaded });
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <MoneyFields currency={currency} {...(most !== null && { hint: t.mostHeld(formatMoney(most)) })} />
      </Form>
    </Dialog>
  );
}

/** Pays with the money of a card. */
export function ChargeDialog({ card: { passId, instanceId }, held, onChange, onClose }: DialogProps) {
  const t = cards().money;
  const [externalRef] = useState(newKey);
  const { currency } = held;
  return (
    <Dialog title={t.chargeTitle} onClose={onClose}>
      <Form
        submit={t.charge}
        act={(filled) =>
          api.value.charge({ passId, instanceId, externalRef, ...filledMoney(filled, currency) })
        }
        done={({ entryId, charged, balance }) => {
          toast(t.charged(formatMoney(charged), formatMoney(balance)));
          onChange({ entryId, kind: 'redeem', points: -minorOf(charged), amount: charged });
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <MoneyFields currency={currency} hint={t.holds(formatMoney(held))} />
      </Form>
    </Dialog>
  );
}

/** What was not given back yet of a charge, by the entries since; null where it is no charge, or nothing is left. */
export function leftOfCharge({ entryId, kind, points, amount }: Entry, all: readonly Entry[]): Money | null {
  if (kind !== 'redeem' || amount === undefined) return null;
  const back = all.filter(({ reversalOf }) => reversalOf === entryId);
  const left = back.reduce((sum, one) => sum - one.points, -points);
  return left > 0 ? presentMinor(left, amount.currency) : null;
}

/** Gives what is left of a charge, or a part of it, back to the card. */
export function RefundDialog({
  entryId,
  left,
  onChange,
  onClose,
}: {
  /** Of the charge. */
  readonly entryId: string;
  readonly left: Money;
  readonly onChange: () => void;
  readonly onClose: () => void;
}) {
  const t = cards().money;
  const [refundId] = useState(() => `console-${newKey()}`);
  return (
    <Dialog title={t.refundTitle} onClose={onClose}>
      <Form
        submit={t.refund}
        act={(filled) =>
          inMoney(
            left.currency,
            () => 'left',
            () => api.value.refund({ entryId, refundId, ...filledMoney(filled, left.currency) }),
          )
        }
        done={({ refunded, balance }) => {
          toast(t.refunded(formatMoney(refunded), formatMoney(balance)));
          onChange();
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <MoneyFields currency={left.currency} hint={t.left(formatMoney(left))} value={left.amount} />
      </Form>
    </Dialog>
  );
}

function MoneyFields({
  currency,
  ...amount
}: {
  readonly currency: string;
  readonly hint?: string;
  readonly value?: string;
}) {
  const t = cards();
  return (
    <>
      <TextField
        name="amount"
        label={t.money.amount(currency)}
        required
        inputMode="decimal"
        autocomplete="off"
        {...amount}
      />
      <TextField name="reason" label={t.money.note} hint={t.reasonHint} maxLength={200} />
    </>
  );
}

function filledMoney(filled: Filled, currency: string) {
  return {
    amount: { amount: typedAmount(filled.text('amount'), currency), currency },
    reason: filled.optional('reason'),
  };
}
