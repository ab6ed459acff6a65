import type { Request } from '../../../sdk/typescript/src/types.ts';
import { usePages } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query, setQuery } from '../../shared/router.ts';
import { developers } from '../../texts/developers.ts';
import { api } from '../api.ts';
import { DeveloperTabs } from './developer-tabs.tsx';

/** The request log; an id leads to all that came of it. */
export function RequestsPage() {
  const t = developers().requests;
  const status = query.value.get('status') ?? '';
  const pages = usePages(
    (options) => api.requests.list({ limit: 50, ...(status !== '' && { status: Number(status) }) }, options),
    [status],
  );
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <DeveloperTabs />
      </PageHeader>
      <div class="stack">
        <div class="panel narrow">
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
        <search class="filters">
          <SelectField
            name="status"
            label={t.status}
            options={t.statuses}
            value={status}
            onChange={(value) => setQuery({ status: value })}
          />
        </search>
        <DataTable
          label={t.title}
          pages={pages}
          rowKey={({ requestId, createdAt, op }) => `${requestId} ${createdAt} ${op}`}
          empty={<EmptyState icon="search" title={t.empty} />}
          columns={[
            { head: t.call, cell: (request) => <Call of={request} /> },
            { head: t.status, kind: 'short', cell: (request) => <Answer of={request} /> },
            {
              head: t.took,
              kind: 'end',
              cell: ({ ms }) => <span class="number">{t.ms(formatNumber(ms))}</span>,
            },
            { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
          ]}
        />
      </div>
    </>
  );
}

export function Call({ of: { requestId, method, path, op, message } }: { readonly of: Request }) {
  return (
    <span class="who-has">
      <a href={`/console/developers/requests/${encodeURIComponent(requestId)}`} class="code">
        {method === null ? (op ?? requestId) : `${method} ${path}`}
      </a>
      {message !== null && <span class="soft small">{message}</span>}
    </span>
  );
}

export function Answer({ of: { status, code } }: { readonly of: Request }) {
  return <Badge kind={status < 400 ? 'good' : 'alert'}>{code === null ? status : `${status} ${code}`}</Badge>;
}
