import { PunchcardError } from '../../../sdk/typescript/src/core/punchcard-error.ts';
import type { TillApi } from '../api.ts';
import { callAward, callUndo, isLate, mustRest } from './award-call.ts';
import { type AwardChange, addAward, changeAward, listAwards, trimAwards } from './award-store.ts';
import type { Database } from './database.ts';
import type { DeviceClock } from './device-clock.ts';
import {
  type Arrived,
  type EnteredAward,
  type Enterer,
  isOpen,
  nextToSend,
  type QueuedAward,
} from './entry.ts';
import { verdictOf, waitMs } from './retry-rules.ts';

/** Why nothing is sent at the moment. */
export type Pause = 'offline' | 'busy' | 'sign_in';

/** What the queue needs of the page. */
export interface QueueOptions {
  readonly database: Database;
  readonly api: TillApi;
  readonly clock: DeviceClock;
  /** Who is signed in, as far as the page knows. */
  who(): Enterer | null;
  /** Asks the service who is signed in, and informs the page; raises what the API refuses. */
  askWho(): Promise<Headers>;
  /** The only card that the readings of a code lead to. */
  findFurther(award: EnteredAward): Promise<Pick<EnteredAward, 'passId' | 'card'> | undefined>;
  /** Does it while no other tab does. */
  exclusively<R>(act: () => Promise<R>): Promise<R>;
  /** Called whenever an award has changed, or the pause. */
  changed(): void;
}

/** The immediate outcome of an award. */
export type Outcome =
  | { readonly kind: 'arrived'; readonly arrived: Arrived }
  | { readonly kind: 'waiting'; readonly seq: number };

/** The till waits no longer than this; after it the award is sent in the background. */
const timeoutMs = 5_000;

