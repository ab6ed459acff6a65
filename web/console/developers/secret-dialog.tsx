import { CopyField } from '../../shared/copy-field.tsx';
import { Dialog } from '../../shared/dialog.tsx';

/** A secret, which is shown this once only. */
export function SecretDialog({
  title,
  text,
  secret,
  onClose,
}: {
  readonly title: string;
  readonly text: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{text}</p>
        <CopyField label={title} text={secret} />
      </div>
    </Dialog>
  );
}
