import { signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCached } from '../../shared/cached.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { Icon } from '../../shared/icon.tsx';
import { LoadFailure, Skeleton } from '../../shared/notice.tsx';
import { navigate } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { find } from '../../texts/find.ts';
import { titleOf, usePasses } from '../passes/use-passes.ts';
import type { Found } from './find-all.ts';

const isOpen = signal(false);
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search: on every page, also by Ctrl or ⌘ with K. */
export function FindButton({ isSmall = false }: { readonly isSmall?: boolean }) {
  const t = find();
  if (!may('read')) return null;
  return (
    <button
      type="button"
      class={isSmall ? 'button plain' : 'open-find'}
      aria-label={isSmall ? t.open : undefined}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={() => {
        isOpen.value = true;
      }}
    >
      <Icon name="search" size={18} />
      {!isSmall && (
        <>
          {t.open}
          <span class="keys" aria-hidden="true">
            {isMac ? '⌘K' : 'Ctrl K'}
          </span>
        </>
      )}
    </button>
  );
}

/** The dialog, where it is open, and the keys that open it. */
export function Find() {
  useLayoutEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey) return;
      if (!(isMac ? event.metaKey : event.ctrlKey) || !may('read')) return;
      // Not over another dialog, whose form would be left behind.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      isOpen.value = true;
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  const close = () => {
    isOpen.value = false;
  };
  if (!isOpen.value) return null;
  return (
    <Dialog title={find().title} onClose={close}>
      <Search close={close} />
    </Dialog>
  );
}

/** A question follows the last letter by so much. */
const restMs = 150;

function Search({ close }: { readonly close: () => void }) {
  const t = find();
  const id = useId();
  const [typed, setTyped] = useState('');
  const text = useRested(typed.trim());
  const found = useCached(['instances', 'found', text], async (options) => {
    // On its way while the first letters are typed: what it knows of cards and orders is no part of the first load.
    const { findAll } = await import('./find-all.ts');
    return text === '' ? [] : findAll(text, options);
  });
  const [chosen, setChosen] = useState(0);
  const isCurrent = text === typed.trim() && !found.isLoading;
  const isAsked = text !== '';
  const items = isAsked ? (found.value ?? []) : [];
  const isAnswered = isAsked && isCurrent && found.error === undefined;
  const at = Math.min(chosen, items.length - 1);
  const go = (item: Found | undefined) => {
    if (item === undefined) return;
    close();
    navigate(item.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) setChosen((at + step + items.length) % items.length);
    // The first result of what was typed before may be another person.
    else if (event.key === 'Enter') isCurrent && go(items[at]);
    else return;
    event.preventDefault();
  };
  // Its list is the one below, not a datalist.
  const combobox = {
    role: 'combobox',
    list: undefined,
    'aria-expanded': items.length > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': items.length > 0 ? `${id}-${at}` : undefined,
  } as const;
  return (
    <div class="find-people">
      <div class="field">
        <label for={id}>{t.label}</label>
        <input
          id={id}
          type="search"
          {...combobox}
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setChosen(0);
          }}
        />
        <p class="hint">{t.hint}</p>
      </div>
      <div class="found" aria-busy={!isCurrent}>
        {isAsked && found.value === undefined && found.error === undefined && (
          <Skeleton lines={3} height={2.5} />
        )}
        {isAsked && found.error !== undefined && <LoadFailure error={found.error} retry={found.reload} />}
        <Results id={id} items={items} at={at} choose={setChosen} go={go} />
        <p class={isAnswered && items.length === 0 ? 'soft' : 'unseen'} role="status">
          {isAnswered && t.count(items.length)}
        </p>
      </div>
    </div>
  );
}

function Results({
  id,
  items,
  at,
  choose,
  go,
}: {
  readonly id: string;
  readonly items: readonly Found[];
  readonly at: number;
  readonly choose: (at: number) => void;
  readonly go: (item: Found) => void;
}) {
  const t = find();
  const passes = usePasses();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div class="results" role="listbox" id={`${id}-list`} aria-label={t.results} ref={list}>
      {items.map((item, place) => (
        <button
          type="button"
          key={item.href}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          onMouseMove={() => choose(place)}
          onClick={() => go(item)}
        >
          <Icon name={item.icon} size={18} />
          <span class="who-has">
            <span dir="auto">{item.title}</span>
            <span class="soft small" dir="auto">
              {[
                item.passId !== undefined && titleOf(passes, item.passId),
                item.isVoid && t.voided,
                ...item.more,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          {item.figure !== undefined && <span class="number">{item.figure}</span>}
        </button>
      ))}
    </div>
  );
}

/** The text once nothing was typed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), text === '' ? 0 : restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
