import type { ComponentChildren } from 'preact';
import { CancelButton } from './cancel-button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog<R>({
  title,
  confirm,
  act,
  done,
  onClose,
  children,
}: {
  readonly title: string;
  /** The button's own words: what it does, not "OK". */
  readonly confirm: string;
  readonly act: () => Promise<R>;
  readonly done: (result: R) => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={confirm}
        kind="danger"
        act={act}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        {children}
      </Form>
    </Dialog>
  );
}
