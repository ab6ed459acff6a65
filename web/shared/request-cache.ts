/** What was asked for, as far as it is there. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

/** What is asked for, the resource first: `['passes', passId]`. The same key means the same answer, so it contains all that decides it. */
export type Key = readonly unknown[];

type Load = (options: { readonly signal: AbortSignal }) => Promise<unknown>;

/** How long an answer lives once no component shows it, in milliseconds since it came. */
interface Life {
  /** Shown without being asked for again. */
  readonly keptMs?: number;
  /** Shown at once, while it is asked for again. */
  readonly staleMs?: number;
}

interface Entry {
  readonly key: readonly string[];
  readonly load: Load;
  readonly life: Life;
  readonly readers: Set<() => void>;
  answer: Answer;
  loadedAt: number;
  request: AbortController | null;
}

const unasked: Answer = { isLoading: true };

/**
 * Answers, which are JSON, by key, so that all who show the same data share a request. An answer lives as long as a component shows it, and
 * then as its `Life` says. All are of one scope, such as a workspace.
 */
export class RequestCache {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  #scope = '';

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Forgets the answers of another scope, and gives up what is still being asked for. */
  enter(scope: string): void {
    if (scope === this.#scope) return;
    this.#scope = scope;
    for (const entry of this.#entries.values()) entry.request?.abort();
    this.#entries.clear();
  }

  /** What is known, without asking. */
  answerOf(key: Key): Answer {
    return this.#current(key)?.answer ?? unasked;
  }

  /** Asks unless that is done, and calls `changed` now and at each new answer. The returned function ends that. */
  watch(key: Key, load: Load, changed: () => void, life: Life = {}): () => void {
    const known = this.#current(key);
    const entry = known ?? {
      ...{ key: key.map(written), load, life, readers: new Set(), answer: unasked },
      ...{ loadedAt: Number.NEGATIVE_INFINITY, request: null },
    };
    this.#entries.set(written(key), entry);
    const isStale = entry.readers.size === 0 && !this.#isWithin(entry, entry.life.keptMs);
    entry.readers.add(changed);
    if (isStale) this.#ask(entry);
    else changed();
    return () => {
      entry.readers.delete(changed);
      if (entry.readers.size > 0) return;
      entry.request?.abort();
      const { value, error, isLoading } = entry.answer;
      if (isLoading && value !== undefined && error === undefined) entry.answer = { value, isLoading: false };
      this.#dropOld();
    };
  }

  /** Takes this for the answer, and a request that is under way for outdated. */
  set(key: Key, value: unknown): void {
    const entry = this.#current(key);
    if (entry === undefined) return;
    entry.request?.abort();
    this.#answer(entry, { value, isLoading: false });
  }

  /** Asks again for this alone. */
  reload(key: Key): void {
    const entry = this.#entries.get(written(key));
    if (entry !== undefined) this.#ask(entry);
  }

  /** Asks again for everything whose key begins like this and that a component shows; the rest is dropped. */
  invalidate(beginning: Key): void {
    for (const [id, entry] of [...this.#entries]) {
      if (!beginning.every((part, at) => written(part) === entry.key[at])) continue;
      if (entry.readers.size > 0) this.#ask(entry);
      else this.#entries.delete(id);
    }
  }

  #current(key: Key): Entry | undefined {
    const entry = this.#entries.get(written(key));
    return entry !== undefined && this.#isAlive(entry) ? entry : undefined;
  }

  #isAlive(entry: Entry): boolean {
    const { keptMs = 0, staleMs = 0 } = entry.life;
    return entry.readers.size > 0 || this.#isWithin(entry, Math.max(keptMs, staleMs));
  }

  #isWithin({ answer, loadedAt }: Entry, ms = 0): boolean {
    return !answer.isLoading && answer.error === undefined && this.#now() - loadedAt < ms;
  }

  #dropOld(): void {
    for (const [id, entry] of [...this.#entries]) if (!this.#isAlive(entry)) this.#entries.delete(id);
  }

  #ask(entry: Entry): void {
    entry.request?.abort();
    const request = new AbortController();
    entry.request = request;
    const { value } = entry.answer;
    this.#show(entry, { value, isLoading: true });
    entry.load({ signal: request.signal }).then(
      (value) =>
        request.signal.aborted ||
        this.#answer(entry, { value: sameOr(entry.answer.value, value), isLoading: false }),
      (error: unknown) => request.signal.aborted || this.#answer(entry, { value, error, isLoading: false }),
    );
  }

  #answer(entry: Entry, answer: Answer): void {
    entry.request = null;
    entry.loadedAt = this.#now();
    this.#show(entry, answer);
  }

  #show(entry: Entry, answer: Answer): void {
    entry.answer = answer;
    for (const changed of [...entry.readers]) changed();
  }
}

/** What was there before, where it says the same: what is made of it stays, such as the pages after the first of a list. */
function sameOr(before: unknown, value: unknown): unknown {
  return JSON.stringify(before) === JSON.stringify(value) ? before : value;
}

function written(part: unknown): string {
  return JSON.stringify(part) ?? '';
}
