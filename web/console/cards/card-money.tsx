import { useState } from 'preact/hooks';
import type { Instance, Money } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate } from '../../shared/cached.ts';
import { formatMoney } from '../../shared/format.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { unitOf } from '../../shared/unit-of.ts';
import { cards } from '../../texts/cards.ts';
import { units } from '../../texts/units.ts';
import { hasLetterKeys, useLetterKeys } from '../letter-keys.ts';
import { ChargeDialog, LoadDialog } from './money-dialogs.tsx';
import { type Undoable, UndoDialog } from './undo-dialog.tsx';
import { useProgram } from './use-program.ts';

type Asked = 'load' | 'charge' | 'undo';

/** The money that a card holds, and what can be done with it: by the letters L and C as well. */
export function CardMoney({
  card,
  programId,
  amount,
}: {
  readonly card: Instance;
  readonly programId: string;
  readonly amount: Money;
}) {
  const t = cards();
  const program = useProgram(programId);
  const [asked, setAsked] = useState<Asked | null>(null);
  /** What was entered here last: who may not read the history undoes it here. */
  const [last, setLast] = useState<Undoable | null>(null);
  const ask = (what: Asked) => () => setAsked(what);
  const onChange = (entered: Undoable | null = null) => {
    setAsked(null);
    setLast(entered);
    invalidate(['instances', card.instanceId]);
  };
  const dialog = { card, held: amount, program, onChange, onClose: () => setAsked(null) };
  const mayAct = card.status === 'active' && may('award');
  const mayPay = mayAct && card.expired !== true;
  useLetterKeys(mayPay ? { l: ask('load'), c: ask('charge') } : {});
  const keys = (letter: string) => (hasLetterKeys.value ? letter : undefined);
  return (
    <section class="panel balance">
      <div>
        <p class="soft unit" dir="auto">
          {program === undefined ? units().MONEY.other : unitOf(program, 2)}
        </p>
        <p class="number">
          <span class="figure">{formatMoney(amount)}</span>
        </p>
      </div>
      {mayAct && (
        <div class="row">
          {mayPay && (
            <>
              <Button icon="coin" keys={keys('C')} onClick={ask('charge')}>
                {t.money.charge}
              </Button>
              <Button kind="quiet" icon="plus" keys={keys('L')} onClick={ask('load')}>
                {t.money.load}
              </Button>
            </>
          )}
          {last !== null && !may('read') && (
            <Button kind="quiet" icon="undo" onClick={ask('undo')}>
              {t.undo}
            </Button>
          )}
        </div>
      )}
      {asked === 'load' && <LoadDialog {...dialog} />}
      {asked === 'charge' && <ChargeDialog {...dialog} />}
      {asked === 'undo' && last !== null && (
        <UndoDialog
          card={card}
          entry={last}
          onClose={dialog.onClose}
          done={() => {
            toast(t.undone);
            onChange();
          }}
        />
      )}
    </section>
  );
}
