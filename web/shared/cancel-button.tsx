import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';

/** Closes a dialog with nothing done. */
export function CancelButton({ onClose }: { readonly onClose: () => void }) {
  return (
    <Button kind="quiet" onClick={onClose}>
      {shared().cancel}
    </Button>
  );
}
