import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { reachByKeys } from './reach-by-keys.ts';
import { toast } from './toast.tsx';

/** Several lines to take along. */
export function CopyBlock({ text }: { readonly text: string }) {
  const t = shared();
  const copy = async (block: HTMLElement | null) => {
    if (block !== null) getSelection()?.selectAllChildren(block);
    try {
      await navigator.clipboard.writeText(text);
      toast(t.copied);
    } catch {
      // Pages without https have no clipboard: the text is selected, to be copied by hand.
    }
  };
  return (
    <div class="copy-block">
      <pre class="code block" ref={reachByKeys}>
        {text}
      </pre>
      <Button
        kind="quiet"
        icon="copy"
        onClick={({ currentTarget }) =>
          copy((currentTarget as HTMLElement).parentElement?.querySelector('pre') ?? null)
        }
      >
        {t.copy}
      </Button>
    </div>
  );
}
