import type { Static, TObject, TSchema } from 'typebox';
import type { KeyCtx, OperatorCtx, PublicCtx } from './context.ts';
import { refusal } from './errors.ts';
import { type Claim, fingerprintOf, keepAnswers, keptAnswers, takeClaims } from './kit/db/claims.ts';
import { CommitUnknown, isTransient, type Tx } from './kit/db/database.ts';
import { ApiError, invalidRequest } from './kit/http/api-error.ts';
import type { Answer, Endpoint, Input, MediaType } from './kit/http/endpoint.ts';
import { decodeId } from './kit/ids.ts';

type Answers = Readonly<Record<number, TSchema | MediaType | null>>;

/** An answer that fits one of the declared statuses and its schema. */
export type AnswerOf<A> = {
  [S in keyof A & number]: {
    readonly status: S;
    readonly body: A[S] extends TSchema ? Static<A[S]> : A[S] extends string ? string | Buffer : null;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof A & number];

/** An answer whose status stays a literal type, so that the compiler holds the body against its schema. */
export function answer<const S extends number, B>(
  status: S,
  body: B,
  headers: Readonly<Record<string, string>> = {},
) {
  return { status, body, headers };
}

type Typed<S> = S extends TSchema ? Static<S> : undefined;

interface TypedInput<P, Q, B> {
  readonly params: Typed<P>;
  readonly query: Typed<Q>;
  readonly body: Typed<B>;
  readonly headers: Input['headers'];
  /** The idempotency key of the effect, where the operation takes one. */
  readonly key: string | null;
}

interface Spec<P, Q, B, A> {
  readonly op: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly example?: unknown;
  readonly bodyLimit?: number;
  readonly answers: A;
  readonly errors?: Endpoint<unknown>['errors'];
  readonly page?: boolean;
}

interface ReadSpec<Ctx, P, Q, B, A> extends Spec<P, Q, B, A> {
  handle(ctx: Ctx, input: TypedInput<P, Q, B>): Promise<AnswerOf<A>>;
}

interface WriteSpec<Ctx, P, Q, B, A> extends Spec<P, Q, B, A> {
  /** Takes Idempotency-Key, and externalRef where the body has one. */
  readonly idempotent?: boolean;
  /** What the effect depends on, when that is not the whole of path and body. */
  effect?(input: TypedInput<P, Q, B>): unknown;
  /** The answer holds a secret: it is kept encrypted for replays. */
  readonly sealed?: boolean;
  /** Called after the commit, never after a refusal. */
  committed?(ctx: Ctx): void;
  /** Called inside the transaction that also holds the idempotency claim. */
  handle(tx: Tx, ctx: Ctx, input: TypedInput<P, Q, B>): Promise<AnswerOf<A>>;
}

/** An operation that changes nothing, or that brings its own transaction. */
export function endpoint<
  Ctx extends PublicCtx,
  const A extends Answers,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: ReadSpec<Ctx, P, Q, B, A> & { idempotent?: boolean }): Endpoint<Ctx> {
  return {
    ...described(spec),
    async handle(ctx, raw) {
      const key = spec.idempotent === true ? idempotencyKey(raw) : null;
      try {
        return (await spec.handle(ctx, { ...raw, key } as unknown as TypedInput<P, Q, B>)) as Answer;
      } catch (error) {
        throw asRefusal(error, spec.idempotent !== true || key !== null);
      }
    },
  };
}

/** An operation of a key's workspace that changes something: one transaction, claim first. */
export function writeEndpoint<
  const A extends Answers,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: WriteSpec<KeyCtx, P, Q, B, A>): Endpoint<KeyCtx> {
  return transactional(spec, (ctx) => ctx.workspaceId);
}

/** An operation of the operator that changes something. */
export function operatorWriteEndpoint<
  const A extends Answers,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
>(spec: WriteSpec<OperatorCtx, P, Q, B, A>): Endpoint<OperatorCtx> {
  return transactional(spec, (_ctx, { params }) => decodeId('ws', params.workspaceId ?? '') ?? installation);
}

/** Where the claims of the operator belong when the path names no workspace. */
const installation = '00000000-0000-0000-0000-000000000000';

function described<P, Q, B, A>(spec: Spec<P, Q, B, A> & { idempotent?: boolean }) {
  const {
    op,
    tag,
    summary,
    description,
    params,
    query,
    body,
    example,
    bodyLimit,
    answers,
    page,
    idempotent,
  } = spec;
  const fields = {
    op,
    tag,
    summary,
    description,
    params,
    query,
    body,
    example,
    bodyLimit,
    answers,
    page,
    idempotent,
  };
  return { ...fields, errors: spec.errors ?? [] } as unknown as Omit<Endpoint<never>, 'handle'>;
}

