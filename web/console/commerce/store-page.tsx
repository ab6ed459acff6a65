import type { PrivacyRequest, Store } from '../../../sdk/typescript/src/types.ts';
import { invalidate, useCached, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { connect } from '../../texts/connect.ts';
import { stores } from '../../texts/stores.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { titleOf, usePasses } from '../passes/use-passes.ts';
import { MessagesSetup } from './messages-setup.tsx';
import { StoreActions } from './store-actions.tsx';
import { problemSentence, StoreState } from './store-state.tsx';
import { LastRead } from './stores-page.tsx';

/** One store: how it is, what it is set to, and how it reports its orders. */
export function StorePage({ params: { storeId = '' } }: PageProps) {
  const t = stores();
  const loaded = useCached(['stores', storeId], (options) => api.stores.get(storeId, options));
  const store = loaded.value;
  return (
    <>
      <PageHeader
        title={store?.domain ?? t.store}
        lead={
          store && (
            <span class="row">
              <StoreState of={store} />
              <span>{t.platforms[store.platform]}</span>
            </span>
          )
        }
        back={{ href: '/console/stores', label: t.back }}
        actions={
          store !== undefined &&
          may('write') && <StoreActions store={store} onChange={() => invalidate(['stores'])} />
        }
      />
      <LoadedView of={loaded} lines={2} height={10}>
        {(value) => <OneStore store={value} />}
      </LoadedView>
    </>
  );
}

function OneStore({ store }: { readonly store: Store }) {
  const t = stores();
  const isOff = store.status === 'disconnected';
  return (
    <div class="stack">
      {store.problem !== null && (
        <Notice kind="alert" title={problemSentence(store.problem.code)}>
          {/* Which order it is, and why, says the message alone. */}
          {store.problem.code === 'webhooks_given_up' && <p lang="en">{store.problem.message}</p>}
        </Notice>
      )}
      {isOff && (
        <Notice title={t.isOff}>
          <p>{t.isOffText}</p>
          {may('write') && (
            <p>
              <a
                href={`/console/stores/connect?${new URLSearchParams({ platform: store.platform, domain: store.domain })}`}
              >
                {t.again}
              </a>
            </p>
          )}
        </Notice>
      )}
      <Facts of={store} />
      {!isOff && may('write') && (
        <section class="panel" aria-labelledby="messages">
          <header>
            <h2 id="messages">{connect().messages}</h2>
          </header>
          <MessagesSetup store={store} />
        </section>
      )}
      <PrivacyRequests storeId={store.storeId} />
    </div>
  );
}

function Facts({ of: store }: { readonly of: Store }) {
  const t = stores();
  const passes = usePasses();
  const { passId, waitingWebhooks, givenUpWebhooks, customersReadable, followsEdits, connectedAt } = store;
  const messages = [
    waitingWebhooks > 0 && t.waiting(formatNumber(waitingWebhooks)),
    givenUpWebhooks > 0 && `${t.givenUp(formatNumber(givenUpWebhooks))} ${t.ofLastDays}`,
  ].filter((one) => one !== false);
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.facts}</h2>
        <a href={`/console/orders?storeId=${store.storeId}`}>{t.orders}</a>
      </header>
      <dl class="facts">
        <div>
          <dt>{t.pass}</dt>
          <dd dir="auto">
            {passId === null ? (
              t.noPass
            ) : (
              <a href={`/console/passes/${passId}/program`}>{titleOf(passes, passId)}</a>
            )}
          </dd>
        </div>
        <div>
          <dt>{t.lastRead}</dt>
          <dd>
            <LastRead of={store} />
          </dd>
        </div>
        <div>
          <dt>{t.messages}</dt>
          <dd>{messages.length === 0 ? t.allDone : messages.join(' · ')}</dd>
        </div>
        <div>
          <dt>{t.readable}</dt>
          <dd>{customersReadable ? t.canBeInvited : t.cannotBeInvited}</dd>
        </div>
        <div>
          <dt>{t.consent}</dt>
          <dd dir="auto">{consentSentence(store)}</dd>
        </div>
        <div>
          <dt>{t.edits}</dt>
          <dd>{followsEdits ? t.editsYes : t.editsNo}</dd>
        </div>
        <div>
          <dt>{t.since}</dt>
          <dd>{formatMoment(connectedAt)}</dd>
        </div>
      </dl>
    </section>
  );
}

function consentSentence({ platform, consent }: Store): string {
  const t = stores().consents;
  if (platform === 'shopify') return t.shopify;
  if (consent === null) return t.none;
  if ('metaKey' in consent) return t.meta(consent.metaKey, consent.metaValue);
  return t.attested(consent.attestedBy, formatMoment(consent.recordedAt));
}

/** What customers of the store have asked for; nothing at all where none has. */
function PrivacyRequests({ storeId }: { readonly storeId: string }) {
  const t = stores();
  const pages = usePages(['stores', storeId, 'privacy requests'], (options) =>
    api.stores.privacyRequests(storeId, { limit: 20 }, options),
  );
  if (pages.error === undefined && (pages.items ?? []).length === 0) return null;
  return (
    <section class="stack" aria-labelledby="privacy">
      <div>
        <h2 id="privacy">{t.privacy}</h2>
        <p class="soft">{t.privacyLead}</p>
      </div>
      <DataTable
        label={t.privacy}
        pages={pages}
        rowKey={({ requestId }) => requestId}
        empty={null}
        columns={[
          { head: t.what, cell: (request) => <Asked of={request} /> },
          {
            head: t.health,
            kind: 'short',
            cell: ({ doneAt }) => (
              <Badge kind={doneAt === null ? 'note' : 'good'}>
                {doneAt === null ? t.privacyOpen : t.privacyDone}
              </Badge>
            ),
          },
          {
            head: t.received,
            kind: 'short',
            cell: ({ receivedAt }) => <span>{formatMoment(receivedAt)}</span>,
          },
        ]}
      />
    </section>
  );
}

function Asked({ of: { topic, customerId, instanceIds, orderIds } }: { readonly of: PrivacyRequest }) {
  const t = stores();
  const facts = [
    customerId !== null && t.customer(customerId),
    instanceIds.length > 0 && t.cardsOf(formatNumber(instanceIds.length)),
    orderIds.length > 0 && t.ordersOf(formatNumber(orderIds.length)),
  ];
  return (
    <span class="who-has">
      <span>{t.topics[topic]}</span>
      <span class="soft small">{facts.filter(Boolean).join(' · ')}</span>
      {topic === 'data_request' &&
        instanceIds.map((instanceId) => (
          <a key={instanceId} class="small code" href={`/console/cards/${instanceId}`}>
            {instanceId}
          </a>
        ))}
    </span>
  );
}
