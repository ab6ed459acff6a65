import { useRef, useState } from 'preact/hooks';
import { giveSignal } from './feedback.ts';

/** Sends one thing at a time. `problem` is what was wrong with the last one, in a sentence, where that says so. */
export function useSending() {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // A second tap comes before the button is drawn anew.
  const isSending = useRef(false);

  async function send(
    work: () => Promise<void>,
    problemOf: (error: unknown) => string | null,
  ): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      giveSignal('bad');
      setProblem(problemOf(error));
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }
  return { isBusy, problem, setProblem, send };
}
