import type { ListedOrder, Pass, Store } from '../../../sdk/typescript/src/types.ts';
import { codeOf } from '../../shared/api-error.ts';
import { LinkButton } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { startOf } from '../../shared/days.ts';
import { ExportCsv } from '../../shared/export-csv.tsx';
import { TextField } from '../../shared/field.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoment, formatMoney, formatNumber } from '../../shared/format.ts';
import { EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query, setQuery } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { orders } from '../../texts/orders.ts';
import { api } from '../api.ts';
import { titleOf, usePasses } from '../passes/use-passes.ts';
import { isSome, OrderState, orderHref } from './order-state.tsx';
import { sourceOf, useStores } from './use-stores.ts';

/** Filters as they are in the address; days are those of the browser. */
function readFilters() {
  const text = (name: string) => query.value.get(name) || undefined;
  const status = text('status');
  const [from, to] = [startOf(text('from')), startOf(text('to'), 1)];
  const [storeId, passId, instanceId] = [text('storeId'), text('passId'), text('instanceId')];
  return {
    ...(isStatus(status) && { status }),
    ...(storeId !== undefined && { storeId }),
    ...(passId !== undefined && { passId }),
    ...(instanceId !== undefined && { instanceId }),
    ...(from !== undefined && { createdAfter: from }),
    ...(to !== undefined && { createdBefore: to }),
  };
}

function isStatus(text: string | undefined): text is ListedOrder['status'] {
  return text === 'processed' || text === 'pending' || text === 'cancelled';
}

/** The orders of the workspace, those that became known last first. */
export function OrdersPage() {
  const t = orders();
  const passes = usePasses();
  const stores = useStores();
  const filters = readFilters();
  const pages = usePages(['orders', filters], (options) =>
    api.orders.list({ limit: 50, ...filters }, options),
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} />
      <div class="stack">
        <FindOrder stores={stores} />
        <FilterBar
          label={t.filter}
          fields={[
            { name: 'status', label: t.status, options: { '': t.all, ...t.statuses } },
            {
              name: 'storeId',
              label: t.store,
              options: { '': t.all, ...Object.fromEntries(stores.map((one) => [one.storeId, one.domain])) },
            },
            {
              name: 'passId',
              label: t.pass,
              options: { '': t.all, ...Object.fromEntries(passes.map((one) => [one.passId, one.title])) },
            },
            { name: 'from', label: t.from, isDay: true },
            { name: 'to', label: t.to, isDay: true },
          ]}
        />
        {filters.instanceId !== undefined && <OfCard instanceId={filters.instanceId} />}
        <DataTable
          label={t.title}
          pages={pages}
          rowKey={({ storeId, orderId }) => `${storeId} ${orderId}`}
          empty={
            isFiltered ? (
              <EmptyState icon="search" title={t.notFound.title} text={t.notFound.text} />
            ) : (
              <EmptyState icon="order" title={t.empty.title} text={t.empty.text}>
                {may('write') && <LinkButton href="/console/stores/connect">{t.empty.action}</LinkButton>}
              </EmptyState>
            )
          }
          columns={[
            { head: t.order, cell: (order) => <Name of={order} stores={stores} /> },
            { head: t.total, kind: 'end', cell: (order) => <Total of={order} /> },
            {
              head: t.points,
              kind: 'end',
              cell: ({ points }) => <span class="number">{formatNumber(points)}</span>,
            },
            { head: t.status, kind: 'short', cell: ({ status }) => <OrderState status={status} /> },
            {
              head: t.placed,
              kind: 'short',
              cell: ({ placedAt, createdAt }) => <span>{formatMoment(placedAt ?? createdAt)}</span>,
            },
          ]}
        />
        {(pages.items?.length ?? 0) > 0 && (
          <ExportCsv
            title={t.title}
            columns={t.columns}
            list={(options) => api.orders.list({ ...filters, limit: 100 }, options)}
            row={(order) => csvRow(order, stores, passes)}
          />
        )}
      </div>
    </>
  );
}

/** An order by its number: of one's own, or of any store. */
function FindOrder({ stores }: { readonly stores: readonly Store[] }) {
  const t = orders();
  return (
    <search class="find">
      <Form
        submit={t.find}
        kind="quiet"
        act={(filled) => findOrder(filled.text('orderId'), [undefined, ...stores.map((one) => one.storeId)])}
        done={(order) => navigate(orderHref(order))}
      >
        <TextField name="orderId" label={t.number} required maxLength={255} autocomplete="off" />
      </Form>
    </search>
  );
}

async function findOrder(orderId: string, storeIds: readonly (string | undefined)[]) {
  const [storeId, ...others] = storeIds;
  try {
    return await api.orders.get(orderId, storeId === undefined ? {} : { storeId });
  } catch (error) {
    if (codeOf(error) !== 'order_not_found' || others.length === 0) throw error;
    return findOrder(orderId, others);
  }
}

function OfCard({ instanceId }: { readonly instanceId: string }) {
  const t = orders();
  return (
    <p>
      {t.ofCard} <a href={`/console/cards/${instanceId}`}>{t.card}</a> ·{' '}
      <button type="button" class="link" onClick={() => setQuery({ instanceId: null })}>
        {t.ofAllCards}
      </button>
    </p>
  );
}

function Name({ of: order, stores }: { readonly of: ListedOrder; readonly stores: readonly Store[] }) {
  return (
    <span class="who-has">
      <a href={orderHref(order)} dir="auto">
        {order.orderId}
      </a>
      <span class="soft small">{sourceOf(stores, order.storeId)}</span>
    </span>
  );
}

function Total({ of: { total, refunded } }: { readonly of: ListedOrder }) {
  const t = orders();
  if (total === null) return <span class="soft">{t.unknownTotal}</span>;
  return (
    <span class="who-has number">
      <span>{formatMoney(total)}</span>
      {refunded !== null && isSome(refunded) && (
        <span class="soft small">{t.ofWhichRefunded(formatMoney(refunded))}</span>
      )}
    </span>
  );
}

/** An order as a line of a file. */
function csvRow(order: ListedOrder, stores: readonly Store[], passes: readonly Pass[]) {
  const { orderId, storeId, passId, instanceId, status, total, refunded, points, partnerId } = order;
  return [
    orderId,
    storeId === null ? null : sourceOf(stores, storeId),
    passId === null ? null : titleOf(passes, passId),
    instanceId,
    status,
    total?.amount,
    total?.currency,
    refunded?.amount,
    points,
    partnerId,
    order.placedAt,
    order.createdAt,
  ];
}
