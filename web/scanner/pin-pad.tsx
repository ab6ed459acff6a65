import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { codeOf, sentenceOf } from '../shared/api-error.ts';
import { Button } from '../shared/button.tsx';
import { formatNumber } from '../shared/format.ts';
import { Icon } from '../shared/icon.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { scanner } from '../texts/scanner.ts';
import { giveSignal } from './feedback.ts';
import { signInWithPin } from './who.ts';

const fewestDigits = 4;
const mostDigits = 8;

/** Takes the PIN of one person, by touch or by keyboard. */
export function PinPad({
  person: { personId, name },
  back,
}: {
  readonly person: { readonly personId: string; readonly name: string };
  readonly back: () => void;
}) {
  const t = scanner().pin;
  const input = useRef<HTMLInputElement>(null);
  const [pin, setPin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const change = (next: string) => {
    setPin(next.replace(/\D/g, '').slice(0, mostDigits));
    setProblem(null);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (pin.length < fewestDigits) return setProblem(t.short);
    setBusy(true);
    try {
      await signInWithPin(personId, pin);
      giveSignal('good');
    } catch (error) {
      giveSignal('bad');
      setPin('');
      setProblem(problemOf(error));
      setBusy(false);
      input.current?.focus();
    }
  };
  return (
    <form class="pin" onSubmit={send}>
      <PageHeader title={name} lead={t.lead} />
      <input
        ref={input}
        class="pin-digits"
        type="password"
        inputMode="none"
        autocomplete="off"
        aria-label={t.label}
        aria-invalid={problem === null ? undefined : 'true'}
        aria-describedby="pin-problem"
        value={pin}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <p class="pin-problem" id="pin-problem" role="alert">
        {problem}
      </p>
      <div class="pad">
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => (
          <button type="button" key={digit} onClick={() => change(pin + digit)}>
            {digit}
          </button>
        ))}
        <button type="button" aria-label={t.back} onClick={back}>
          <Icon name="left" size={24} />
          <small>{t.names}</small>
        </button>
        <button type="button" onClick={() => change(`${pin}0`)}>
          0
        </button>
        <button type="button" aria-label={t.erase} title={t.erase} onClick={() => change(pin.slice(0, -1))}>
          <Icon name="erase" size={28} />
        </button>
      </div>
      <Button type="submit" isBusy={isBusy}>
        {t.submit}
      </Button>
    </form>
  );
}

function problemOf(error: unknown): string {
  const t = scanner().pin;
  if (codeOf(error) === 'invalid_credentials')
    return t.left(formatNumber((error as { readonly triesLeft: number }).triesLeft));
  if (codeOf(error) === 'rate_limited') return t.limited;
  return sentenceOf(error);
}
