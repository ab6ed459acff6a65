import type { ActorCtx } from '../context.ts';
import { type Claim, type KeptAnswer, keptAnswers } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import type { WriteMany } from '../kit/db/group-commit.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { Answered, keptClaims, type PlainAnswer, replay } from './idempotency.ts';

/** One of many calls of an operation in one workspace that share a transaction. */
export interface BatchCall<Value = never, A extends PlainAnswer = PlainAnswer> {
  readonly ctx: ActorCtx;
  /** Its idempotency keys: a caller who repeats one of them gets the same answer. */
  readonly claims: readonly Claim[];
  /** Names that only one call of a round may have, besides its keys: the next call is to see the effect of the first. */
  readonly names: readonly string[];
  /** What the caller is answered. */
  present(value: Value): A;
}

/**
 * Says of a call that it has to see what others of its round have done. Where there is no other it goes back to its
 * caller, who looks at it anew.
 */
export const retryNextRound = Symbol('retryNextRound');

/** The outcome of a call: its answer, or its refusal. */
export type Outcome<A extends PlainAnswer = PlainAnswer> = Answered<A> | ApiError | typeof retryNextRound;

/**
 * An operation on many calls at once, without conflicts among them. Each has its own outcome: a refusal is a value and
 * never affects its neighbours. Calls of several workspaces may share a transaction, where a verb goes back to no savepoint
 * (`Unit.isPart`).
 */
export interface BatchVerb<Call extends BatchCall, Value, Loaded> {
  /**
   * Locks and reads what the calls name. It sends what it can before it awaits anything: the kept answers of the calls are
   * read in the same write.
   */
  load(tx: Tx, calls: readonly Call[]): Promise<Loaded>;
  /** Decides and saves, of those calls that were not made before. */
  settle(
    tx: Tx,
    calls: readonly Call[],
    loaded: Loaded,
  ): Promise<ReadonlyMap<Call, Value | ApiError | typeof retryNextRound>>;
}

/** Makes many calls of one lane in one transaction. */
export type Batch<Call> = WriteMany<Call, Outcome>;

/**
 * Runs the calls of one operation, round by round: those that name the same follow each other. A call whose key was used
 * before gets the answer that was kept; the answers of the others are kept with what they have changed.
 */
export function batchOf<Call extends BatchCall, Value, Loaded>(
  verb: BatchVerb<Call, Value, Loaded>,
): Batch<Call> {
  const batch = async (tx: Tx, _lane: string, calls: readonly Call[]) => {
    const run = new Run(tx, calls);
    for (let round = run.takeRound(); round.length > 0; round = run.takeRound()) {
      const [loaded, kept] = await Promise.all([verb.load(tx, round), run.readKept(round)]);
      const fresh = round.filter((call) => !run.replayKept(call, kept));
      if (fresh.length > 0) run.note(fresh, await verb.settle(tx, fresh, loaded));
      // The next round reads what this one has left to the end.
      if (run.hasMore) await tx.unit.end(tx);
    }
    return run.outcomes;
  };
  return Object.assign(batch, { isShareable: true });
}

/** Has a call made together with others of its lane that wait for the same transaction. Raises its refusal. */
export async function submit<Call extends BatchCall, A extends PlainAnswer>(
  ctx: ActorCtx,
  batch: Batch<Call>,
  lane: string,
  call: Call & { present(value: never): A },
): Promise<Answered<A>> {
  const outcome = await submitOnce(ctx, batch, lane, call);
  if (outcome === retryNextRound) throw new Error('a call was sent back that waits for no other');
  return outcome;
}

/** The same for calls that may have to be looked at anew: `retryNextRound` where this one has. */
export async function submitOnce<Call extends BatchCall, A extends PlainAnswer>(
  { app }: ActorCtx,
  batch: Batch<Call>,
  lane: string,
  call: Call & { present(value: never): A },
): Promise<Answered<A> | typeof retryNextRound> {
  const outcome = await app.groupCommit.write(batch, lane, call);
  if (outcome instanceof ApiError) throw outcome;
  return outcome as Answered<A> | typeof retryNextRound;
}

