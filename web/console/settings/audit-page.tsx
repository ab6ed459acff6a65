import { useState } from 'preact/hooks';
import type { AuditLine } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { formatMoment } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { reachByKeys } from '../../shared/reach-by-keys.ts';
import { query } from '../../shared/router.ts';
import { records } from '../../texts/records.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { useNames } from './people-names.ts';
import { SettingsTabs } from './settings-tabs.tsx';

/** Who changed what; the filter is in the address. */
export function AuditPage() {
  const t = records().audit;
  const filter = (name: string) => query.value.get(name) ?? undefined;
  const [action, actor, target] = [filter('action'), filter('actor'), filter('target')];
  const pages = usePages(['audit', action, actor, target], (options) =>
    api.audit.list({ limit: 50, action, actor, target }, options),
  );
  const names = useNames();
  const [open, setOpen] = useState<AuditLine | null>(null);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <div class="stack">
        <FilterBar
          label={t.filter}
          fields={[
            { name: 'action', label: t.action, placeholder: 'updateWorkspace' },
            { name: 'actor', label: t.actor, placeholder: 'person_…' },
            { name: 'target', label: t.target, placeholder: 'pass_…' },
          ]}
        />
        <DataTable
          label={t.title}
          pages={pages}
          rowKey={({ auditId }) => auditId}
          empty={<EmptyState icon="list" title={t.empty} text={t.emptyText} />}
          columns={[
            { head: t.action, cell: (line) => <strong>{line.action}</strong> },
            { head: t.actor, cell: (line) => <span dir="auto">{names(line.actor)}</span> },
            { head: t.target, cell: (line) => <code>{line.target}</code> },
            { head: t.when, kind: 'short', cell: (line) => <span>{formatMoment(line.createdAt)}</span> },
            {
              head: shared().actions,
              kind: 'actions',
              cell: (line) => (
                <Button kind="quiet" onClick={() => setOpen(line)}>
                  {t.show} <span class="unseen">{line.action}</span>
                </Button>
              ),
            },
          ]}
        />
      </div>
      {open !== null && (
        <Dialog title={open.action} onClose={() => setOpen(null)}>
          <dl class="facts">
            <div>
              <dt>{t.actor}</dt>
              <dd>
                <span dir="auto">{names(open.actor)}</span>
                <br />
                <code class="soft">{open.actor}</code>
              </dd>
            </div>
            <div>
              <dt>{t.target}</dt>
              <dd>
                <code>{open.target}</code>
              </dd>
            </div>
            <div>
              <dt>{t.request}</dt>
              <dd>
                <a href={`/console/developers/requests/${encodeURIComponent(open.requestId)}`}>
                  <code>{open.requestId}</code>
                </a>
              </dd>
            </div>
          </dl>
          <h3>{t.detail}</h3>
          <pre class="code block" ref={reachByKeys}>
            {JSON.stringify(open.detail, null, 2)}
          </pre>
        </Dialog>
      )}
    </>
  );
}
