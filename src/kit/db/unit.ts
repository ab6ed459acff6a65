import type { Transaction } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import type { KeyedHash } from '../crypto/at-rest.ts';
import { allEnded } from '../promises.ts';

/** Writes: every function that changes rows takes a transaction, with what it leaves to its end. */
export type Tx = Transaction<Schema> & { readonly unit: Unit };

/**
 * Something that is written at the end of transactions, together with all that was added to it. All deferred writes have
 * one order, which is the order of their locks: no two transactions can block each other by them.
 */
export interface DeferredWrite<State> {
  /** Its position in that order. */
  readonly lockRank: number;
  /**
   * It leaves with COMMIT, behind all others: for rows that nearly every transaction of a tenant locks. No client holds them
   * while it thinks.
   */
  readonly isLast?: true;
  /** Returns the empty state. */
  empty(): State;
  /**
   * Sends its statements before it awaits the first of them, in the order of their locks: all deferred writes leave in
   * one network write. An error that it raises ends the transaction.
   */
  write(tx: Tx, state: State): Promise<void>;
}

/** What a transaction leaves to its end, and to the time after its commit. */
export class Unit {
  /** That of its database. */
  keyHash: KeyedHash | undefined;
  /** Of a part of a transaction: what goes back to a savepoint would undo the work of others. */
  isPart = false;
  readonly #deferred = new Map<DeferredWrite<unknown>, unknown>();
  readonly #effects = new Map<string, () => void>();
  readonly #parts: Tx[] = [];

  /** Returns the state of a deferred write so far; the caller adds to it. */
  of<State>(deferred: DeferredWrite<State>): State {
    const key = deferred as DeferredWrite<unknown>;
    if (!this.#deferred.has(key)) this.#deferred.set(key, deferred.empty());
    return this.#deferred.get(key) as State;
  }

  /** Calls `effect` after the commit only; of several with one name, the last. It must not fail. */
  afterCommit(name: string, effect: () => void): void {
    this.#effects.set(name, effect);
  }

  /** Ends with this one: a part of the transaction, which has a unit of its own. */
  add(part: Tx): void {
    part.unit.isPart = true;
    this.#parts.push(part);
  }

  /** Drops deferred writes and effects: the transaction continues as if nothing had been left to its end. */
  reset(): void {
    this.#deferred.clear();
    this.#effects.clear();
  }

  /**
   * Writes what was deferred so far, and what these writes add to later ones when they learn what they have written.
   * More may be deferred afterwards. What is to be last is left.
   */
  async end(tx: Tx): Promise<void> {
    for (let writes = this.#take(tx, false); writes.length > 0; writes = this.#take(tx, false)) {
      writes.sort((one, other) => one.deferred.lockRank - other.deferred.lockRank);
      // Not one is under way any longer when an error ends the transaction.
      await allEnded(writes.map(({ deferred, state, part }) => deferred.write(part, state)));
    }
  }

  /** Sends what is to be last. All of it is sent when this returns: COMMIT follows in the same write. */
  async endLast(tx: Tx): Promise<void> {
    await allEnded(this.#take(tx, true).map(({ deferred, state, part }) => deferred.write(part, state)));
  }

  #take(tx: Tx, isLast: boolean): { deferred: DeferredWrite<unknown>; state: unknown; part: Tx }[] {
    const own = [...this.#deferred]
      .filter(([deferred]) => (deferred.isLast === true) === isLast)
      .map(([deferred, state]) => ({ deferred, state, part: tx }));
    for (const { deferred } of own) this.#deferred.delete(deferred);
    return [...own, ...this.#parts.flatMap((part) => part.unit.#take(part, isLast))];
  }

  /** The transaction is committed. */
  committed(): void {
    for (const effect of this.#effects.values()) effect();
    for (const { unit } of this.#parts) unit.committed();
  }
}
