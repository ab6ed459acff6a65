import { useEffect } from 'preact/hooks';
import { navigate } from '../shared/router.ts';
import { deviceSettings } from './device-settings.ts';
import { lock } from './who.ts';

/** Locks a till that was not touched for as long as the device says. */
export function useIdleLock(isOn: boolean): void {
  const minutes = deviceSettings.value.lockAfter;
  useEffect(() => {
    if (!isOn || minutes === 0) return;
    const ending = new AbortController();
    let waiting: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        navigate('/scan', { replace: true });
        void lock();
      }, minutes * 60_000);
    };
    for (const kind of ['pointerdown', 'keydown'])
      document.addEventListener(kind, begin, { signal: ending.signal, capture: true });
    begin();
    return () => {
      ending.abort();
      clearTimeout(waiting);
    };
  }, [isOn, minutes]);
}

/** Keeps the screen on; what a hidden page has lost is asked for again when it is looked at. */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ending = new AbortController();
    let held: WakeLockSentinel | undefined;
    const ask = () => {
      if (document.hidden) return;
      // Browsers refuse it on a low battery, and some know nothing of it.
      navigator.wakeLock?.request('screen').then(
        (granted) => {
          held = granted;
          if (ending.signal.aborted) void granted.release();
        },
        () => undefined,
      );
    };
    document.addEventListener('visibilitychange', ask, { signal: ending.signal });
    ask();
    return () => {
      ending.abort();
      void held?.release();
    };
  }, [isOn]);
}
