import { useState } from 'preact/hooks';
import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { Notice } from '../../../shared/notice.tsx';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';
import { SweepCounts } from './sweep-counts.tsx';

/** A sweep that reads the store's customers, or sends its last mails. */
export function RunningSweep({
  sweep,
  store,
  onChange,
}: {
  readonly sweep: Sweep;
  readonly store: string;
  readonly onChange: (sweep: Sweep) => void;
}) {
  const t = invites().sweep;
  const { passId, state } = sweep;
  const [isStopping, setStopping] = useState(false);
  const { running, invited, sent, sendFailed, reason } = state;
  return (
    <>
      <div>
        <p class="soft small">{store}</p>
        {/* How many customers a store has is unknown before its list has ended. */}
        {running ? (
          <progress aria-label={t.title} />
        ) : (
          <progress aria-label={t.title} max={invited} value={sent + sendFailed} />
        )}
      </div>
      {reason !== null && <Notice title={t.waitsFor}>{t.reasons[reason]}</Notice>}
      <SweepCounts sweep={sweep} />
      {may('write') && (
        <div class="row">
          <Button kind="quiet" icon="close" onClick={() => setStopping(true)}>
            {t.cancel}
          </Button>
        </div>
      )}
      {isStopping && (
        <ConfirmDialog
          title={t.cancelOf}
          confirm={t.cancel}
          act={() => api.sweeps.cancel(passId)}
          done={(ended) => {
            setStopping(false);
            toast(t.cancelled);
            onChange(ended);
          }}
          onClose={() => setStopping(false)}
        >
          <p>{t.cancelText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
