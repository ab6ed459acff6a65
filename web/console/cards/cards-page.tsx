import { useState } from 'preact/hooks';
import type { Instance, ListInstancesQuery, Pass, Program } from '../../../sdk/typescript/src/types.ts';
import { shownBalance } from '../../shared/balance.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { pageStaleMs, usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { ExportCsv } from '../../shared/export-csv.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { Icon } from '../../shared/icon.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query, setQuery } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { StampDots } from '../../shared/stamp-dots.tsx';
import { unitOf } from '../../shared/unit-of.ts';
import { cards } from '../../texts/cards.ts';
import { importTexts } from '../../texts/import.ts';
import { api } from '../api.ts';
import { useLoadedPasses } from '../passes/use-passes.ts';
import { CardFilters, readFilters } from './card-filters.tsx';
import { cardHeads, cardRow } from './export-rows.ts';
import { nameOf } from './holder-name.ts';
import { NewCard } from './new-card.tsx';
import { useProgram } from './use-program.ts';
import { useTimeZone } from './use-time-zone.ts';

/** All cards, a pass at a time; staff find one by its code. */
export function CardsPage() {
  const t = cards();
  if (!may('read'))
    return (
      <>
        <PageHeader title={t.title} lead={t.staffLead} />
        <FindByCode />
      </>
    );
  return <CardsOfPasses />;
}

function FindByCode() {
  const t = cards();
  return (
    <div class="panel narrow">
      <Form
        submit={t.find}
        act={(filled) => api.instances.lookUp({ barcode: filled.text('barcode') })}
        done={({ instanceId }) => navigate(`/console/cards/${instanceId}`)}
      >
        <TextField name="barcode" label={t.code} required maxLength={255} autocomplete="off" />
      </Form>
    </div>
  );
}

function CardsOfPasses() {
  const t = cards();
  const passes = useLoadedPasses();
  const wanted = query.value.get('passId');
  const chosen =
    passes.value?.find(({ passId }) => passId === wanted) ??
    passes.value?.find(({ status }) => status === 'published') ??
    passes.value?.[0];
  const [isCreating, setCreating] = useState(false);
  const mayIssue = may('write') && chosen?.status === 'published';
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          chosen !== undefined && (
            <>
              <LinkButton kind="quiet" icon="coin" href={`/console/cards/entries?passId=${chosen.passId}`}>
                {chosen.type === 'giftCard' ? t.entries.ofGiftCards : t.entries.link}
              </LinkButton>
              {mayIssue && <NewOnes passId={chosen.passId} create={() => setCreating(true)} />}
            </>
          )
        }
      />
      <LoadedView of={passes} lines={6}>
        {(all) =>
          chosen === undefined ? <NoPasses /> : <CardsOf key={chosen.passId} pass={chosen} all={all} />
        }
      </LoadedView>
      {isCreating && chosen !== undefined && <NewCard pass={chosen} onClose={() => setCreating(false)} />}
    </>
  );
}

/** The ways to new cards. */
function NewOnes({ passId, create }: { readonly passId: string; readonly create: () => void }) {
  return (
    <>
      <LinkButton kind="quiet" icon="upload" href={`/console/cards/import?passId=${passId}`}>
        {importTexts().action}
      </LinkButton>
      <Button icon="plus" onClick={create}>
        {cards().create}
      </Button>
    </>
  );
}

function NoPasses() {
  const t = cards().noPasses;
  return (
    <div class="panel flush">
      <EmptyState icon="pass" title={t.title} text={t.text}>
        {may('write') && <LinkButton href="/console/passes">{t.action}</LinkButton>}
      </EmptyState>
    </div>
  );
}

