import { useId, useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { CancelledOrder, Money, Order } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoney, formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { Menu } from '../../shared/menu.tsx';
import { Notice } from '../../shared/notice.tsx';
import { navigate } from '../../shared/router.ts';
import { toast } from '../../shared/toast.tsx';
import { typedAmount } from '../../shared/typed-amount.ts';
import { orders } from '../../texts/orders.ts';
import { api } from '../api.ts';
import { numberOf } from './find-orders.ts';
import { isSome, leftOf } from './order-state.tsx';

/** What the names of refunds begin with that are made here. */
const ours = 'console-';

/** Whether a refund was made in the console, not reported by a store. */
export function isOurs(refundId: string): boolean {
  return refundId.startsWith(ours);
}

interface OrderProps {
  readonly order: Order;
  /** The store that it came from; null for one's own system. */
  readonly source: string | null;
  readonly onChange: () => void;
}

/** What can be done with an order; each says before what it takes back. */
export function OrderActions({ order, source, onChange }: OrderProps) {
  const t = orders();
  const { orderId, storeId, status, waiting, points, total } = order;
  const menu = `order-${useId()}`;
  const [asked, setAsked] = useState<'refund' | 'cancel' | 'withdraw' | null>(null);
  const onClose = () => setAsked(null);
  const done = (result: Pick<CancelledOrder, 'pointsTaken' | 'balance'>) => {
    setAsked(null);
    toast(takenSentence(result));
    onChange();
  };
  const left = leftOf(order);
  if (status === 'cancelled' && !(waiting && total === null)) return null;
  if (status === 'cancelled')
    return (
      <>
        <Button kind="quiet" icon="undo" onClick={() => setAsked('withdraw')}>
          {t.withdraw}
        </Button>
        {asked === 'withdraw' && (
          <ConfirmDialog
            title={t.withdrawOf(numberOf(order))}
            confirm={t.withdraw}
            act={() => api.orders.withdrawCancellation(orderId, storeId === null ? {} : { storeId })}
            done={() => {
              toast(t.withdrawn);
              // The order may no longer be known.
              navigate('/console/orders');
            }}
            onClose={onClose}
          >
            <p>{t.withdrawText}</p>
          </ConfirmDialog>
        )}
      </>
    );
  return (
    <>
      {left !== null && isSome(left) && (
        <Button kind="quiet" icon="undo" onClick={() => setAsked('refund')}>
          {t.refundOrder}
        </Button>
      )}
      <Button kind="quiet" icon="more" label={t.more} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => setAsked('cancel')}>
          <Icon name="close" size={18} />
          {t.cancelOrder}
        </button>
      </Menu>
      {asked === 'refund' && left !== null && (
        <RefundDialog
          order={order}
          source={source}
          left={left}
          done={done}
          onClose={onClose}
          onChange={onChange}
        />
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={t.cancelOf(numberOf(order))}
          confirm={t.cancelOrder}
          act={() => api.orders.cancel(orderId, { storeId })}
          done={done}
          onClose={onClose}
        >
          <div class="stack">
            {source !== null && <Notice title={t.ofStore(source)} />}
            <p>{t.cancelText(formatNumber(points))}</p>
            <p class="soft small">
              {points > 0 && t.spent} {t.notTold}
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

function RefundDialog({
  order,
  source,
  left,
  done,
  onClose,
  onChange,
}: OrderProps & {
  readonly left: Money;
  readonly done: (result: Pick<CancelledOrder, 'pointsTaken' | 'balance'>) => void;
  readonly onClose: () => void;
}) {
  const t = orders();
  const { orderId, storeId, points } = order;
  // Sent twice, it is the same refund.
  const [refundId] = useState(() => `${ours}${newKey()}`);
  const [amount, setAmount] = useState(left.amount);
  const { currency } = left;
  return (
    <Dialog title={t.refundOf(numberOf(order))} onClose={onClose}>
      <Form
        submit={t.refundOrder}
        kind="danger"
        act={(filled) =>
          api.orders
            .refund(orderId, {
              refundId,
              storeId,
              amount: { amount: typedAmount(filled.text('amount'), currency), currency },
            })
            .catch((error: unknown) => {
              // Another person may have refunded some of it: shows what is left now.
              onChange();
              throw error;
            })
        }
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        {source !== null && <Notice title={t.ofStore(source)} />}
        <p>{t.left(formatMoney(left), formatNumber(points))}</p>
        <TextField
          name="amount"
          label={t.refundAmount(currency)}
          value={left.amount}
          required
          inputMode="decimal"
          autocomplete="off"
          onInput={setAmount}
        />
        {points > 0 && (
          <p role="status">
            {typedAmount(amount, currency) === left.amount
              ? t.takesAll(formatNumber(points))
              : t.takesPart(formatNumber(points))}
          </p>
        )}
        <p class="soft small">
          {points > 0 && t.spent} {t.notTold}
        </p>
      </Form>
    </Dialog>
  );
}

function takenSentence({ pointsTaken, balance }: Pick<CancelledOrder, 'pointsTaken' | 'balance'>): string {
  const t = orders();
  if (pointsTaken === 0 || balance === null) return t.nothingTaken;
  return t.taken(formatNumber(pointsTaken), formatNumber(balance));
}
