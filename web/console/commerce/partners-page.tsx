import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { formatDate } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { partners } from '../../texts/partners.ts';
import { api } from '../api.ts';
import { PartnerDialog } from './partner-dialog.tsx';

/** The partners that cards and points belong to. */
export function PartnersPage() {
  const t = partners();
  const externalId = query.value.get('externalId') ?? '';
  const pages = usePages(['partners', { externalId }], (options) =>
    api.partners.list({ limit: 50, ...(externalId !== '' && { externalId }) }, options),
  );
  const [isCreating, setCreating] = useState(false);
  const create = may('write') && (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  const isEmpty = externalId === '' && pages.items?.length === 0;
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} actions={!isEmpty && create} />
      <div class="stack">
        {!isEmpty && <FilterBar label={t.filter} fields={[{ name: 'externalId', label: t.search }]} />}
        <DataTable
          label={t.title}
          pages={pages}
          rowKey={({ partnerId }) => partnerId}
          empty={
            isEmpty ? (
              <EmptyState icon="partner" title={t.empty.title} text={t.empty.text}>
                {create}
              </EmptyState>
            ) : (
              <EmptyState icon="search" title={t.notFound.title} text={t.notFound.text} />
            )
          }
          columns={[
            {
              head: t.name,
              cell: ({ partnerId, name }) => (
                <span class="who-has">
                  <a href={`/console/partners/${partnerId}`} dir="auto">
                    {name}
                  </a>
                </span>
              ),
            },
            { head: t.externalId, cell: ({ externalId: its }) => <span dir="auto">{its ?? '–'}</span> },
            { head: t.since, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
          ]}
        />
      </div>
      {isCreating && (
        <PartnerDialog
          done={({ partnerId }) => {
            toast(t.created);
            invalidate(['partners', 'names']);
            navigate(`/console/partners/${partnerId}`);
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