class Run<Call extends BatchCall> {
  /** In the order of the calls. */
  readonly outcomes: Outcome[] = [];
  readonly #tx: Tx;
  readonly #places: ReadonlyMap<Call, number>;
  #waiting: readonly Call[];
  /** The answers of this transaction, by key. */
  readonly #own = new Map<string, KeptAnswer>();

  constructor(tx: Tx, calls: readonly Call[]) {
    this.#tx = tx;
    this.#places = new Map(calls.map((call, place) => [call, place]));
    this.#waiting = calls;
  }

  /** Whether calls are left. */
  get hasMore(): boolean {
    return this.#waiting.length > 0;
  }

  /** The calls that wait for none before them, less those whose answer a call before them has got. */
  takeRound(): Call[] {
    const seen = new Set<string>();
    const round: Call[] = [];
    const later: Call[] = [];
    for (const call of this.#waiting) {
      if (this.replayKept(call, this.#own)) continue;
      const names = [...call.claims.map(({ key }) => `key ${key}`), ...call.names];
      (names.some((name) => seen.has(name)) ? later : round).push(call);
      for (const name of names) seen.add(name);
    }
    this.#waiting = later;
    return round;
  }

  async readKept(calls: readonly Call[]): Promise<Map<string, KeptAnswer>> {
    const claims = calls.flatMap((call) => call.claims);
    const [first] = calls;
    const [claim] = claims;
    if (first === undefined || claim === undefined) return new Map();
    const keys = claims.map(({ key }) => key);
    return keptAnswers(this.#tx, first.ctx.workspaceId, claim.operation, keys, this.#tx.unit.keyHash);
  }

  /** Answers a call of which a key was used before; false where none was. */
  replayKept(call: Call, kept: ReadonlyMap<string, KeptAnswer>): boolean {
    for (const claim of call.claims) {
      const answer = kept.get(claim.key);
      if (answer === undefined) continue;
      this.#set(
        call,
        catchRefusal(() => replay(claim, answer)),
      );
      return true;
    }
    return false;
  }

  /** Records the outcomes of the calls of a round. */
  note<Value>(
    calls: readonly Call[],
    results: ReadonlyMap<Call, Value | ApiError | typeof retryNextRound>,
  ): void {
    const waiting: Call[] = [];
    for (const call of calls) {
      const result = results.get(call);
      if (result === undefined) throw new Error('a call of a batch was left without a result');
      if (result === retryNextRound) waiting.push(call);
      else if (result instanceof ApiError) this.#refuse(call, result);
      else this.#answer(call, result);
    }
    if (waiting.length < calls.length) this.#waiting = [...waiting, ...this.#waiting];
    else for (const call of waiting) this.#set(call, retryNextRound);
  }

  #answer<Value>(call: Call, value: Value): void {
    const { status, body } = (call as unknown as BatchCall<Value>).present(value);
    const json = JSON.stringify(body);
    this.#set(call, new Answered(status, json, false));
    for (const claim of call.claims) {
      this.#own.set(claim.key, { fingerprint: claim.fingerprint, status, body: json });
      this.#claims(call).answered.push({ ...claim, status, body: json });
    }
  }

  /** A refusal stands only where no other transaction has made the same call since. */
  #refuse(call: Call, refusal: ApiError): void {
    this.#set(call, refusal);
    for (const claim of call.claims) {
      const overtaken = (kept: KeptAnswer) =>
        this.#set(
          call,
          catchRefusal(() => replay(claim, kept)),
        );
      this.#claims(call).refused.push({ claim, overtaken });
    }
  }

  #claims({ ctx }: Call) {
    return keptClaims(this.#tx, ctx.workspaceId);
  }

  #set(call: Call, outcome: Outcome): void {
    this.outcomes[this.#places.get(call) as number] = outcome;
  }
}