/** Keeps awards until the ledger has them, and sends them in the order of entering, card by card. */
export class AwardQueue {
  /** Why nothing is sent; null while nothing prevents it. */
  pause: Pause | null = null;
  readonly #options: QueueOptions;
  /** Those that the service wants later, and until when by the steady clock. */
  readonly #later = new Map<number, { failures: number; until: number }>();
  #failures = 0;
  #restUntil = 0;
  /** Whether the service itself has asked for the rest. */
  #isAsked = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round: Promise<void> | null = null;
  #runAgain = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Keeps an award, then sends it. Without an answer in time it waits; what the service refuses during the wait is
   * raised and forgotten.
   */
  async enter(entered: EnteredAward, by: Enterer): Promise<Outcome> {
    const { database, clock } = this.#options;
    const stamp = clock.stamp();
    const draft = { ...entered, ...by, stamp, state: 'waiting', undo: false } as const;
    const { seq } = await addAward(database, draft);
    this.#options.changed();
    // The person at the till wants to know now; but what the service has asked for is kept.
    const sending = this.send({ isUrgent: true });
    await Promise.race([sending, timeout()]);
    // An outcome during the wait is shown at once, and is not added to the list.
    let ended: QueuedAward | undefined;
    await this.#change(seq, (award) => {
      if (award.state !== 'refused' && (award.state !== 'sent' || award.undo)) return undefined;
      ended = award;
      return null;
    });
    const { refusal, arrived } = ended ?? {};
    if (refusal !== undefined) throw new PunchcardError({ ...refusal, retryable: false });
    return arrived === undefined ? { kind: 'waiting', seq } : { kind: 'arrived', arrived };
  }

  /** Sends what can be sent. `isUrgent` does not wait for the end of a rest of our own, `isByHand` for none at all. */
  send({ isUrgent = false, isByHand = false } = {}): Promise<void> {
    if (isByHand) this.#later.clear();
    if (isByHand || (isUrgent && !this.#isAsked)) this.#restUntil = 0;
    if (this.#round !== null) {
      this.#runAgain = true;
      return this.#round;
    }
    this.#round = this.#rounds().finally(() => {
      this.#round = null;
    });
    return this.#round;
  }

  /** The same for no certain person. Where the browser has closed what it keeps, the next award finds that out. */
  sendSoon(options?: { readonly isUrgent: boolean }): void {
    this.send(options).catch(() => undefined);
  }

  /**
   * Undoes an award: one that has not left is forgotten, any other is reversed as soon as the ledger has it. Whether that has
   * happened.
   */
  async undo(seq: number): Promise<boolean> {
    await this.#change(seq, ({ state }) => {
      if (state === 'waiting') return null;
      return state === 'sending' || state === 'sent' ? { undo: true } : undefined;
    });
    await Promise.race([this.send({ isUrgent: true }), timeout()]);
    return (await listAwards(this.#options.database)).every((award) => award.seq !== seq);
  }

  /** Sends again what was refused: a member may have removed the cause. */
  async tryAgain(seq: number): Promise<void> {
    await this.#change(seq, ({ state, arrived }) => {
      if (state !== 'refused') return undefined;
      return arrived === undefined ? { state: 'waiting' } : { state: 'sent' };
    });
    await this.send({ isUrgent: true });
  }

  /** Gives what was refused to another card, under a reference of its own. The first one stays in sight as decided. */
  async give(award: QueuedAward, to: EnteredAward, by: Enterer, reason: string): Promise<void> {
    const { stamp, person, workspaceId, till } = award;
    const draft = { ...to, stamp, person, workspaceId, till, state: 'waiting', undo: false } as const;
    await addAward(this.#options.database, draft);
    await this.drop(award.seq, by, reason);
    await this.send({ isUrgent: true });
  }

  /** Decides against what was refused. It stays in sight, with who has decided, when and why. */
  async drop(seq: number, by: Enterer, reason: string): Promise<void> {
    const dropped = { by: by.person.name, at: Date.now(), reason };
    await this.#change(seq, (award) => (isOpen(award) ? undefined : { state: 'dropped', dropped }));
  }

  /** All awards that are kept, after those were forgotten that have ended long ago. */
  async list(): Promise<QueuedAward[]> {
    await trimAwards(this.#options.database, Date.now());
    return listAwards(this.#options.database);
  }

  async #rounds(): Promise<void> {
    do {
      this.#runAgain = false;
      clearTimeout(this.#timer);
      while (performance.now() >= this.#restUntil && (await this.#options.exclusively(() => this.#step())));
    } while (this.#runAgain && performance.now() >= this.#restUntil);
    this.#plan();
  }

  /** One award, or one undo; whether there may be more. */
  async #step(): Promise<boolean> {
    const by = this.#options.who();
    const awards = await listAwards(this.#options.database);
    if (by === null) {
      this.#setPause(awards.some(isOpen) ? 'sign_in' : null);
      return false;
    }
    const now = performance.now();
    const award = nextToSend(awards, by.workspaceId, ({ seq }) => (this.#later.get(seq)?.until ?? 0) > now);
    if (award === undefined) {
      this.#setPause(null);
      return false;
    }
    if (!navigator.onLine) {
      this.#setPause('offline');
      return false;
    }
    try {
      const isPutOff = award.state === 'sent' ? await this.#undo(award) : await this.#award(award, by);
      if (!isPutOff) this.#later.delete(award.seq);
      this.#failures = 0;
      this.#setPause(null);
      return true;
    } catch (error) {
      return this.#failed(award, error);
    }
  }

  /** Sends an award; whether it was put off. */
  async #award(award: QueuedAward, by: Enterer): Promise<boolean> {
    const { api, clock } = this.#options;
    let sender = by;
    if (isLate(award, { by, now: clock.read() })) {
      clock.learn(await this.#options.askWho());
      const there = this.#options.who();
      if (there?.workspaceId !== award.workspaceId) return false;
      sender = there;
      if (award.state === 'waiting' && (await mustRest(api, award))) {
        this.#putOff(award);
        return true;
      }
    }
    const isThere = await this.#change(award.seq, ({ state }) =>
      isSendable(state) ? { state: 'sending' } : undefined,
    );
    if (isThere === undefined || !isSendable(isThere.state)) return false;
    const sending = { by: sender, now: clock.read(), ahead: clock.ahead ?? award.stamp.ahead ?? 0 };
    const { arrived, headers } = await callAward(api, award, sending);
    clock.learn(headers);
    await this.#change(award.seq, () => ({ state: 'sent', arrived }));
    return false;
  }

  async #undo(award: QueuedAward): Promise<boolean> {
    if (award.arrived?.points !== 0)
      await callUndo(this.#options.api, award).catch((error) => {
        if (!(error instanceof PunchcardError && error.code === 'already_reversed')) throw error;
      });
    await this.#change(award.seq, () => null);
    return false;
  }

  /** The outcome of an award whose call has failed; whether others may be sent nevertheless. */
  async #failed(award: QueuedAward, error: unknown): Promise<boolean> {
    const verdict = verdictOf(error);
    const isAnswered =
      error instanceof PunchcardError && error.status !== 0 && error.code !== 'unexpected_answer';
    if (verdict.kind === 'refused') {
      const { refusal } = verdict;
      // No card has the code as it was read: then its further readings count, as they do with a network.
      if (refusal.code === 'instance_not_found' && award.state !== 'sent') {
        const named = await this.#options.findFurther(award).catch((other: Error) => other);
        if (named instanceof Error) return this.#failed(award, named);
        if (named !== undefined) {
          await this.#change(award.seq, () => ({ state: 'waiting', ...named }));
          return true;
        }
      }
      // An award that was withdrawn and that the service refuses is dropped.
      await this.#change(award.seq, ({ undo, state }) =>
        undo && state !== 'sent' ? null : { state: 'refused', refusal },
      );
      return true;
    }
    // After an answer it is known that nothing more than before has happened.
    if (isAnswered && award.state === 'waiting')
      await this.#change(award.seq, ({ state }) => (state === 'sending' ? { state: 'waiting' } : undefined));
    if (verdict.kind === 'later') {
      this.#putOff(award);
      return true;
    }
    if (verdict.kind === 'sign_in') {
      this.#setPause('sign_in');
      return false;
    }
    this.#failures += 1;
    this.#isAsked = verdict.afterMs !== null;
    this.#restUntil = performance.now() + waitMs(this.#failures, verdict.afterMs);
    this.#setPause(isAnswered ? 'busy' : 'offline');
    return false;
  }

  #putOff({ seq }: QueuedAward): void {
    const failures = (this.#later.get(seq)?.failures ?? 0) + 1;
    this.#later.set(seq, { failures, until: performance.now() + waitMs(failures, null) });
  }

  /** Begins the next round when the first rest is over. */
  #plan(): void {
    const now = performance.now();
    const ends = [this.#restUntil, ...[...this.#later.values()].map(({ until }) => until)].filter(
      (until) => until > now,
    );
    if (ends.length > 0) this.#timer = setTimeout(() => this.sendSoon(), Math.min(...ends) - now + 1);
  }

  async #change(
    seq: number,
    decide: (award: QueuedAward) => AwardChange | null | undefined,
  ): Promise<QueuedAward | undefined> {
    const award = await changeAward(this.#options.database, seq, decide);
    this.#options.changed();
    return award;
  }

  #setPause(pause: Pause | null): void {
    if (this.pause === pause) return;
    this.pause = pause;
    this.#options.changed();
  }
}

function timeout(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs));
}

function isSendable(state: QueuedAward['state']): boolean {
  return state === 'waiting' || state === 'sending';
}
