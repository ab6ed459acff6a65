import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { Toasts } from './toast.tsx';

const firstField = ':not(header) > :is(input:not([type="hidden"]), select, textarea):not(:disabled)';

/** A dialog that is open as long as it is drawn: the browser keeps the focus in it, from its first field on, and gives it back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const t = shared();
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>(firstField)?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="plain" icon="close" label={t.close} onClick={onClose} />
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}
