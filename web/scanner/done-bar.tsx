import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../shared/button.tsx';
import { useAction } from '../shared/data.ts';
import { Icon, type IconName } from '../shared/icon.tsx';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { giveSignal } from './feedback.ts';

/** What was done to a card, in words. */
export interface Done {
  readonly kind: 'good' | 'waiting' | 'limited' | 'undone';
  readonly text: string;
  /** The reward that the card has got by it. */
  readonly earned?: string;
  /** What is left to pay after it. */
  readonly due?: string;
  /** Undoes it, and says whether that has happened already; null where nothing was entered that could be undone. */
  readonly undo: (() => Promise<unknown>) | null;
}

const iconOf: Readonly<Record<Done['kind'], IconName>> = {
  good: 'check',
  waiting: 'card',
  undone: 'undo',
  limited: 'alert',
};

/** What was just done, in the place of what can be done: to be undone at once, and the way to the next card. */
export function DoneBar({
  done,
  again,
  changed,
  onAddMore,
  onRedeem,
}: {
  readonly done: Done;
  /** What the button says that goes on with this card. */
  readonly again: string;
  readonly changed: (what: Done) => void;
  readonly onAddMore: () => void;
  readonly onRedeem: () => void;
}) {
  const t = scanner().done;
  const [isUndone, setUndone] = useState(false);
  const { kind, text, earned, due } = done;
  const undo = useAction(done.undo ?? (async () => undefined), (isDone) => {
    giveSignal('good');
    setUndone(true);
    changed({ kind: 'undone', text: isDone === false ? scannerOffline().undoneLater : t.undone, undo: null });
  });
  return (
    <div class={`done ${earned === undefined ? kind : 'earned'}`}>
      <p class="done-text" role="status">
        <Icon name={earned === undefined ? iconOf[kind] : 'gift'} size={28} />
        <span dir="auto">
          {earned !== undefined && <strong>{t.earned(earned)} </strong>}
          {due !== undefined && <strong>{scanner().money.due(due)} </strong>}
          {text}
        </span>
      </p>
      {earned !== undefined && (
        <Button icon="gift" onClick={onRedeem}>
          {t.redeemNow}
        </Button>
      )}
      <div class="bar-line">
        {done.undo !== null && !isUndone ? (
          <Button kind="quiet" icon="undo" isBusy={undo.isBusy} onClick={() => undo.run()}>
            {t.undo}
          </Button>
        ) : (
          <Button kind="quiet" icon="plus" onClick={onAddMore}>
            {again}
          </Button>
        )}
        <LinkButton icon="scan" href="/scan" kind={earned === undefined ? 'primary' : 'quiet'}>
          {scanner().card.next}
        </LinkButton>
      </div>
    </div>
  );
}
