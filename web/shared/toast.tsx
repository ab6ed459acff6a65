import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { RequestReference } from './request-reference.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'good' | 'alert';
  readonly requestId: string | null;
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says something for a while, to screen readers too. What went wrong stays until it is closed. */
export function toast(
  text: string,
  { kind = 'good', requestId = null }: Partial<Pick<Toast, 'kind' | 'requestId'>> = {},
): void {
  last += 1;
  const id = last;
  toasts.value = [...toasts.value.slice(-2), { id, text, kind, requestId }];
  if (kind === 'good') setTimeout(() => close(id), 6_000);
}

function close(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** A place where they can be shown, and the last of them before it was there. */
interface Place {
  readonly since: number;
}

/** The page, and each dialog that is open: it makes the page unreachable. */
const places = signal<readonly Place[]>([]);

/**
 * Shows those of the time since it is there, unless a later place does. It is there before they are, so that screen readers
 * hear them come.
 */
export function Toasts() {
  const [place] = useState<Place>(() => ({ since: last }));
  useLayoutEffect(() => {
    places.value = [...places.peek(), place];
    return () => {
      places.value = places.peek().filter((one) => one !== place);
    };
  }, []);
  const shown = toasts.value.filter(({ id }) => places.value.findLast(({ since }) => since < id) === place);
  const t = shared();
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, kind, requestId }) => (
        <div class={`toast ${kind}`} key={id}>
          <Icon name={kind === 'good' ? 'check' : 'alert'} />
          <div>
            <p>{text}</p>
            <RequestReference requestId={requestId} />
          </div>
          <Button kind="plain" icon="close" label={t.close} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
