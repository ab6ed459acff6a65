import { useState } from 'preact/hooks';
import { newKey } from '../../sdk/typescript/src/core/options.ts';
import { InsufficientValueError } from '../../sdk/typescript/src/errors.ts';
import type { Instance, Money, Program } from '../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../src/kit/money/minor.ts';
import { sentenceOf, UserMessage } from '../shared/api-error.ts';
import { Button } from '../shared/button.tsx';
import { CancelButton } from '../shared/cancel-button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { formatMoney } from '../shared/format.ts';
import { inMoney, limitOfLoad } from '../shared/in-money.ts';
import { looksLikeCode } from '../shared/looks-like-code.ts';
import { minorOf } from '../shared/minor.ts';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { api } from './api.ts';
import { undoEntry } from './awards.ts';
import type { Done } from './done-bar.tsx';
import { giveSignal } from './feedback.ts';
import { callService, isUnreachable } from './offline/known-cards.ts';
import { AmountField, amountIn } from './total-field.tsx';
import { useSending } from './use-sending.ts';

const moves = ['charge', 'load'] as const;

/** A charge that the card cannot pay as a whole. */
interface Short {
  readonly amount: Money;
  readonly held: Money;
}

/** Pays with the money of a card, or puts money on it. A charge beyond it may take what is there. */
export function MoneyBar({
  card: { passId, instanceId },
  currency,
  maxBalance,
  done,
}: {
  readonly card: Instance;
  readonly currency: string;
  readonly maxBalance: Program['maxBalance'];
  readonly done: (what: Done) => void;
}) {
  const t = scanner().money;
  // Sent twice, it counts once.
  const [refs] = useState(() => ({ charge: newKey(), load: newKey() }));
  const [move, setMove] = useState<(typeof moves)[number]>('charge');
  const [typed, setTyped] = useState('');
  const { isBusy, problem, send } = useSending();
  const [short, setShort] = useState<Short | null>(null);

  async function charge(amount: Money, partial: boolean): Promise<Done> {
    const body = { passId, instanceId, amount, partial, externalRef: refs.charge };
    const { entryId, charged, due, balance } = await api.value.charge(body);
    return {
      kind: 'good',
      text: t.charged(formatMoney(charged), formatMoney(balance)),
      undo: () => undoEntry(entryId),
      ...(minorOf(due) > 0 && { due: formatMoney(due) }),
    };
  }

  async function load(amount: Money): Promise<Done> {
    const { entryId, loaded, balance } = await inMoney(currency, limitOfLoad(maxBalance), () =>
      api.value.load({ passId, instanceId, amount, externalRef: refs.load }),
    );
    return {
      kind: 'good',
      text: t.loaded(formatMoney(loaded), formatMoney(balance)),
      undo: () => undoEntry(entryId),
    };
  }

  async function pay(amount: Money | null, partial: boolean): Promise<void> {
    if (amount === null)
      throw new UserMessage(looksLikeCode(typed) ? scanner().award.code : scanner().award.noTotal);
    const what = await callService(() => (move === 'charge' ? charge(amount, partial) : load(amount)));
    giveSignal(what.due === undefined ? 'good' : 'bad');
    done(what);
  }

  function submit(partial = false): void {
    const amount = amountIn(currency, typed);
    void send(
      () => pay(amount, partial),
      (error) => {
        const held = error instanceof InsufficientValueError ? error.amount : null;
        const isShort = amount !== null && held !== null && minorOf(held) > 0;
        setShort(isShort ? { amount, held } : null);
        if (isShort) return null;
        return isUnreachable(error) ? scannerOffline().money : sentenceOf(error);
      },
    );
  }

  return (
    <form
      class="award"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class="modes">
        <legend class="unseen">{t.what}</legend>
        {moves.map((one) => (
          <button type="button" key={one} aria-pressed={move === one} onClick={() => setMove(one)}>
            {t[one]}
          </button>
        ))}
      </fieldset>
      {problem !== null && (
        <p class="bar-problem" role="alert">
          {problem}
        </p>
      )}
      <div class="bar-line">
        <div class="total">
          <AmountField currency={currency} typed={typed} change={setTyped} />
        </div>
        <Button type="submit" isBusy={isBusy}>
          {t[move]}
        </Button>
      </div>
      {short !== null && (
        <Dialog title={t.short(formatMoney(short.held))} onClose={() => setShort(null)}>
          <p class="confirm-reward">
            {t.due(formatMoney(presentMinor(minorOf(short.amount) - minorOf(short.held), currency)))}
          </p>
          <p class="soft">{t.shortText(formatMoney(short.amount), formatMoney(short.held))}</p>
          <div class="confirm">
            <Button icon="coin" isBusy={isBusy} onClick={() => submit(true)}>
              {t.chargeRest(formatMoney(short.held))}
            </Button>
            <CancelButton onClose={() => setShort(null)} />
          </div>
        </Dialog>
      )}
    </form>
  );
}
