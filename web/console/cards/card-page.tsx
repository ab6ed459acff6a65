import type { Instance } from '../../../sdk/typescript/src/types.ts';
import { invalidate, useCached } from '../../shared/cached.ts';
import type { Loaded } from '../../shared/data.ts';
import { formatDate, formatMoment } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { usePictureUrl } from '../passes/picture-url.ts';
import { CardActions } from './card-actions.tsx';
import { CardBalance } from './card-balance.tsx';
import { CardConsents } from './card-consents.tsx';
import { CardHistory } from './card-history.tsx';
import { CardMoney } from './card-money.tsx';
import { CardStatus, Wallets } from './cards-page.tsx';
import { useFieldLabels } from './field-labels.ts';
import { nameOf } from './holder-name.ts';

/** One card: whose it is, what it says, what happened to it, and what can be done. */
export function CardPage({ params: { instanceId = '' } }: PageProps) {
  const t = cards();
  const card = useCached(['instances', instanceId], (options) => api.instances.get(instanceId, options));
  const erased = useErased(card.value);
  return (
    <>
      <PageHeader
        title={card.value === undefined ? t.card : nameOf(card.value)}
        lead={card.value?.holder && <Contact of={card.value.holder} />}
        back={{ href: '/console/cards', label: t.back }}
        actions={
          card.value !== undefined &&
          erased.value !== undefined &&
          may('read') && (
            <CardActions
              card={card.value}
              isErased={erased.value}
              onChange={() => invalidate(['instances', instanceId])}
            />
          )
        }
      />
      <LoadedView of={card} lines={3} height={8}>
        {(value) => <Card card={value} isErased={erased.value === true} />}
      </LoadedView>
    </>
  );
}

/** How the holder is reached, at a tap. */
function Contact({ of: { name, email, phone } }: { readonly of: NonNullable<Instance['holder']> }) {
  return (
    <span class="row contact">
      {email !== null && name !== null && <a href={`mailto:${email}`}>{email}</a>}
      {phone !== null && <a href={`tel:${phone}`}>{phone}</a>}
    </span>
  );
}

/** Whether the person of a card was erased, for people who may change it; undefined until that is known. */
function useErased(card: Instance | undefined): Loaded<boolean> {
  const mayBe = card?.status === 'voided' && card.holder === null && may('read');
  return useCached(['instances', card?.instanceId, 'erased', mayBe], async (options) => {
    if (card === undefined || !mayBe) return false;
    // Of an erased card the history has little else.
    const { data } = await api.instances.timeline(card.instanceId, { limit: 25 }, options).page();
    return data.some(({ kind }) => kind === 'instance.erased');
  });
}

function Card({ card, isErased }: { readonly card: Instance; readonly isErased: boolean }) {
  const t = cards();
  const { instanceId, loyalty } = card;
  return (
    <div class="card-page">
      <div class="stack">
        {loyalty?.amount !== undefined && (
          <CardMoney card={card} programId={loyalty.programId} amount={loyalty.amount} />
        )}
        {loyalty !== null && loyalty.amount === undefined && <CardBalance card={card} loyalty={loyalty} />}
        {card.expired === true && card.expiresAt !== null && (
          <Notice kind="alert" title={t.expiredOn(formatDate(card.expiresAt))}>
            {t.expiredText}
          </Notice>
        )}
        {isErased && <Notice title={t.isErased}>{t.isErasedText}</Notice>}
        {may('read') && <CardConsents instanceId={instanceId} />}
        {may('read') && <CardHistory card={card} />}
      </div>
      <div class="stack">
        <Picture card={card} />
        <Facts card={card} />
      </div>
    </div>
  );
}

function Picture({ card: { passId, instanceId, updatedAt } }: { readonly card: Instance }) {
  const t = cards();
  const svg = useCached(['pictures', passId, 'apple', instanceId, updatedAt], async (options) =>
    (await api.passes.previewSvg(passId, { platform: 'apple', instanceId }, options)).text(),
  );
  const url = usePictureUrl(svg.value);
  if (url === undefined) return <span class="picture skeleton" />;
  return <img class="picture" src={url} alt={t.picture} />;
}

function Facts({ card }: { readonly card: Instance }) {
  const t = cards();
  const labelOf = useFieldLabels(card.passId);
  const { holder, barcode, fields, expiresAt, lastPush, voidReason, wallets, createdAt, status } = card;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t.phone, holder?.phone == null ? card.phoneGiven : null],
    [t.identifier, holder?.identifier],
    [t.code, barcode],
    ...Object.entries(fields).map(([key, value]) => [labelOf(key), value] as const),
    [t.expires, expiresAt && formatMoment(expiresAt)],
    [t.because, voidReason],
    [t.issuedAt, formatDate(createdAt)],
    [t.lastPush, lastPush && `${formatMoment(lastPush.at)}, ${t.pushes[lastPush.result]}`],
  ];
  return (
    <section class="panel" aria-labelledby="facts">
      <header>
        <h2 id="facts">{t.facts}</h2>
        <CardStatus status={status} />
      </header>
      <dl class="facts">
        {facts.map(([name, value], at) =>
          value == null || value === '' ? null : (
            <div key={at}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
        )}
        <div>
          <dt>{t.inWallet}</dt>
          <dd>
            <Wallets of={wallets} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
