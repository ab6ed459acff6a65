import { useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Entry } from '../../../sdk/typescript/src/types.ts';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';

/** Takes an entry back by another one. */
export function UndoDialog({
  entry,
  done,
  onClose,
}: {
  readonly entry: Pick<Entry, 'entryId' | 'kind'>;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = cards();
  const [externalRef] = useState(newKey);
  return (
    <ConfirmDialog
      title={t.undoOf(t.kinds[entry.kind])}
      confirm={t.undo}
      act={() => api.loyalty.reverse(entry.entryId, { externalRef })}
      done={done}
      onClose={onClose}
    >
      <p>{t.undoText}</p>
    </ConfirmDialog>
  );
}
