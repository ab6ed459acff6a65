import { useLayoutEffect, useRef } from 'preact/hooks';
import { Wedge } from './wedge.ts';

/** Reports what a reader types anywhere on the page while `isOn`; what it wrote into a field is taken out of it again. */
export function useWedge(isOn: boolean, onRead: (readings: readonly string[]) => void): void {
  const latest = useRef(onRead);
  latest.current = onRead;
  useLayoutEffect(() => {
    if (!isOn) return;
    const wedge = new Wedge();
    /** The field that the cursor is in, as it was before the first key. */
    let field: { readonly input: HTMLInputElement; readonly value: string } | null = null;
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
      const { key, code, shiftKey, timeStamp, target } = event;
      const readings = wedge.press({ key, code, shift: shiftKey, at: timeStamp });
      if (readings === null) {
        if (wedge.length === 1)
          field = target instanceof HTMLInputElement ? { input: target, value: target.value } : null;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (field !== null) field.input.value = field.value;
      field?.input.dispatchEvent(new Event('input', { bubbles: true }));
      latest.current(readings);
    };
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [isOn]);
}
