import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions } from '../../sdk/typescript/src/core/options.ts';
import { codeOf, requestIdOf, sentenceOf } from './api-error.ts';
import { toast } from './toast.tsx';

/** What was asked for: undefined until it is there. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Asks again; what is shown stays until the answer is there. */
  reload(): void;
  /** Shows this, which a change has answered. */
  set(value: T): void;
}

/** Loads something for this place alone when it opens, and again when one of `on` changes. What the API answers to the console is loaded by `useCached`. */
export function useLoad<T>(
  load: (options: CallOptions) => Promise<T>,
  on: readonly unknown[] = [],
): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; isLoading: boolean }>({ isLoading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    setState(({ value }) => ({ value, isLoading: true }));
    load({ signal: ending.signal }).then(
      (value) => !ending.signal.aborted && setState({ value, isLoading: false }),
      (error: unknown) =>
        !ending.signal.aborted && setState(({ value }) => ({ value, error, isLoading: false })),
    );
    return () => ending.abort();
  }, [...on, turn]);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const set = useCallback((value: T) => setState({ value, isLoading: false }), []);
  return { value: state.value, error: state.error, isLoading: state.isLoading, reload, set };
}

/** Acts every two seconds while `isOn` and the page is looked at: for what changes by itself. */
export function useLooking(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const looking = setInterval(() => !document.hidden && act(), 2_000);
    return () => clearInterval(looking);
  }, [isOn, act]);
}

/** Asks who is signed in for their password again; false where they do not want to. The app sets it. */
let signInAgain: () => Promise<boolean> = async () => false;
export function onOldSignIn(ask: () => Promise<boolean>): void {
  signInAgain = ask;
}

/** Does it, after signing in again where the service asks for that. */
export async function attempt<R>(act: () => Promise<R>): Promise<R> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== 'recent_sign_in_required' || !(await signInAgain())) throw error;
    return act();
  }
}

/** Something that a button does: one at a time, and a toast shows failures. */
export function useAction<A extends readonly unknown[], R>(
  act: (...args: A) => Promise<R>,
  done?: (result: R) => void,
): { run(...args: A): void; readonly isBusy: boolean } {
  const [isBusy, setBusy] = useState(false);
  const run = (...args: A) => {
    if (isBusy) return;
    setBusy(true);
    attempt(() => act(...args))
      .then(done, showError)
      .finally(() => setBusy(false));
  };
  return { run, isBusy };
}

/** Long work that can be stopped, and begun again. A toast shows failures; it stops with the page. */
export function useStoppable(work: (signal: AbortSignal) => Promise<void>): {
  readonly isRunning: boolean;
  run(): Promise<void>;
  stop(): void;
} {
  const [isRunning, setRunning] = useState(false);
  const ending = useRef<AbortController | null>(null);
  const stop = () => ending.current?.abort();
  const run = async () => {
    ending.current = new AbortController();
    const { signal } = ending.current;
    setRunning(true);
    try {
      await work(signal);
    } catch (error) {
      if (!signal.aborted) showError(error);
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => stop, []);
  return { isRunning, run, stop };
}

export function showError(error: unknown): void {
  toast(sentenceOf(error), { kind: 'alert', requestId: requestIdOf(error) });
}