function transactional<Ctx extends PublicCtx, P, Q, B, A>(
  spec: WriteSpec<Ctx, P, Q, B, A>,
  scopeOf: (ctx: Ctx, input: Input) => string,
): Endpoint<Ctx> {
  return {
    ...described(spec),
    async handle(ctx, raw) {
      const key = spec.idempotent === true ? idempotencyKey(raw) : null;
      const input = { ...raw, key } as unknown as TypedInput<P, Q, B>;
      try {
        const result = await ctx.app.database.transaction(async (tx) => {
          if (key === null) return (await spec.handle(tx, ctx, input)) as Answer;
          const claim = {
            operation: spec.op,
            key,
            fingerprint: fingerprintOf(spec.effect?.(input) ?? [raw.params, withoutRef(raw.body)]),
            requestId: ctx.requestId,
          };
          return once(
            tx,
            scopeOf(ctx, raw),
            claim,
            spec.sealed === true ? ctx.app.box : plain,
            async () => (await spec.handle(tx, ctx, input)) as Answer,
          );
        });
        spec.committed?.(ctx);
        return result;
      } catch (error) {
        throw asRefusal(error, key !== null);
      }
    },
  };
}

/** How kept answers are written: sealed where they hold a secret. */
interface Keeping {
  seal(text: string, context: string): string;
  open(text: string, context: string): string;
}

const plain: Keeping = { seal: (text) => text, open: (text) => text };

/** Runs `effect` under its claim, or replays the answer that an earlier call left: the same status and bytes. */
async function once(
  tx: Tx,
  workspaceId: string,
  claim: Claim,
  keeping: Keeping,
  effect: () => Promise<Answer>,
): Promise<Answer> {
  const context = `${workspaceId}/${claim.operation}/${claim.key}`;
  const taken = await takeClaims(tx, workspaceId, [claim]);
  if (!taken.has(claim.key)) {
    const kept = (await keptAnswers(tx, workspaceId, claim.operation, [claim.key])).get(claim.key);
    if (kept === undefined) throw new Error('a committed claim has no answer');
    return replay(claim, { ...kept, body: keeping.open(kept.body, context) });
  }
  const fresh = await effect();
  const body = JSON.stringify(fresh.body);
  await keepAnswers(tx, workspaceId, claim.operation, [
    { key: claim.key, status: fresh.status, body: keeping.seal(body, context) },
  ]);
  return { ...fresh, body, headers: { ...fresh.headers, 'content-type': json } };
}

const json = 'application/json; charset=utf-8';

/** The kept answer, or the refusal of a key that was used for another effect. */
export function replay(claim: Claim, kept: { fingerprint: Buffer; status: number; body: string }): Answer {
  if (!kept.fingerprint.equals(claim.fingerprint)) {
    throw refusal(
      'external_ref_reused',
      `The key "${claim.key}" was used before for a different ${claim.operation}. Use a fresh externalRef or Idempotency-Key for a new effect.`,
    );
  }
  return {
    status: kept.status,
    body: kept.body,
    headers: { 'idempotent-replayed': 'true', 'content-type': json },
  };
}

/** The caller's key: externalRef of the body, or the Idempotency-Key header. */
export function idempotencyKey(input: Input): string | null {
  const header = input.headers['idempotency-key'];
  const ref = hasRef(input.body) ? input.body.externalRef : undefined;
  if (header !== undefined && !/^[\x20-\x7e]{1,255}$/.test(header)) {
    throw invalidRequest('The Idempotency-Key header must have 1 to 255 printable ASCII characters.');
  }
  if (header !== undefined && ref !== undefined && header !== ref) {
    throw invalidRequest(
      'Idempotency-Key and externalRef differ: send one of them, or the same value in both.',
    );
  }
  return ref ?? header ?? null;
}

function hasRef(body: unknown): body is { externalRef: string } {
  return (
    typeof body === 'object' && body !== null && 'externalRef' in body && typeof body.externalRef === 'string'
  );
}

function withoutRef(body: unknown): unknown {
  if (!hasRef(body)) return body;
  const { externalRef: _, ...rest } = body;
  return rest;
}

/**
 * What the client sees of a failure: a refusal as it is; a cause that passes by itself as a 500 that may be
 * retried (after an unknown commit only where a key protects the retry); anything else unchanged, for the server
 * to report.
 */
export function asRefusal(error: unknown, safeToRepeat: boolean): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') {
    return new ApiError(
      503,
      'overloaded',
      'All database connections are busy. Retry shortly.',
      {},
      { 'retry-after': '1' },
    );
  }
  const passing = isTransient(error) || (error instanceof CommitUnknown && safeToRepeat);
  if (!passing) return error;
  return Object.assign(
    refusal('internal_error', 'The database was not available. Retry the request.', { retryable: true }),
    {
      cause: error,
    },
  );
}
