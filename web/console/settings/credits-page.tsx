import type { CreditEntry } from '../../../sdk/typescript/src/types.ts';
import { useCached, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatChange, formatMoment, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { records } from '../../texts/records.ts';
import { api } from '../api.ts';
import { SettingsTabs } from './settings-tabs.tsx';

export function CreditsPage() {
  const t = records().credits;
  const account = useCached(['credits'], (options) => api.credits.get(options));
  const pages = usePages(['credits', 'entries'], (options) => api.credits.entries({ limit: 50 }, options));
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <div class="stack">
        <LoadedView of={account} lines={1} height={5.5}>
          {({ balance, reserved, spent }) => (
            <dl class="figures three">
              {(
                [
                  [t.balance, balance],
                  [t.reserved, reserved],
                  [t.spent, spent],
                ] as const
              ).map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{formatNumber(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </LoadedView>
        <h2>{t.entries}</h2>
        <DataTable
          label={t.entries}
          pages={pages}
          rowKey={({ seq }) => String(seq)}
          empty={<EmptyState icon="coin" title={t.empty} />}
          columns={[
            { head: t.what, cell: ({ kind }) => <strong>{t.kinds[kind]}</strong> },
            { head: t.for, cell: (entry) => <Reason of={entry} /> },
            { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
            {
              head: t.amount,
              kind: 'end',
              cell: ({ kind, amount }) =>
                kind === 'settle' && amount === 0 ? (
                  <span class="soft small">{t.paid}</span>
                ) : (
                  <span>{formatChange(amount)}</span>
                ),
            },
            { head: t.after, kind: 'end', cell: ({ balance }) => <span>{formatNumber(balance)}</span> },
          ]}
        />
      </div>
    </>
  );
}

/** What an entry was for: the operator's note, or what was pushed. */
function Reason({ of }: { readonly of: CreditEntry }) {
  const t = records().credits;
  if (of.instanceId !== null) return <a href={`/console/cards/${of.instanceId}`}>{t.card}</a>;
  if (of.messageId !== null) return <span>{t.message}</span>;
  if (of.rolloutId !== null) return <span>{t.rollout}</span>;
  return <span dir="auto">{of.note ?? of.externalRef}</span>;
}
