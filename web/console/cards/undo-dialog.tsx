import { useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Entry, Instance } from '../../../sdk/typescript/src/types.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { kindOf } from '../../shared/entry-kind.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';

export type Undoable = Pick<Entry, 'entryId' | 'kind' | 'points' | 'amount'>;

/**
 * Which of some entries can be undone: awards, redemptions and corrections that none of the others takes back. Those of an order are
 * undone by its refund; of money it is what was paid for. Money that went to another card comes back by a transfer.
 */
export function undoableOf(entries: readonly Entry[]): ReadonlySet<string> {
  const taken = new Set(entries.flatMap(({ reversalOf, externalRef }) => [reversalOf, externalRef]));
  const isOpen = ({ entryId, kind, points, orderId, externalRef, amount }: Entry) =>
    (orderId === null || amount !== undefined) &&
    (kind === 'redeem' ||
      ((kind === 'earn' || (kind === 'adjust' && amount === undefined)) && points !== 0)) &&
    externalRef?.startsWith(counters) !== true &&
    !taken.has(entryId) &&
    !taken.has(counterOf(entryId));
  return new Set(entries.filter(isOpen).map(({ entryId }) => entryId));
}

/** Takes an entry back by another one. */
export function UndoDialog({
  card: { passId, instanceId },
  entry,
  done,
  onClose,
}: {
  readonly card: Pick<Instance, 'passId' | 'instanceId'>;
  readonly entry: Undoable;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = cards();
  const { entryId, kind, points } = entry;
  const [key] = useState(newKey);
  const act = async () => {
    if (kind !== 'adjust') return void (await api.loyalty.reverse(entryId, { externalRef: key }));
    // By one name, so that two people undo it once.
    const externalRef = counterOf(entryId);
    await api.loyalty.adjust({
      passId,
      instanceId,
      points: -points,
      reason: t.undoneCorrection,
      externalRef,
    });
  };
  return (
    <ConfirmDialog
      title={t.undoOf(kindOf(entry, t))}
      confirm={t.undo}
      act={act}
      done={done}
      onClose={onClose}
    >
      <p>{t.undoText}</p>
    </ConfirmDialog>
  );
}

const counters = 'undo-';
/** The name of the correction that takes another one back. */
const counterOf = (entryId: string) => `${counters}${entryId}`;
