import { useEffect, useRef, useState } from 'preact/hooks';
import type { Instance, ListInstancesQuery, Pass } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { usePages } from '../../shared/cached.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { dayIn, startOf } from '../../shared/days.ts';
import { ExportCsv } from '../../shared/export-csv.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { navigate, query, setQuery } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { cards } from '../../texts/cards.ts';
import { importTexts } from '../../texts/import.ts';
import { api } from '../api.ts';
import { useLoadedPasses } from '../passes/use-passes.ts';
import { cardHeads, cardRow } from './export-rows.ts';
import { NewCard } from './new-card.tsx';
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
                {t.entries.link}
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

/** Filters as they are in the address. */
function readFilters() {
  const text = (name: string) => query.value.get(name) ?? undefined;
  const status = text('status');
  const installed = text('installed');
  return {
    q: text('q'),
    status: status === 'active' || status === 'voided' ? status : undefined,
    installed: installed === 'true' ? true : installed === 'false' ? false : undefined,
    createdAfter: startOf(text('from')),
    createdBefore: startOf(text('to'), 1),
    partnerId: text('partnerId'),
  } as const;
}

function CardsOf({ pass, all }: { readonly pass: Pass; readonly all: readonly Pass[] }) {
  const t = cards();
  const timeZone = useTimeZone();
  const asked = readFilters();
  const { q, status, installed } = asked;
  const filters: ListInstancesQuery = Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined),
  );
  const pages = usePages(['instances', { passId: pass.passId, ...filters }], (options) =>
    api.instances.list(pass.passId, { limit: 50, ...filters }, options),
  );
  const search = useSoon((text) => setQuery({ q: text.trim() }));
  const isFiltered = Object.keys(filters).length > 0;
  const titles = Object.fromEntries(all.map(({ passId, title }) => [passId, title]));
  return (
    <div class="stack">
      <search class="filters">
        <SelectField
          name="passId"
          label={t.pass}
          options={titles}
          value={pass.passId}
          onChange={(passId) => setQuery({ passId })}
        />
        <TextField name="q" type="search" label={t.search} {...(q && { value: q })} onInput={search} />
        <SelectField
          name="status"
          label={t.status}
          options={t.statuses}
          value={status ?? ''}
          onChange={(value) => setQuery({ status: value })}
        />
        <SelectField
          name="installed"
          label={t.wallet}
          options={t.wallets}
          value={installed === undefined ? '' : String(installed)}
          onChange={(value) => setQuery({ installed: value })}
        />
        <DayFields />
      </search>
      {filters.partnerId !== undefined && (
        <p>
          {t.ofPartner}{' '}
          <button type="button" class="link" onClick={() => setQuery({ partnerId: null })}>
            {t.ofAllPartners}
          </button>
        </p>
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
          {
            head: t.balance,
            kind: 'end',
            cell: ({ loyalty }) => (
              <span class="number">{loyalty === null ? '–' : formatNumber(loyalty.balance)}</span>
            ),
          },
          { head: t.inWallet, cell: ({ wallets }) => <Wallets of={wallets} /> },
          { head: t.status, kind: 'short', cell: ({ status: its }) => <CardStatus status={its} /> },
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

/** Between which days cards were issued. */
function DayFields() {
  const t = cards();
  const field = (name: string, label: string) => (
    <TextField
      key={name}
      name={name}
      type="date"
      label={label}
      value={dayIn(query.value.get(name), name)}
      // A year that is being typed is none yet.
      onInput={(day) => (day === '' || startOf(day) !== undefined) && setQuery({ [name]: day })}
    />
  );
  return (
    <>
      {field('from', t.issuedFrom)}
      {field('to', t.issuedTo)}
    </>
  );
}

/** Calls it when nothing was typed for a moment, and no more once another page is open. */
function useSoon(act: (text: string) => void): (text: string) => void {
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return (text) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => act(text), 250);
  };
}

function Holder({ of: { instanceId, holder, barcode } }: { readonly of: Instance }) {
  const t = cards();
  const { name, email, phone, identifier } = holder ?? {};
  const first = name ?? email ?? phone ?? identifier ?? t.unnamed;
  const second = [email, identifier, barcode].find((one) => one != null && one !== first);
  return (
    <span class="who-has">
      <a href={`/console/cards/${instanceId}`} dir="auto">
        {first}
      </a>
      {second != null && <span class="soft small">{second}</span>}
    </span>
  );
}

export function Wallets({ of: { apple, google, web } }: { readonly of: Instance['wallets'] }) {
  const t = cards();
  return <span>{t.installed(apple, google, web) || t.inNone}</span>;
}

export function CardStatus({ status }: { readonly status: Instance['status'] }) {
  const t = cards();
  return status === 'active' ? <Badge kind="good">{t.valid}</Badge> : <Badge kind="alert">{t.voided}</Badge>;
}
