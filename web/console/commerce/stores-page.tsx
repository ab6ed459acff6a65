import type { Pass, Store } from '../../../sdk/typescript/src/types.ts';
import { LinkButton } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatDate, formatMoment } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { stores } from '../../texts/stores.ts';
import { api } from '../api.ts';
import { titleOf, usePasses } from '../passes/use-passes.ts';
import { problemSentence, StoreState } from './store-state.tsx';

/** The stores whose orders earn. */
export function StoresPage() {
  const t = stores();
  const passes = usePasses();
  const pages = usePages(['stores'], (options) => api.stores.list({ limit: 50 }, options));
  const connect = may('write') && (
    <LinkButton icon="plus" href="/console/stores/connect">
      {t.connect}
    </LinkButton>
  );
  const isEmpty = pages.items?.length === 0;
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} actions={!isEmpty && connect} />
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ storeId }) => storeId}
        empty={
          <EmptyState icon="store" title={t.empty.title} text={t.empty.text}>
            {connect}
          </EmptyState>
        }
        columns={[
          { head: t.store, cell: (store) => <Name of={store} passes={passes} /> },
          { head: t.health, cell: (store) => <Health of={store} /> },
          { head: t.lastRead, kind: 'short', cell: (store) => <LastRead of={store} /> },
          { head: t.since, kind: 'short', cell: ({ connectedAt }) => <span>{formatDate(connectedAt)}</span> },
        ]}
      />
    </>
  );
}

function Name({
  of: { storeId, domain, platform, passId },
  passes,
}: {
  readonly of: Store;
  readonly passes: readonly Pass[];
}) {
  const t = stores();
  return (
    <span class="who-has">
      <a href={`/console/stores/${storeId}`}>{domain}</a>
      <span class="soft small" dir="auto">
        {t.platforms[platform]} · {passId === null ? t.noPassShort : titleOf(passes, passId)}
      </span>
    </span>
  );
}

function Health({ of: store }: { readonly of: Store }) {
  return (
    <span class="who-has state">
      <StoreState of={store} />
      {store.problem !== null && <span class="soft small">{problemSentence(store.problem.code)}</span>}
    </span>
  );
}

/** When the orders of a store were last read through. */
export function LastRead({ of: { platform, reconciledAt } }: { readonly of: Store }) {
  const t = stores();
  if (platform === 'custom') return <span class="soft">{t.sendsItself}</span>;
  return <span>{reconciledAt === null ? t.notYet : formatMoment(reconciledAt)}</span>;
}
