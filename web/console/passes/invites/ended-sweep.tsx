import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { newKey } from '../../../../sdk/typescript/src/core/options.ts';
import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { CancelButton } from '../../../shared/cancel-button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { Form } from '../../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../shared/notice.tsx';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';
import { SweepCounts } from './sweep-counts.tsx';
import { SweepResults } from './sweep-results.tsx';

/** What the last sweep has come to; one that only counted leads to the one that invites. */
export function EndedSweep({
  sweep,
  store,
  mayStart,
  count,
  onStart,
}: {
  readonly sweep: Sweep;
  readonly store: string;
  readonly mayStart: boolean;
  /** The form that counts anew. */
  readonly count: ComponentChildren;
  readonly onStart: (sweep: Sweep) => void;
}) {
  const t = invites().sweep;
  const [asked, setAsked] = useState<'invite' | 'count' | null>(null);
  const onClose = () => setAsked(null);
  const { dryRun, startedAt, state } = sweep;
  const { invited, status, reason, found } = state;
  const shown = formatNumber(invited);
  return (
    <>
      {status !== 'completed' && (
        <Notice
          kind={status === 'failed' ? 'alert' : 'note'}
          title={status === 'failed' ? t.failed : t.wasCancelled}
        >
          {reason !== null && t.reasons[reason]}
        </Notice>
      )}
      <p class="soft small">{t.of(formatNumber(found), store, formatMoment(startedAt))}</p>
      <SweepCounts sweep={sweep} />
      {mayStart && (
        <div class="row">
          {dryRun && status === 'completed' && invited > 0 && (
            <Button icon="mail" onClick={() => setAsked('invite')}>
              {t.invite(invited, shown)}
            </Button>
          )}
          <Button kind="quiet" icon="refresh" onClick={() => setAsked('count')}>
            {t.countAgain}
          </Button>
        </div>
      )}
      {!dryRun && found > 0 && <SweepResults sweep={sweep} />}
      {asked === 'invite' && <InviteAll sweep={sweep} store={store} onStart={onStart} onClose={onClose} />}
      {asked === 'count' && (
        <Dialog title={t.countAgain} onClose={onClose}>
          {count}
        </Dialog>
      )}
    </>
  );
}

function InviteAll({
  sweep: { passId, storeId, limit, state },
  store,
  onStart,
  onClose,
}: {
  readonly sweep: Sweep;
  readonly store: string;
  readonly onStart: (sweep: Sweep) => void;
  readonly onClose: () => void;
}) {
  const t = invites().sweep;
  const [idempotencyKey] = useState(newKey);
  const count = formatNumber(state.invited);
  return (
    <Dialog title={t.inviteOf(state.invited, count)} onClose={onClose}>
      <Form
        submit={t.invite(state.invited, count)}
        act={() =>
          api.sweeps.start(passId, { storeId, ...(limit !== null && { limit }) }, { idempotencyKey })
        }
        done={(begun) => {
          onClose();
          onStart(begun);
        }}
        secondary={<CancelButton onClose={onClose} />}
      >
        <p>{t.inviteText(store)}</p>
        <p class="soft">{t.cost}</p>
      </Form>
    </Dialog>
  );
}
