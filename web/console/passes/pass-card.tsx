import { useId, useState } from 'preact/hooks';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { useAction } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { Menu } from '../../shared/menu.tsx';
import { Badge } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { passes } from '../../texts/passes.ts';
import { api } from '../api.ts';
import { PassPicture } from './pass-picture.tsx';
import { StatusBadge } from './status-badge.tsx';

/** A pass in the gallery: its card, how it is doing, and what can be done with it. */
export function PassCard({ pass, onChange }: { readonly pass: Pass; readonly onChange: () => void }) {
  const t = passes();
  const { passId, title, type, status, counts, rollout, pool, barcode } = pass;
  return (
    <li class="pass-card panel flush">
      <div class="stage">
        <PassPicture pass={pass} />
      </div>
      <div class="about">
        <div class="top-line">
          <h2 dir="auto">
            <a href={`/console/passes/${passId}/design`}>{title}</a>
          </h2>
          {may('write') && <Actions pass={pass} onChange={onChange} />}
        </div>
        <p class="row">
          <StatusBadge status={status} />
          <span class="soft small">{t.types[type]}</span>
        </p>
        <p class="soft small number">
          {counts.issued === 0
            ? t.noCards
            : `${t.issued(counts.issued, formatNumber(counts.issued))}, ${t.installed(formatNumber(counts.installed))}`}
        </p>
        {rollout?.state === 'running' && (
          <p>
            <Badge kind="note">{t.rollout(formatNumber(rollout.done), formatNumber(rollout.cards))}</Badge>
          </p>
        )}
        {barcode.mode === 'pool' && pool.lowSince !== null && (
          <p>
            <Badge kind="alert">{t.poolLow(formatNumber(pool.available))}</Badge>
          </p>
        )}
      </div>
    </li>
  );
}

function Actions({ pass, onChange }: { readonly pass: Pass; readonly onChange: () => void }) {
  const t = passes();
  const { passId, title, status, counts } = pass;
  const id = `more-${useId()}`;
  const [asked, setAsked] = useState<'archive' | 'delete' | null>(null);
  const publish = useAction(
    () => api.passes.update(passId, { status: 'published' }),
    () => {
      toast(t.published(title));
      onChange();
    },
  );
  const clone = useAction(
    () => api.passes.clone(passId),
    (made) => {
      toast(t.cloned(made.title));
      onChange();
    },
  );
  const closed = () => setAsked(null);
  const done = (said: string) => {
    closed();
    toast(said);
    onChange();
  };
  return (
    <>
      <Button kind="plain" icon="more" label={t.more(title)} popovertarget={id} />
      <Menu id={id}>
        {status !== 'published' && (
          <button type="button" onClick={() => publish.run()}>
            <Icon name="check" size={18} />
            {status === 'draft' ? t.publish : t.publishAgain}
          </button>
        )}
        {status === 'published' && (
          <a href={`/console/passes/${passId}/messages?write=new`}>
            <Icon name="mail" size={18} />
            {t.message}
          </a>
        )}
        <button type="button" onClick={() => clone.run()}>
          <Icon name="copy" size={18} />
          {t.clone}
        </button>
        {status === 'published' && (
          <button type="button" onClick={() => setAsked('archive')}>
            <Icon name="pass" size={18} />
            {t.archive}
          </button>
        )}
        {counts.issued === 0 && (
          <button type="button" onClick={() => setAsked('delete')}>
            <Icon name="trash" size={18} />
            {t.delete}
          </button>
        )}
      </Menu>
      {asked === 'archive' && (
        <ConfirmDialog
          title={t.archiveOf(title)}
          confirm={t.archive}
          act={() => api.passes.update(passId, { status: 'archived' })}
          done={() => done(t.archived(title))}
          onClose={closed}
        >
          <p>{t.archiveText}</p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t.deleteOf(title)}
          confirm={t.delete}
          act={() => api.passes.delete(passId)}
          done={() => done(t.deleted(title))}
          onClose={closed}
        >
          <p>{t.deleteText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
