import { Fragment } from 'preact';
import type { Request } from '../../../sdk/typescript/src/types.ts';
import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { startOf } from '../../shared/days.ts';
import { TextField } from '../../shared/field.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query } from '../../shared/router.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import { useKeys } from '../settings/people-names.ts';
import { DeveloperTabs } from './developer-tabs.tsx';

/** The request log; an id leads to all that came of it. */
export function RequestsPage() {
  const t = developers().requests;
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <DeveloperTabs />
      </PageHeader>
      <div class="stack">
        <div class="find">
          <Form
            submit={t.find}
            act={(filled) => api.requests.trace(filled.text('requestId'))}
            done={({ requestId }) =>
              navigate(`/console/developers/requests/${encodeURIComponent(requestId)}`)
            }
          >
            <TextField name="requestId" label={t.id} required maxLength={200} autocomplete="off" />
          </Form>
        </div>
        <Requests />
      </div>
    </>
  );
}

function Requests() {
  const t = developers().requests;
  const names = Object.fromEntries(useKeys().map(({ keyId, name }) => [keyId, name]));
  const get = (name: string) => query.value.get(name) || undefined;
  const keyId = get('keyId');
  const pages = usePages(['requests', query.value.toString()], (options) => {
    const status = get('status');
    const wanted = {
      status: status === undefined ? undefined : Number(status),
      code: get('code'),
      op: get('op'),
      keyId,
      instanceId: get('instanceId'),
      createdAfter: startOf(get('from')),
      createdBefore: startOf(get('to'), 1),
    };
    return api.requests.list({ limit: 50, ...wanted }, options);
  });
  const statuses = Object.fromEntries(answers.map((status) => [status, status]));
  return (
    <>
      <FilterBar
        label={t.filter}
        fields={[
          { name: 'status', label: t.status, options: { '': t.all, ...statuses } },
          { name: 'code', label: t.code, placeholder: 'insufficient_points' },
          { name: 'op', label: t.op, placeholder: 'earnPoints' },
          {
            name: 'keyId',
            label: t.key,
            options: { '': t.all, ...(keyId !== undefined && { [keyId]: keyId }), ...names },
          },
          { name: 'instanceId', label: t.card, placeholder: 'inst_…' },
          { name: 'from', label: t.from, isDay: true },
          { name: 'to', label: t.to, isDay: true },
        ]}
      />
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ requestId, createdAt, op }) => `${requestId} ${createdAt} ${op}`}
        empty={<EmptyState icon="search" title={t.empty} text={t.emptyText} />}
        columns={[
          { head: t.call, cell: (request) => <Call of={request} /> },
          { head: t.status, kind: 'short', cell: (request) => <Answer of={request} /> },
          { head: t.key, cell: ({ keyId: by }) => by && <span dir="auto">{names[by] ?? by}</span> },
          {
            head: t.took,
            kind: 'end',
            cell: ({ ms }) => <span class="number">{t.ms(formatNumber(ms))}</span>,
          },
          { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
        ]}
      />
    </>
  );
}

/** Every status that the service answers with, and 499 for clients that went away. */
const answers = [
  ...[
    '200',
    '201',
    '202',
    '204',
    '400',
    '401',
    '402',
    '403',
    '404',
    '405',
    '408',
    '409',
    '413',
    '415',
    '422',
  ],
  ...['429', '499', '500', '502', '503'],
];

export function Call({ of: { requestId, method, path, op, message } }: { readonly of: Request }) {
  return (
    <span class="who-has">
      <a href={`/console/developers/requests/${encodeURIComponent(requestId)}`} class="code call">
        {method === null ? (
          (op ?? requestId)
        ) : (
          <>
            {method} {breakable(path ?? '')}
          </>
        )}
      </a>
      {message !== null && <span class="soft small">{message}</span>}
    </span>
  );
}

/** A path that breaks between its parts, not inside of a word. */
function breakable(path: string) {
  const [first, ...others] = path.split('/');
  return (
    <>
      {first}
      {others.map((part, at) => (
        <Fragment key={at}>
          /<wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}

export function Answer({ of: { status, code } }: { readonly of: Request }) {
  return <Badge kind={status < 400 ? 'good' : 'alert'}>{code === null ? status : `${status} ${code}`}</Badge>;
}
