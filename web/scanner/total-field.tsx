import { useEffect, useState } from 'preact/hooks';
import type { Instance, Money, Program } from '../../sdk/typescript/src/types.ts';
import { formatNumber } from '../shared/format.ts';
import { looksLikeCode } from '../shared/looks-like-code.ts';
import { typedAmount } from '../shared/typed-amount.ts';
import { unitOf } from '../shared/unit-of.ts';
import { scanner } from '../texts/scanner.ts';
import { api } from './api.ts';

/** What a total would add to a card. */
interface Worth {
  readonly points: number;
  readonly isLimited: boolean;
}

/** The user is still typing. */
const pauseMs = 250;

/** What a total is worth to the card; undefined until that is known. */
export function useWorth(card: Instance, program: Program, total: string): Worth | undefined {
  const [known, setKnown] = useState<{ readonly total: string; readonly worth: Worth }>();
  const money = moneyOf(program, total);
  const amount = money?.amount;
  useEffect(() => {
    if (money === null) return;
    const ending = new AbortController();
    const { passId, instanceId } = card;
    const asking = setTimeout(() => {
      api.loyalty.preview({ passId, instanceId, total: money }, { signal: ending.signal }).then(
        ({ points, limitedBy }) =>
          setKnown({ total: money.amount, worth: { points, isLimited: limitedBy !== undefined } }),
        // The award says what is wrong.
        () => undefined,
      );
    }, pauseMs);
    return () => {
      clearTimeout(asking);
      ending.abort();
    };
  }, [amount]);
  return known !== undefined && known.total === amount ? known.worth : undefined;
}

/** The points that a total earns by the program, before what the tier of a card makes of them; null for what is no amount. */
export async function pointsOf(card: Instance, program: Program, total: string): Promise<number | null> {
  const money = moneyOf(program, total);
  if (money === null) return null;
  return (await api.loyalty.preview({ passId: card.passId, total: money })).points;
}

/** What the user has typed, where it looks like an amount. */
function moneyOf({ earn: { currency } }: Program, total: string) {
  return currency === null ? null : amountIn(currency, total);
}

/** An amount as it was typed; null for what is none, such as a code. */
export function amountIn(currency: string, typed: string): Money | null {
  if (looksLikeCode(typed)) return null;
  const amount = typedAmount(typed, currency);
  return /^\d{1,12}(?:\.\d{1,4})?$/.test(amount) ? { amount, currency } : null;
}

export function TotalField({
  program,
  total,
  change,
  worth,
}: {
  readonly program: Program;
  readonly total: string;
  readonly change: (total: string) => void;
  readonly worth: Worth | undefined;
}) {
  const t = scanner().award;
  return (
    <div class="total">
      <AmountField currency={program.earn.currency ?? ''} typed={total} change={change} />
      <span class="small soft" aria-live="polite">
        {worth !== undefined &&
          (worth.isLimited ? t.limited : t.worth(formatNumber(worth.points), unitOf(program, worth.points)))}
      </span>
    </div>
  );
}

/** An amount of a currency, as a person types it. */
export function AmountField({
  currency,
  typed,
  change,
}: {
  readonly currency: string;
  readonly typed: string;
  readonly change: (typed: string) => void;
}) {
  return (
    <span class="total-line">
      <input
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-label={scanner().award.totalLabel(currency)}
        placeholder={typedAmount('0', currency)}
        value={typed}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <span class="soft" aria-hidden="true">
        {currency}
      </span>
    </span>
  );
}
