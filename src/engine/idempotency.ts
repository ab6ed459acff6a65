import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import {
  type Claim,
  hideClaims,
  type KeptAnswer,
  keptAnswers,
  type NewAnswer,
  saveAnswers,
} from '../kit/db/claims.ts';
import type { Database, Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { ApiError, invalidAs } from '../kit/http/api-error.ts';
import type { Answer, Input } from '../kit/http/endpoints/endpoint.ts';
import { idempotencyKeyPattern } from '../kit/http/schemas/text-patterns.ts';
import { lockRankOf } from './lock-order.ts';

/** What a caller is answered, before it is written. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer under an idempotency key: each repeat gets the same bytes. */
export class Answered<A extends PlainAnswer> {
  readonly status: A['status'];
  /** The body as it was written the first time. */
  readonly json: string;
  readonly isReplay: boolean;

  constructor(status: A['status'], json: string, isReplay: boolean) {
    this.status = status;
    this.json = json;
    this.isReplay = isReplay;
  }

  /** The body as a value. */
  get body(): A['body'] {
    return JSON.parse(this.json);
  }

  toAnswer(): Answer {
    return {
      status: this.status,
      body: this.json,
      headers: this.isReplay ? { 'idempotent-replayed': 'true' } : {},
    };
  }
}

const isKey = new RegExp(idempotencyKeyPattern);

/** How kept answers are written: sealed where they hold a secret. */
interface AnswerCodec {
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}

/** Answers without a secret. */
const plaintext: AnswerCodec = { seal: (text) => text, open: (text) => text };

/** Whether an earlier call with the key left an answer, so that there is nothing to prepare. */
export async function isKept(
  { db, keyHash }: Pick<Database, 'db' | 'keyHash'>,
  workspaceId: string,
  operation: string,
  key: string | null,
): Promise<boolean> {
  return key !== null && (await keptAnswers(db, workspaceId, operation, [key], keyHash)).size > 0;
}

interface OnceOptions {
  readonly codec?: AnswerCodec;
  /** Refuses a caller who may not see what a replay would show. */
  authorizeReplay?(tx: Tx): Promise<void>;
}

/**
 * Runs `effect` in one transaction that keeps its answer, or replays the answer that an earlier call left: the same status
 * and bytes. A refusal stands only where no other transaction has made the same call since.
 */
export async function once<A extends PlainAnswer>(
  database: Database,
  workspaceId: string,
  claim: Claim,
  { codec = plaintext, authorizeReplay }: OnceOptions,
  effect: (tx: Tx) => Promise<A>,
): Promise<Answered<A>> {
  const context = `${workspaceId}/${claim.operation}/${claim.key}`;
  const again = (kept: KeptAnswer) =>
    replay(claim, { ...kept, body: codec.open(kept.body, context) }) as Answered<A>;
  let refused: unknown;
  try {
    return await database.transaction(async (tx) => {
      await authorizeReplay?.(tx);
      const known = await keptAnswers(tx, workspaceId, claim.operation, [claim.key], database.keyHash);
      const kept = known.get(claim.key);
      if (kept !== undefined) return again(kept);
      const fresh = await effect(tx).catch((error) => {
        refused = error;
        throw error;
      });
      const body = JSON.stringify(fresh.body);
      const answer = { ...claim, status: fresh.status, body: codec.seal(body, context) };
      keptClaims(tx, workspaceId).answered.push(answer);
      return new Answered<A>(fresh.status, body, false);
    });
  } catch (error) {
    if (error !== refused || !(error instanceof ApiError)) throw error;
    const kept = await database.transaction((tx) =>
      saveAnswers(tx, workspaceId, [], [claim], database.keyHash),
    );
    const answer = kept.get(claim.key);
    if (answer === undefined) throw error;
    return again(answer);
  }
}

/**
 * The same for a call whose body was read while it arrived, which may have taken long: the caller's key is asked for again.
 * Without an idempotency key nothing is kept.
 */
export async function onceArrived<A extends PlainAnswer>(
  ctx: KeyCtx,
  call: Pick<Claim, 'operation' | 'fingerprint'> & { readonly key: string | null },
  effect: (tx: Tx) => Promise<A>,
): Promise<Answered<A>> {
  const { database, askKeyAgain } = ctx.app;
  const authorizeReplay = async (tx: Tx) => void (await askKeyAgain.now(tx, ctx));
  if (call.key !== null) {
    const claim = { ...call, key: call.key, requestId: ctx.requestId };
    return once(database, ctx.workspaceId, claim, { authorizeReplay }, effect);
  }
  const { status, body } = await database.transaction((tx) => authorizeReplay(tx).then(() => effect(tx)));
  return new Answered<A>(status, JSON.stringify(body), false);
}

/** The kept answer; raises `external_ref_reused` for a key that was used for another effect. */
export function replay(claim: Claim, kept: KeptAnswer): Answered<PlainAnswer> {
  const { fingerprint } = claim;
  if (!kept.fingerprint.equals(kept.hidden?.(fingerprint) ?? fingerprint)) {
    // The log of requests keeps messages: what was hidden is not shown there.
    const named = kept.hidden === undefined ? `The key "${sentKey(claim)}"` : 'This key';
    throw refusal(
      'external_ref_reused',
      `${named} was used before for a different ${claim.operation}. Use a fresh externalRef or Idempotency-Key for a new effect.`,
    );
  }
  return new Answered(kept.status, kept.body, true);
}

/** What a unit of work keeps of the calls of one operation. */
interface KeptClaims {
  workspaceId: string;
  /** They are about a card whose callers' words were erased. */
  areHidden: boolean;
  readonly answered: NewAnswer[];
  /** Calls that were refused, and what is called where another transaction has made the same call since. */
  readonly refused: { readonly claim: Claim; overtaken(kept: KeptAnswer): void }[];
}

const deferred: DeferredWrite<KeptClaims> = {
  lockRank: lockRankOf('claims'),
  isFinal: ({ refused, areHidden }) => refused.length === 0 && !areHidden,
  empty: () => ({ workspaceId: '', areHidden: false, answered: [], refused: [] }),
  async write(tx, { workspaceId, areHidden, answered, refused }) {
    const { keyHash } = tx.unit;
    const own = new Set(answered.map(({ key }) => key));
    const others = new Map(refused.map(({ claim }) => [claim.key, claim]));
    const claims = [...others.values()].filter(({ key }) => !own.has(key));
    const kept = await saveAnswers(tx, workspaceId, answered, claims, keyHash);
    if (areHidden && keyHash !== undefined) await hideClaims(tx, workspaceId, answered, keyHash);
    for (const { claim, overtaken } of refused) {
      const answer = kept.get(claim.key);
      if (answer !== undefined) overtaken(answer);
    }
  },
};

/** What is kept at the end of the unit: the answers of an operation's calls, and which of them were refused. */
export function keptClaims(tx: Tx, workspaceId: string): KeptClaims {
  return Object.assign(tx.unit.of(deferred), { workspaceId });
}

/** Hides the keys of the calls of this unit: one of them is about a card that was erased. */
export function hideOwnKeys(tx: Tx): void {
  tx.unit.of(deferred).areHidden = true;
}

/** The caller's key: externalRef of the body, or the Idempotency-Key header. */
export function idempotencyKey(input: Input): string | null {
  const header = input.headers['idempotency-key'];
  const ref = hasRef(input.body) ? input.body.externalRef : undefined;
  if (header !== undefined && !isKey.test(header)) {
    throw invalidAs(
      'pattern',
      'Send one Idempotency-Key header, of 1 to 255 printable ASCII characters without a comma.',
      { path: 'Idempotency-Key', part: 'header' },
    );
  }
  if (header !== undefined && ref !== undefined && header !== ref) {
    throw invalidAs(
      'other',
      'Idempotency-Key and externalRef differ: send one of them, or the same value in both.',
      { path: 'Idempotency-Key', part: 'header' },
    );
  }
  return ref ?? header ?? null;
}

/**
 * The key of an item that has none of its own: the request's, and its place. Apart from every key that a caller can
 * choose: those hold no tab.
 */
export function keyAt(op: string, key: string | null, at: number): string | null {
  return key === null ? null : `${op}\t${key}\t${at}`;
}

/** A key as its caller has sent it, which is a part of one that was made of it. */
function sentKey({ operation, key }: Claim): string {
  return key.split('\t')[placeOfSent[operation] ?? 1] ?? key;
}

/** Position of the number where it is not second: in a line it is last, in a refund it follows the number of the order. */
const placeOfSent: Readonly<Record<string, number>> = { importBalances: 0, refundOrder: 2 };

/** What the effect of a request depends on, unless its operation knows better: path and body without the key. */
export function effectOf({ params, body }: Input): unknown {
  if (!hasRef(body)) return [params, body];
  const { externalRef: _, ...rest } = body;
  return [params, rest];
}

function hasRef(body: unknown): body is { externalRef: string } {
  return (
    typeof body === 'object' && body !== null && 'externalRef' in body && typeof body.externalRef === 'string'
  );
}
