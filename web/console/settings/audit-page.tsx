import { useEffect, useState } from 'preact/hooks';
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
import { auditTexts } from '../../texts/audit.ts';
import { records } from '../../texts/records.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { usePasses } from '../passes/use-passes.ts';
import { type AuditGroup, groupsOf, pageOf, sentenceOf } from './audit-lines.ts';
import { useKeys, useNames, usePeople } from './people-names.ts';
import { SettingsTabs } from './settings-tabs.tsx';

/** Lines that are read by themselves, to show those of one import as one. */
const mostRead = 2_000;

/** Who changed what; the filter is in the address. */
export function AuditPage() {
  const t = records().audit;
  const a = auditTexts();
  const filter = (name: string) => query.value.get(name) || undefined;
  const [action, actor, target] = [filter('action'), filter('actor'), filter('target')];
  const pages = usePages(['audit', action, actor, target], (options) =>
    api.audit.list({ limit: 100, action, actor, target }, options),
  );
  const groups = pages.items && groupsOf(pages.items);
  const isCut = (groups?.at(-1)?.count ?? 1) > 1 && (pages.items?.length ?? 0) < mostRead;
  useEffect(() => {
    if (isCut && !pages.isLoading && pages.error === undefined) pages.more?.();
  });
  const names = useNames();
  const targets = useTargets();
  const people = usePeople();
  const keys = useKeys();
  const actors = {
    '': a.everyone,
    ...Object.fromEntries(people.map(({ personId, name }) => [personId, name])),
    ...Object.fromEntries(keys.map(({ keyId }) => [keyId, names(keyId)])),
    operator: names('operator'),
    ...(actor !== undefined && { [actor]: names(actor) }),
  };
  const [open, setOpen] = useState<AuditGroup | null>(null);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <div class="stack">
        <FilterBar
          label={t.filter}
          fields={[
            { name: 'actor', label: t.actor, options: actors },
            { name: 'action', label: t.action, options: { '': a.all, ...kinds(a.actions) } },
          ]}
        />
        <DataTable
          label={t.title}
          pages={{ ...pages, items: groups }}
          rowKey={({ line }) => line.auditId}
          empty={<EmptyState icon="list" title={t.empty} text={t.emptyText} />}
          columns={[
            {
              head: a.did,
              cell: (group) => (
                <span>
                  <strong dir="auto">{names(group.line.actor)}</strong> {sentenceOf(group)}
                </span>
              ),
            },
            {
              head: t.target,
              cell: ({ line, count }) => (count > 1 ? null : <Target of={line.target} name={targets} />),
            },
            {
              head: t.when,
              kind: 'short',
              cell: ({ line }) => <span>{formatMoment(line.createdAt)}</span>,
            },
            {
              head: shared().actions,
              kind: 'actions',
              cell: (group) => (
                <Button kind="quiet" onClick={() => setOpen(group)}>
                  {t.show} <span class="unseen">{sentenceOf(group)}</span>
                </Button>
              ),
            },
          ]}
        />
      </div>
      {open !== null && (
        <Dialog title={`${names(open.line.actor)} ${sentenceOf(open)}`} onClose={() => setOpen(null)}>
          <dl class="facts">
            <div>
              <dt>{t.action}</dt>
              <dd>
                <code>{open.line.action}</code>
              </dd>
            </div>
            <div>
              <dt>{t.actor}</dt>
              <dd>
                <span dir="auto">{names(open.line.actor)}</span>
                <br />
                <code class="soft">{open.line.actor}</code>
              </dd>
            </div>
            <div>
              <dt>{t.target}</dt>
              <dd>
                <code>{open.line.target}</code>
              </dd>
            </div>
            <div>
              <dt>{t.request}</dt>
              <dd>
                <a href={`/console/developers/requests/${encodeURIComponent(open.line.requestId)}`}>
                  <code>{open.line.requestId}</code>
                </a>
              </dd>
            </div>
          </dl>
          <h3>{t.detail}</h3>
          <pre class="code block" ref={reachByKeys}>
            {JSON.stringify(open.line.detail, null, 2)}
          </pre>
        </Dialog>
      )}
    </>
  );
}

/** The name of what a line is about, with a link to it where it has a page. */
function Target({
  of,
  name,
}: {
  readonly of: string;
  readonly name: (target: string) => string | undefined;
}) {
  const shown = name(of) ?? (of.startsWith('inst_') ? auditTexts().card : undefined);
  const page = pageOf(of);
  const what = shown === undefined ? <code class="soft small">{of}</code> : <span dir="auto">{shown}</span>;
  return page === undefined ? what : <a href={page}>{what}</a>;
}

/** What passes, people, keys and stores are called. */
function useTargets(): (target: string) => string | undefined {
  const passes = usePasses();
  const people = usePeople();
  const keys = useKeys();
  return (target) =>
    passes.find(({ passId }) => passId === target)?.title ??
    people.find(({ personId }) => personId === target)?.name ??
    keys.find(({ keyId }) => keyId === target)?.name;
}

/** Operations by what they are called; those that are called the same, such as those of batches, once. */
function kinds(actions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const first = new Map<string, string>();
  for (const [action, words] of Object.entries(actions)) if (!first.has(words)) first.set(words, action);
  return Object.fromEntries([...first].sort().map(([words, action]) => [action, words]));
}
