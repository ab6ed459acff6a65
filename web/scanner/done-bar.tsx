import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../shared/button.tsx';
import { useAction } from '../shared/data.ts';
import { Icon } from '../shared/icon.tsx';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { giveSignal } from './feedback.ts';

/** What was done to a card, in words. */
export interface Done {
  readonly kind: 'good' | 'waiting' | 'limited' | 'undone';
  readonly text: string;
  /** Undoes it, and says whether that has happened already; null where nothing was entered that could be undone. */
  readonly undo: (() => Promise<unknown>) | null;
}

/** What was just done, in the place of what can be done: to be undone at once, and the way to the next card. */
export function DoneBar({
  done,
  changed,
  onAddMore,
}: {
  readonly done: Done;
  readonly changed: (what: Done) => void;
  readonly onAddMore: () => void;
}) {
  const t = scanner().done;
  const [isUndone, setUndone] = useState(false);
  const { kind, text } = done;
  const undo = useAction(done.undo ?? (async () => undefined), (isDone) => {
    giveSignal('good');
    setUndone(true);
    changed({ kind: 'undone', text: isDone === false ? scannerOffline().undoneLater : t.undone, undo: null });
  });
  return (
    <div class={`done ${kind}`}>
      <p class="done-text" role="status">
        <Icon
          name={
            kind === 'good' ? 'check' : kind === 'waiting' ? 'card' : kind === 'undone' ? 'undo' : 'alert'
          }
          size={28}
        />
        <span dir="auto">{text}</span>
      </p>
      <div class="bar-line">
        {done.undo !== null && !isUndone ? (
          <Button kind="quiet" icon="undo" isBusy={undo.isBusy} onClick={() => undo.run()}>
            {t.undo}
          </Button>
        ) : (
          <Button kind="quiet" icon="plus" onClick={onAddMore}>
            {t.again}
          </Button>
        )}
        <LinkButton icon="scan" href="/scan">
          {scanner().card.next}
        </LinkButton>
      </div>
    </div>
  );
}
