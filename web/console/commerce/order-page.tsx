import type { Order } from '../../../sdk/typescript/src/types.ts';
import { invalidate, useCached, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatMoment, formatMoney, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { EmptyState, Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { wholeList } from '../../shared/pages.ts';
import { query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { orders } from '../../texts/orders.ts';
import { api } from '../api.ts';
import { entryColumns } from '../cards/entry-columns.tsx';
import type { PageProps } from '../page.ts';
import { titleOf, usePasses } from '../passes/use-passes.ts';
import { numberOf } from './find-orders.ts';
import { isOurs, OrderActions } from './order-actions.tsx';
import { isSome, OrderState } from './order-state.tsx';
import { sourceOf, useStores } from './use-stores.ts';

/** One order: what was bought, what it has earned, and the refunds of it. */
export function OrderPage({ params: { orderId = '' } }: PageProps) {
  const t = orders();
  const storeId = query.value.get('storeId');
  const order = useCached(['orders', orderId, storeId], (options) =>
    api.orders.get(orderId, storeId === null ? {} : { storeId }, options),
  );
  const stores = useStores();
  return (
    <>
      <PageHeader
        title={t.orderOf(order.value === undefined ? orderId : numberOf(order.value))}
        lead={
          order.value && (
            <span class="row">
              <OrderState status={order.value.status} />
              <span>{sourceOf(stores, order.value.storeId)}</span>
            </span>
          )
        }
        back={{ href: '/console/orders', label: t.back }}
        actions={
          order.value !== undefined &&
          may('write') && (
            <OrderActions
              order={order.value}
              source={storeId === null ? null : sourceOf(stores, storeId)}
              onChange={() => invalidate(['orders', orderId], ['instances'])}
            />
          )
        }
      />
      <LoadedView of={order} lines={3} height={8}>
        {(value) => <OneOrder order={value} />}
      </LoadedView>
    </>
  );
}

function OneOrder({ order }: { readonly order: Order }) {
  const t = orders();
  const { total, refunded, points, limitedBy, waiting, items, refunds } = order;
  const figures: readonly (readonly [label: string, value: string])[] = [
    [t.total, total === null ? '–' : formatMoney(total)],
    ...(refunded !== null && isSome(refunded) ? [[t.refunded, formatMoney(refunded)] as const] : []),
    [t.points, formatNumber(points)],
  ];
  return (
    <div class="card-page early">
      <div class="stack">
        {waiting && <Notice title={total === null ? t.waitsUnknown : t.waitsUnpaid} />}
        {!waiting && limitedBy !== null && <Notice title={t.limits[limitedBy]} />}
        <dl class="figures three">
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {items !== null && items.length > 0 && <Items of={items} />}
        {refunds.length > 0 && <Refunds of={refunds} />}
        {order.instanceId !== null && order.passId !== null && (
          <Entries order={order} passId={order.passId} instanceId={order.instanceId} />
        )}
      </div>
      <Facts order={order} />
    </div>
  );
}

function Items({ of }: { readonly of: NonNullable<Order['items']> }) {
  const t = orders();
  const rows = of.map((item, at) => ({ ...item, at }));
  return (
    <section class="stack" aria-labelledby="items">
      <h2 id="items">{t.items}</h2>
      <DataTable
        label={t.items}
        pages={wholeList(rows)}
        rowKey={({ at }) => String(at)}
        empty={null}
        columns={[
          {
            head: t.item,
            cell: ({ name, sku, id }) => (
              <span class="who-has" dir="auto">
                <span>{name ?? sku ?? id ?? '–'}</span>
                {sku != null && name != null && <span class="soft small">{sku}</span>}
              </span>
            ),
          },
          {
            head: t.quantity,
            kind: 'end',
            cell: ({ quantity }) => (
              <span class="number">{quantity === undefined ? '' : formatNumber(quantity)}</span>
            ),
          },
          {
            head: t.total,
            kind: 'end',
            cell: ({ total }) => <span class="number">{total === undefined ? '' : formatMoney(total)}</span>,
          },
        ]}
      />
    </section>
  );
}

function Refunds({ of }: { readonly of: Order['refunds'] }) {
  const t = orders();
  return (
    <section class="stack" aria-labelledby="refunds">
      <h2 id="refunds">{t.refunds}</h2>
      <DataTable
        label={t.refunds}
        pages={wholeList(of)}
        rowKey={({ refundId }) => refundId}
        empty={null}
        columns={[
          {
            head: t.refund,
            cell: ({ refundId }) => <span dir="auto">{isOurs(refundId) ? t.byHand : refundId}</span>,
          },
          {
            head: t.amount,
            kind: 'end',
            cell: ({ amount }) => <span class="number">{formatMoney(amount)}</span>,
          },
          { head: t.when, kind: 'short', cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span> },
        ]}
      />
    </section>
  );
}

/** The entries that the order has made on its card. */
function Entries({
  order: { orderId },
  passId,
  instanceId,
}: {
  readonly order: Order;
  readonly passId: string;
  readonly instanceId: string;
}) {
  const t = orders();
  const pages = usePages(['orders', orderId, 'entries', instanceId], (options) =>
    api.loyalty.entries({ passId, instanceId, orderId, limit: 20 }, options),
  );
  return (
    <section class="stack" aria-labelledby="entries">
      <h2 id="entries">{t.entries}</h2>
      <DataTable
        label={t.entries}
        pages={pages}
        rowKey={({ entryId }) => entryId}
        empty={<EmptyState icon="coin" title={t.noEntries} />}
        columns={entryColumns()}
      />
    </section>
  );
}

function Facts({ order }: { readonly order: Order }) {
  const t = orders();
  const passes = usePasses();
  const { orderId, number, passId, instanceId, partnerId, storeId, placedAt, createdAt, updatedAt } = order;
  const stores = useStores();
  const rule = ruleSentence(order);
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.facts}</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>{t.card}</dt>
          <dd>
            {instanceId === null ? t.noCard : <CardLink instanceId={instanceId} name={order.holderName} />}
          </dd>
        </div>
        {passId !== null && (
          <div>
            <dt>{t.pass}</dt>
            <dd dir="auto">{titleOf(passes, passId)}</dd>
          </div>
        )}
        {storeId !== null && (
          <div>
            <dt>{t.store}</dt>
            <dd>
              <a href={`/console/stores/${storeId}`}>{sourceOf(stores, storeId)}</a>
            </dd>
          </div>
        )}
        {partnerId !== null && (
          <div>
            <dt>{t.partner}</dt>
            <dd dir="auto">
              <PartnerLink partnerId={partnerId} />
            </dd>
          </div>
        )}
        {rule !== '' && (
          <div>
            <dt>{t.rule}</dt>
            <dd>{rule}</dd>
          </div>
        )}
        {placedAt !== null && (
          <div>
            <dt>{t.placed}</dt>
            <dd>{formatMoment(placedAt)}</dd>
          </div>
        )}
        {number !== null && number !== orderId && (
          <div>
            <dt>{t.idInStore}</dt>
            <dd>
              <code>{orderId}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{t.known}</dt>
          <dd>{formatMoment(createdAt)}</dd>
        </div>
        <div>
          <dt>{t.changed}</dt>
          <dd>{formatMoment(updatedAt)}</dd>
        </div>
      </dl>
    </section>
  );
}

function CardLink({ instanceId, name }: { readonly instanceId: string; readonly name: string | null }) {
  return (
    <a href={`/console/cards/${instanceId}`} dir="auto">
      {name ?? orders().card}
    </a>
  );
}

/** The name of a partner; its id where it was deleted since. */
function PartnerLink({ partnerId }: { readonly partnerId: string }) {
  const partner = useCached(['partners', partnerId], (options) => api.partners.get(partnerId, options));
  if (partner.value === undefined) return <code>{partnerId}</code>;
  return <a href={`/console/partners/${partnerId}`}>{partner.value.name}</a>;
}

/** The earn rule that the order was counted with, as a sentence. */
function ruleSentence({ earn, multiplier, total }: Order): string {
  const t = orders().rules;
  if (earn === null) return '';
  const { perCurrencyUnit, perOrder, minOrder, currency } = earn;
  const parts = [
    perCurrencyUnit > 0 && t.perUnit(formatNumber(perCurrencyUnit), currency ?? total?.currency ?? ''),
    perOrder > 0 && t.perOrder(formatNumber(perOrder)),
    minOrder !== null && t.least(formatMoney(minOrder)),
    multiplier !== 1 && t.times(formatNumber(multiplier)),
  ];
  return parts.filter(Boolean).join(', ');
}
