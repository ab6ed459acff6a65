import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { recall, remember } from '../shared/remembered.ts';

/** Whether single letters act on pages: who speaks to their computer, or types by accident, turns them off. */
export const hasLetterKeys = signal(recall('letter-keys') !== 'off');

export function chooseLetterKeys(isOn: boolean): void {
  remember('letter-keys', isOn ? null : 'off');
  hasLetterKeys.value = isOn;
}

/** Keys that follow each other faster are those of a reader of barcodes. */
const restMs = 80;

/** Acts when one of these letters is pressed by itself, with nothing open above the page and not in a field. */
export function useLetterKeys(acts: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(acts);
  latest.current = hasLetterKeys.value ? acts : {};
  useLayoutEffect(() => {
    let before = Number.NEGATIVE_INFINITY;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const press = (event: KeyboardEvent) => {
      clearTimeout(waiting);
      const isAlone = event.timeStamp - before > restMs;
      before = event.timeStamp;
      const key = event.key.toLowerCase();
      if (!isAlone || latest.current[key] === undefined || event.defaultPrevented || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyped(event.target)) return;
      waiting = setTimeout(() => {
        if (document.querySelector('dialog[open], :popover-open') === null) latest.current[key]?.();
      }, restMs);
    };
    document.addEventListener('keydown', press);
    return () => {
      clearTimeout(waiting);
      document.removeEventListener('keydown', press);
    };
  }, []);
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
