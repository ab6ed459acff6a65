import { useId, useRef } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/** A text to take along: a link, a secret that is shown once. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const t = shared();
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      toast(t.copied);
    } catch {
      // Pages without https have no clipboard: the text is selected, to be copied by hand.
    }
  };
  return (
    <div class="copy">
      <label class="unseen" for={id}>
        {label}
      </label>
      <input
        class="code"
        id={id}
        ref={input}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button kind="quiet" icon="copy" onClick={copy}>
        {t.copy}
      </Button>
    </div>
  );
}
