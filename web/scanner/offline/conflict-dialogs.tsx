import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { scannerOffline } from '../../texts/scanner-offline.ts';
import type { QueuedAward } from './entry.ts';
import { dropAward, giveAward } from './sending.ts';

interface DialogProps {
  readonly award: QueuedAward;
  readonly onClose: () => void;
}

/** Gives what was refused to another card, which is scanned with a reader or typed. */
export function GiveDialog({ award, onClose }: DialogProps) {
  const t = scannerOffline();
  return (
    <Dialog title={t.giveTitle} onClose={onClose}>
      <Form
        submit={t.giveSubmit}
        secondary={<CancelButton onClose={onClose} />}
        act={(filled) => {
          const barcode = filled.text('barcode');
          const to = { ref: newKey(), card: { barcode }, points: award.points, label: barcode };
          return giveAward(award, to, t.givenTo(barcode));
        }}
        done={onClose}
      >
        <TextField name="barcode" label={t.giveCode} required maxLength={200} autocomplete="off" />
      </Form>
    </Dialog>
  );
}

/** Decides against what was refused; the reason stays in sight for a month. */
export function DropDialog({ award, onClose }: DialogProps) {
  const t = scannerOffline();
  return (
    <Dialog title={t.dropTitle} onClose={onClose}>
      <p dir="auto">{t.dropText(formatNumber(award.points), award.label)}</p>
      <Form
        submit={t.dropSubmit}
        kind="danger"
        secondary={<CancelButton onClose={onClose} />}
        act={(filled) => dropAward(award.seq, filled.text('reason'))}
        done={onClose}
      >
        <TextField name="reason" label={t.dropReason} required maxLength={200} autocomplete="off" />
      </Form>
    </Dialog>
  );
}
