import { effect, signal } from '@preact/signals';

/** Whether the user is about to enter something in this tab: the page is then not exchanged under their hands. */
export const isEntering = signal(false);

/** Held by every tab in which something is being entered. */
const lockName = 'punchcard-scan-entering';

let release: (() => void) | undefined;
effect(() => {
  const isBusy = isEntering.value;
  release?.();
  release = undefined;
  if (isBusy && navigator.locks !== undefined)
    void navigator.locks.request(
      lockName,
      { mode: 'shared' },
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
          if (!isEntering.peek()) resolve();
        }),
    );
});

/** Does it where nothing is being entered in any tab, and keeps tabs from beginning until it is done; whether it was done. */
export async function whileNobodyEnters(act: () => Promise<void>): Promise<boolean> {
  if (isEntering.peek()) return false;
  if (navigator.locks === undefined) {
    await act();
    return true;
  }
  return navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await act();
    return lock !== null;
  });
}
