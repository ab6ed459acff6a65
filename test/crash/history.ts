import type { Reply } from '../client.ts';
import { pick, type Random } from '../ledger/random.ts';
import type { Call } from './calls.ts';

/** What was promised and did not hold. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
  /** What happened to the call that it is about. */
  readonly history: readonly string[];
}

export type ViolationKind =
  /** An effect is there twice. */
  | 'doubled'
  /** Something acknowledged is not there, or not as it was acknowledged. */
  | 'lost'
  /** Something is there that was refused, or that no client has an answer for. */
  | 'unasked'
  /** A repeat was answered otherwise than the first call. */
  | 'replay'
  /** An answer that a client could not go by. */
  | 'answer'
  /** No definite answer although the faults are over, or something that waits for ever. */
  | 'stuck'
  /** A process ended by itself. */
  | 'died'
  /** The books do not agree with each other. */
  | 'books';

/** A definite answer. */
export interface Acknowledged {
  readonly call: Call;
  readonly status: number;
  readonly text: string;
}

interface Life {
  readonly attempts: string[];
  answer: Acknowledged | null;
  wasRefused: boolean;
  wasUnknown: boolean;
  replays: number;
}

/** The calls of the clients and their answers. */
export class History {
  readonly violations: Violation[] = [];
  readonly #lives = new Map<string, Life>();
  readonly #began = performance.now();
  /** The newest entries that can be undone. */
  readonly #entries: string[] = [];
  /** The newest answers. */
  readonly #latest: Acknowledged[] = [];
  /** How many definite answers there were, repeats included. */
  answerCount = 0;

  /** Records the outcome of one attempt, in a few words. */
  note(call: Call, way: string, outcome: string): void {
    this.#life(call).attempts.push(`${this.#seconds()} ${way}: ${outcome}`);
  }

  /** Records an attempt without a known outcome. */
  unknown(call: Call): void {
    this.#life(call).wasUnknown = true;
  }

  /** Each answer to a call must be, byte for byte, the first one. */
  acknowledged(call: Call, { status, text, body }: Reply): void {
    const life = this.#life(call);
    this.answerCount++;
    if (life.answer !== null) {
      life.replays++;
      if (life.answer.status !== status || life.answer.text !== text)
        this.violate('replay', `${nameOf(call)}: first ${life.answer.text}, then ${text}`, call);
      return;
    }
    life.answer = { call, status, text };
    this.#latest.push(life.answer);
    if (this.#latest.length > 500) this.#latest.shift();
    if (call.operation === 'earnPoints' || call.operation === 'redeemReward') {
      this.#entries.push(body.entryId);
      if (this.#entries.length > 100) this.#entries.shift();
    }
  }

  refused(call: Call, { text }: Reply): void {
    const life = this.#life(call);
    this.answerCount++;
    life.wasRefused = true;
    if (life.answer !== null)
      this.violate('replay', `${nameOf(call)} was done, and is refused: ${text}`, call);
  }

  violate(kind: ViolationKind, what: string, about: Call | string | null = null): void {
    const name = typeof about === 'string' ? about : about === null ? '' : nameOf(about);
    this.violations.push({ kind, what, history: this.#lives.get(name)?.attempts ?? [] });
  }

  get answers(): readonly Acknowledged[] {
    return [...this.#lives.values()].flatMap(({ answer }) => answer ?? []);
  }

  get latest(): readonly Acknowledged[] {
    return [...this.#latest];
  }

  get acknowledgements(): number {
    return this.#count(({ answer }) => answer !== null);
  }

  /** Calls that were refused and never done: a repeat by another client may have found more points. */
  get refusals(): number {
    return this.#count(({ wasRefused, answer }) => wasRefused && answer === null);
  }

  wasRefused(name: string): boolean {
    return this.#lives.get(name)?.wasRefused === true;
  }

  /** Calls that were at some time unknown and have a definite answer. */
  get resolved(): number {
    return this.#count(({ wasUnknown, answer, wasRefused }) => wasUnknown && (answer !== null || wasRefused));
  }

  /** Repeats of what was acknowledged. */
  get replays(): number {
    return [...this.#lives.values()].reduce((sum, { replays }) => sum + replays, 0);
  }

  someEntry(random: Random): string | undefined {
    return this.#entries.length === 0 ? undefined : pick(random, this.#entries);
  }

  #count(holds: (life: Life) => boolean): number {
    return [...this.#lives.values()].filter(holds).length;
  }

  #life(call: Call): Life {
    const name = nameOf(call);
    const known = this.#lives.get(name);
    if (known !== undefined) return known;
    const life: Life = { attempts: [], answer: null, wasRefused: false, wasUnknown: false, replays: 0 };
    this.#lives.set(name, life);
    return life;
  }

  #seconds(): string {
    return `${((performance.now() - this.#began) / 1_000).toFixed(3)} s`;
  }
}

/** The one name of a call, and of its effect in the database. */
export function nameOf({ operation, ref }: Pick<Call, 'operation' | 'ref'>): string {
  return `${operation} ${ref}`;
}
