import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { dayIn, startOf } from '../../shared/days.ts';
import { SelectField, TextField } from '../../shared/field.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { cards } from '../../texts/cards.ts';

/** Filters of cards as they are in the address. */
export function readFilters() {
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

/** Search first; what is rarely filtered by is behind a button, which says how much of it is set. */
export function CardFilters({ pass, all }: { readonly pass: Pass; readonly all: readonly Pass[] }) {
  const t = cards();
  const panel = useId();
  const { q, status, installed } = readFilters();
  const set = ['status', 'installed', 'from', 'to'].filter((name) => query.value.has(name)).length;
  const [isOpen, setOpen] = useState(set > 0);
  const search = useSoon((text) => setQuery({ q: text.trim() }));
  return (
    <search class="stack close">
      <div class="list-search">
        <TextField
          name="q"
          type="search"
          label={t.search}
          placeholder={t.searchHint}
          {...(q && { value: q })}
          onInput={search}
        />
        <SelectField
          name="passId"
          label={t.pass}
          options={Object.fromEntries(all.map(({ passId, title }) => [passId, title]))}
          value={pass.passId}
          onChange={(passId) => setQuery({ passId })}
        />
        <Button
          kind="quiet"
          icon={isOpen ? 'up' : 'down'}
          opens={{ id: panel, isOpen }}
          onClick={() => setOpen(!isOpen)}
        >
          {set === 0 ? t.filters : t.filtersSet(set)}
        </Button>
      </div>
      {isOpen && (
        <div class="filters" id={panel}>
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
          <DayField name="from" label={t.issuedFrom} />
          <DayField name="to" label={t.issuedTo} />
        </div>
      )}
    </search>
  );
}

function DayField({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <TextField
      name={name}
      type="date"
      label={label}
      value={dayIn(query.value.get(name), name)}
      // A year that is being typed is none yet.
      onInput={(day) => (day === '' || startOf(day) !== undefined) && setQuery({ [name]: day })}
    />
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
