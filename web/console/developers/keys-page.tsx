import { useId, useState } from 'preact/hooks';
import type { ApiKey } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatDate, formatMoment, formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { Menu } from '../../shared/menu.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { developers } from '../../texts/developers.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';
import { ChangeKey, NewKey, RevokeKey, RotateKey } from './key-dialogs.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'rotate' | 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'secret'; readonly secret: string };

/** The keys that programs call the API with. */
export function KeysPage() {
  const t = developers().keys;
  const pages = usePages(['apiKeys'], (options) => api.apiKeys.list({ limit: 50 }, options));
  const [open, setOpen] = useState<Open | null>(null);
  const onClose = () => setOpen(null);
  const onSecret = ({ secret }: { readonly secret: string }) => {
    setOpen({ kind: 'secret', secret });
    invalidate(['apiKeys']);
  };
  const onDone = (said: string) => {
    toast(said);
    onClose();
    invalidate(['apiKeys']);
  };
  const isOwner = may('own');
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          isOwner && (
            <Button icon="plus" onClick={() => setOpen({ kind: 'create' })}>
              {t.create}
            </Button>
          )
        }
      >
        <DeveloperTabs />
      </PageHeader>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ keyId }) => keyId}
        empty={<EmptyState icon="code" title={t.empty} />}
        columns={[
          { head: t.name, cell: (key) => <Name of={key} /> },
          { head: t.access, kind: 'short', cell: ({ access }) => <span>{t.accesses[access]}</span> },
          { head: t.lastUsed, kind: 'short', cell: (key) => <LastUsed of={key} /> },
          { head: t.state, kind: 'short', cell: (key) => <KeyState of={key} /> },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (key) =>
              isOwner &&
              key.revokedAt === null && <Actions of={key} ask={(kind) => setOpen({ kind, key })} />,
          },
        ]}
      />
      {open?.kind === 'create' && <NewKey done={onSecret} onClose={onClose} />}
      {open?.kind === 'change' && (
        <ChangeKey of={open.key} done={({ name }) => onDone(t.changed(name))} onClose={onClose} />
      )}
      {open?.kind === 'rotate' && <RotateKey of={open.key} done={onSecret} onClose={onClose} />}
      {open?.kind === 'revoke' && (
        <RevokeKey of={open.key} done={({ name }) => onDone(t.revokedNow(name))} onClose={onClose} />
      )}
      {open?.kind === 'secret' && (
        <SecretDialog title={t.secretTitle} text={t.secretText} secret={open.secret} onClose={onClose} />
      )}
    </>
  );
}

function Name({ of: { name, passIds, rateLimit } }: { readonly of: ApiKey }) {
  const t = developers().keys;
  const limits = [
    passIds === null ? t.allPasses : t.somePasses(formatNumber(passIds.length)),
    ...(rateLimit === null ? [] : [t.perSecond(formatNumber(rateLimit))]),
  ];
  return (
    <span class="who-has">
      <strong dir="auto">{name}</strong>
      <span class="soft small">{limits.join(' · ')}</span>
    </span>
  );
}

function LastUsed({ of: { keyId, lastUsedAt } }: { readonly of: ApiKey }) {
  const t = developers().keys;
  if (lastUsedAt === null) return <span class="soft">{t.never}</span>;
  return <a href={`/console/developers/requests?keyId=${keyId}`}>{formatMoment(lastUsedAt)}</a>;
}

function KeyState({ of: { revokedAt, expiresAt } }: { readonly of: ApiKey }) {
  const t = developers().keys;
  if (revokedAt !== null) return <Badge>{t.revoked}</Badge>;
  if (expiresAt === null) return <Badge kind="good">{t.works}</Badge>;
  const isOver = Date.parse(expiresAt) <= Date.now();
  return (
    <Badge kind={isOver ? 'alert' : 'good'}>
      {isOver ? t.expired(formatDate(expiresAt)) : t.expires(formatDate(expiresAt))}
    </Badge>
  );
}

function Actions({
  of,
  ask,
}: {
  readonly of: ApiKey;
  readonly ask: (kind: 'change' | 'rotate' | 'revoke') => void;
}) {
  const t = developers().keys;
  const menu = `key-${useId()}`;
  return (
    <>
      <Button kind="quiet" icon="more" label={t.more(of.name)} popovertarget={menu} />
      <Menu id={menu}>
        <button type="button" onClick={() => ask('change')}>
          <Icon name="pen" size={18} />
          {t.change}
        </button>
        <button type="button" onClick={() => ask('rotate')}>
          <Icon name="refresh" size={18} />
          {t.rotate}
        </button>
        <button type="button" onClick={() => ask('revoke')}>
          <Icon name="trash" size={18} />
          {t.revoke}
        </button>
      </Menu>
    </>
  );
}
