import type { Transaction } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import type { KeyedHash } from '../crypto/at-rest.ts';

/** Writes: every function that changes rows takes a transaction, with what it leaves to its end. */
export type Tx = Transaction<Schema> & { readonly unit: Unit };

/**
 * Something that is written at the end of transactions, together with all that was added to it. All endings stand in one
 * order, which is the order of their locks: no two transactions can block each other by them.
 */
export interface Ending<State> {
  /** Its place in that order. */
  readonly place: number;
  /** What nothing was added to. */
  begin(): State;
  /**
   * Sends its statements before it awaits the first of them, in the order of their locks: all endings leave in one
   * write. What it raises ends the transaction.
   */
  write(tx: Tx, state: State): Promise<void>;
}

/** What a transaction leaves to its end, and to the time after its commit. */
export class Unit {
  /** That of its database. */
  keyHash: KeyedHash | undefined;
  readonly #endings = new Map<Ending<unknown>, unknown>();
  readonly #effects = new Map<string, () => void>();

  /** What was added to an ending so far; the caller adds to it. */
  of<State>(ending: Ending<State>): State {
    const key = ending as Ending<unknown>;
    if (!this.#endings.has(key)) this.#endings.set(key, ending.begin());
    return this.#endings.get(key) as State;
  }

  /** Calls `effect` after the commit, and never where there is none; of several with one name the last. It must not fail. */
  afterCommit(name: string, effect: () => void): void {
    this.#effects.set(name, effect);
  }

  /** What was to be written is undone: the transaction goes on as if nothing had been left to its end. */
  forget(): void {
    this.#endings.clear();
    this.#effects.clear();
  }

  /**
   * Writes what was left to the end so far, and what endings leave to those behind them when they learn what they have
   * written; more may be left to it afterwards.
   */
  async end(tx: Tx): Promise<void> {
    while (this.#endings.size > 0) {
      const endings = [...this.#endings].sort(([a], [b]) => a.place - b.place);
      this.#endings.clear();
      await Promise.all(endings.map(([ending, state]) => ending.write(tx, state)));
    }
  }

  /** The transaction is committed. */
  committed(): void {
    for (const effect of this.#effects.values()) effect();
  }
}
