import { computed, effect } from '@preact/signals';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions } from '../../sdk/typescript/src/core/options.ts';
import type { List } from '../../sdk/typescript/src/core/pages.ts';
import type { Loaded } from './data.ts';
import type { Pages } from './pages.ts';
import { type Key, RequestCache } from './request-cache.ts';
import { session, workspaceId } from './session.ts';

/** Nothing of one workspace, or of one person, is shown to another. A new sign-in of the same person changes neither. */
const scope = computed(() => `${session.value?.person.personId} ${workspaceId.value}`);
const cache = new RequestCache();
effect(() => cache.enter(scope.value));

/** The time that a list of names for other pages, such as the titles of passes, counts as fresh. */
export const namesKeptMs = 60_000;

/** The time that the main pages show what they showed before, when one comes back to them and they ask again. */
export const pageStaleMs = 600_000;

/** After a change: asks again for everything shown whose key begins like this. */
export function invalidate(...beginnings: readonly Key[]): void {
  for (const beginning of beginnings) cache.invalidate([scope.value, ...beginning]);
}

/** Loads what the key names while it is shown, once for all that show it. What is shown stays until a newer answer is there. */
export function useCached<T>(
  key: Key,
  load: (options: CallOptions) => Promise<T>,
  life: { readonly keptMs?: number; readonly staleMs?: number } = {},
): Loaded<T> {
  const [, show] = useState(0);
  const within = scope.value;
  const id = JSON.stringify([within, ...key]);
  const scoped: Key = [within, ...key];
  const latest = useRef({ load, scoped });
  latest.current = { load, scoped };
  useEffect(
    () =>
      cache.watch(
        scoped,
        (options) => latest.current.load(options),
        () => show((count) => count + 1),
        life,
      ),
    [id],
  );
  const reload = useCallback(() => cache.reload(latest.current.scoped), []);
  const set = useCallback((value: T) => cache.set(latest.current.scoped, value), []);
  const { value, error, isLoading } = cache.answerOf(scoped);
  // With other filters, what was shown before stays until the answer is there.
  const shown = useRef<{ within: string; value: unknown }>({ within, value: undefined });
  if (value !== undefined || shown.current.within !== within) shown.current = { within, value };
  // All who use a key load the same.
  return { value: shown.current.value as T | undefined, error, isLoading, reload, set };
}

interface Later<T> {
  /** The first page that these continue: they end with it. */
  readonly after: unknown;
  readonly items: readonly T[];
  readonly cursor: string | null;
  readonly error?: unknown;
}

/** Reads a list page by page, and from its beginning with another key. */
export function usePages<T>(
  key: Key,
  list: (options: CallOptions) => List<T>,
  life: { readonly staleMs?: number } = {},
): Pages<T> {
  const first = useCached([...key, 'pages'], (options) => list(options).page(), life);
  const [read, setRead] = useState<Later<T> | null>(null);
  const [isReading, setReading] = useState(false);
  const begun = first.value;
  const shown = useRef(begun);
  shown.current = begun;
  const later = read?.after === begun ? read : null;
  const cursor = later === null ? (begun?.nextCursor ?? null) : later.cursor;
  const more = () => {
    if (isReading || cursor === null || begun === undefined) return;
    const items = later?.items ?? [];
    setReading(true);
    setRead({ after: begun, items, cursor });
    list({})
      .page(cursor)
      .then(
        ({ data, nextCursor }) => {
          // The list may have been reloaded since.
          if (shown.current === begun)
            setRead({ after: begun, items: [...items, ...data], cursor: nextCursor });
        },
        (error: unknown) => setRead({ after: begun, items, cursor, error }),
      )
      .finally(() => setReading(false));
  };
  return {
    items: begun && [...begun.data, ...(later?.items ?? [])],
    error: first.error ?? later?.error,
    isLoading: first.isLoading || isReading,
    more: cursor === null ? undefined : more,
    reload: first.reload,
  };
}
