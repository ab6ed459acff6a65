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
   * It always leaves with COMMIT, behind all others: for rows that nearly every transaction of a tenant locks. No client holds
   * them while it thinks.
   */
  readonly isLast?: true;
  /**
   * Whether it may leave with COMMIT: its statements raise by themselves what must end the transaction, and it adds nothing to
   * other writes. Where all of a transaction's may, they do.
   */
  isFinal?(state: State): boolean;
  /** Returns the empty state. */
  empty(): State;
  /**
   * Sends its statements before it awaits the first of them, in the order of their locks: all deferred writes leave in
   * one network write. An error that it raises ends the transaction.
   */
  write(tx: Tx, state: State): Promise<void>;
}

/** A deferred write, and the part of the transaction that has left it. */
interface Left {
  readonly deferred: DeferredWrite<unknown>;
  readonly state: unknown;
  readonly part: Tx;
}

/** Writes that were sent. */
interface Sent {
  /** Raises what the first of them has raised, when all have been answered. */
  readonly answered: Promise<void>;
  /** Whether one has failed already. */
  readonly hasFailed: boolean;
}

/** In the order of their locks; those of parts stay in the order of the parts. */
function inOrder(one: Left, other: Left): number {
  return one.deferred.lockRank - other.deferred.lockRank;
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
      writes.sort(inOrder);
      // Not one is under way any longer when an error ends the transaction.
      await allEnded(writes.map(({ deferred, state, part }) => deferred.write(part, state)));
    }
  }

  /** The same with what is to be last: for a long transaction, which writes as it goes. */
  async endAll(tx: Tx): Promise<void> {
    await this.end(tx);
    await this.sendLast(tx).answered;
  }

  /** Whether all that is deferred may leave with COMMIT. */
  get isFinal(): boolean {
    const isFinal = ([deferred, state]: [DeferredWrite<unknown>, unknown]) =>
      deferred.isLast === true || deferred.isFinal?.(state) === true;
    return [...this.#deferred].every(isFinal) && this.#parts.every(({ unit }) => unit.isFinal);
  }

  /** Sends all that is left, in this turn: COMMIT may follow once all of its promises have had theirs. */
  sendLast(tx: Tx): Sent {
    const writes = this.#take(tx, true).sort(inOrder);
    const sent = { hasFailed: false, answered: Promise.resolve() };
    const all = writes.map(async ({ deferred, state, part }) => deferred.write(part, state));
    for (const each of all)
      each.catch(() => {
        sent.hasFailed = true;
      });
    sent.answered = allEnded(all).then(() => undefined);
    return sent;
  }

  #take(tx: Tx, withLast: boolean): Left[] {
    const own = [...this.#deferred]
      .filter(([deferred]) => withLast || deferred.isLast !== true)
      .map(([deferred, state]) => ({ deferred, state, part: tx }));
    for (const { deferred } of own) this.#deferred.delete(deferred);
    return [...own, ...this.#parts.flatMap((part) => part.unit.#take(part, withLast))];
  }

  /** The transaction is committed. */
  committed(): void {
    for (const effect of this.#effects.values()) effect();
    for (const { unit } of this.#parts) unit.committed();
  }
}
