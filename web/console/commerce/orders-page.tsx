import type { ListedOrder, Pass, Store } from '../../../sdk/typescript/src/types.ts';
import { LinkButton } from '../../shared/button.tsx';
import { pageStaleMs, usePages } from '../../shared/cached.ts';
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
import { findOrders, numberOf } from './find-orders.ts';
import { isSome, OrderState, orderHref } from './order-state.tsx';
import { sourceOf, useStores } from './use-stores.ts';

/** Filters as they are in the address; days are those of the browser. */
function readFilters() {
  const text = (name: string) => query.value.get(name) || undefined;
  const status = text('status');
  const [from, to] = [startOf(text('from')), startOf(text('to'), 1)];
  const [storeId, passId] = [text('storeId'), text('passId')];
  const [instanceId, number] = [text('instanceId'), text('number')];
  return {
    ...(isStatus(status) && { status }),
    ...(storeId !== undefined && { storeId }),
    ...(passId !== undefined && { passId }),
    ...(instanceId !== undefined && { instanceId }),
    ...(number !== undefined && { number }),
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
  const pages = usePages(
    ['orders', filters],
    (options) => api.orders.list({ limit: 50, ...filters }, options),
    { staleMs: pageStaleMs },
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
        {filters.number !== undefined && <OfNumber number={filters.number} />}
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
            { head: t.customer, cell: (order) => <Customer of={order} /> },
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

/** An order by its number: opened where it is the only one, and otherwise a list of them. */
function FindOrder({ stores }: { readonly stores: readonly Store[] }) {
  const t = orders();
  return (
    <search class="find">
      <Form
        submit={t.find}
        kind="quiet"
        act={async (filled) => {
          const number = filled.text('orderId').trim();
          const found = await findOrders(
            number,
            stores.map((one) => one.storeId),
          );
          return { number, found };
        }}
        done={({ number, found: [first, second] }) => {
          if (second !== undefined) setQuery({ number });
          else if (first !== undefined) navigate(orderHref(first));
        }}
      >
        <TextField name="orderId" label={t.number} required maxLength={255} autocomplete="off" />
      </Form>
    </search>
  );
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

/** The filter by a number, which several stores have given. */
function OfNumber({ number }: { readonly number: string }) {
  const t = orders();
  return (
    <p>
      <span dir="auto">{t.ofNumber(number)}</span>{' '}
      <button type="button" class="link" onClick={() => setQuery({ number: null })}>
        {t.showAll}
      </button>
    </p>
  );
}

/** Whose card it is, with the way to it. */
function Customer({ of: { instanceId, holderName } }: { readonly of: ListedOrder }) {
  const t = orders();
  if (instanceId === null) return <span class="soft">{t.noCard}</span>;
  return (
    <span class="who-has">
      <a href={`/console/cards/${instanceId}`} dir="auto">
        {holderName ?? t.card}
      </a>
    </span>
  );
}

function Name({ of: order, stores }: { readonly of: ListedOrder; readonly stores: readonly Store[] }) {
  return (
    <span class="who-has">
      <a href={orderHref(order)} dir="auto">
        {numberOf(order)}
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
    numberOf(order),
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
    order.holderName,
    orderId,
  ];
}