function CardsOf({ pass, all }: { readonly pass: Pass; readonly all: readonly Pass[] }) {
  const t = cards();
  const timeZone = useTimeZone();
  const asked = readFilters();
  const filters: ListInstancesQuery = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  );
  const pages = usePages(
    ['instances', { passId: pass.passId, ...filters }],
    (options) => api.instances.list(pass.passId, { limit: 50, ...filters }, options),
    { staleMs: pageStaleMs },
  );
  const program = useProgram(pages.items?.find(({ loyalty }) => loyalty !== null)?.loyalty?.programId);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <div class="stack">
      <CardFilters pass={pass} all={all} />
      {filters.partnerId !== undefined && (
        <p>
          {t.ofPartner}{' '}
          <button type="button" class="link" onClick={() => setQuery({ partnerId: null })}>
            {t.ofAllPartners}
          </button>
        </p>
      )}
      {!isFiltered && pass.counts.issued > 0 && (
        <p class="soft small">{t.count(pass.counts.issued, formatNumber(pass.counts.issued))}</p>
      )}
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ instanceId }) => instanceId}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={t.notFound.title} text={t.notFound.text} />
          ) : (
            <EmptyState icon="card" title={t.empty.title} text={t.empty.text} />
          )
        }
        columns={[
          { head: t.holder, cell: (card) => <Holder of={card} /> },
          { head: t.contact, cell: (card) => <Contact of={card} /> },
          {
            head: t.balance,
            kind: 'end',
            cell: ({ loyalty }) => <Balance of={loyalty} program={program} />,
          },
          { head: t.wallet, kind: 'short', cell: ({ wallets }) => <Wallets of={wallets} /> },
          { head: t.issuedAt, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
        ]}
      />
      {pass.counts.issued > 0 && (
        <ExportCsv
          title={pass.title}
          columns={cardHeads(pass.fields, t)}
          list={(options) =>
            api.instances.list(pass.passId, { ...filters, include: 'details', limit: 100 }, options)
          }
          row={(card) => cardRow(card, pass.fields, { t, timeZone })}
        />
      )}
    </div>
  );
}

/** Whose card it is; its state only where it is not the usual one. */
function Holder({ of: card }: { readonly of: Instance }) {
  const name = nameOf(card);
  return (
    <span class="holder">
      <span class="initials" aria-hidden="true">
        {initialsOf(card.holder?.name ?? null) ?? <Icon name="card" size={16} />}
      </span>
      <a class="row-link" href={`/console/cards/${card.instanceId}`} dir="auto">
        {name}
      </a>
      {card.status === 'voided' && <CardStatus status={card.status} />}
    </span>
  );
}

/** The first letters of the first and of the last word of a name. */
function initialsOf(name: string | null): string | null {
  const words = (name ?? '').split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => word?.match(/./u)?.[0],
  );
  return letters.join('').toLocaleUpperCase() || null;
}

/** How the person is reached, or what else distinguishes the card. */
function Contact({ of: card }: { readonly of: Instance }) {
  const { email, phone, identifier } = card.holder ?? {};
  const name = nameOf(card);
  const contact = [email, phone, card.phoneGiven, identifier, card.barcode].find(
    (one) => one != null && one !== name,
  );
  return (
    <span class="soft" dir="auto">
      {contact}
    </span>
  );
}

/** More stamps than these do not fit into a row. */
const mostDots = 12;

/** A balance; of stamps also as dots, as far as they fit. */
function Balance({
  of: loyalty,
  program,
}: {
  readonly of: Instance['loyalty'];
  readonly program: Program | undefined;
}) {
  if (loyalty === null) return <span>–</span>;
  const threshold = program?.threshold ?? null;
  return (
    <span class="of-stamps number">
      <StampDots balance={loyalty.balance} threshold={threshold} most={mostDots} />
      <span>
        {shownBalance(loyalty)}
        {threshold !== null && (
          <span class="unseen">
            {' '}
            {cards().ofThreshold(formatNumber(threshold))} {program && unitOf(program, threshold)}
          </span>
        )}
      </span>
    </span>
  );
}

export function Wallets({ of: { apple, google, web } }: { readonly of: Instance['wallets'] }) {
  const names = Object.entries({ Apple: apple, Google: google, Web: web }).flatMap(([name, count]) =>
    count === 0 ? [] : [count === 1 ? name : `${name} × ${formatNumber(count)}`],
  );
  return names.length === 0 ? <span class="soft">{cards().inNone}</span> : <span>{names.join(', ')}</span>;
}

export function CardStatus({ status }: { readonly status: Instance['status'] }) {
  const t = cards();
  return status === 'active' ? <Badge kind="good">{t.valid}</Badge> : <Badge kind="alert">{t.voided}</Badge>;
}
