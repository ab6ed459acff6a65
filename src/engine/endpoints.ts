import { Readable } from 'node:stream';
import type { Static, TObject, TSchema } from 'typebox';
import type { KeyCtx, OperatorCtx, PublicCtx } from '../context.ts';
import { toApiError } from '../errors.ts';
import { type Claim, fingerprintOf } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import type { Answer, Endpoint, Input, MediaType } from '../kit/http/endpoints/endpoint.ts';
import { decodeId, firstId } from '../kit/ids.ts';
import { Answered, effectOf, idempotencyKey, isKept, once } from './idempotency.ts';

type Answers = Readonly<Record<number, TSchema | MediaType | null>>;

/** An answer that fits one of the declared statuses and its schema. */
export type AnswerOf<A> = {
  [S in keyof A & number]: {
    readonly status: S;
    readonly body: A[S] extends TSchema
      ? Static<A[S]>
      : A[S] extends string
        ? string | Buffer | Readable
        : null;
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

/** An answer without a body, given when the work has been done. */
export async function emptyAnswer<const S extends number>(status: S, work: Promise<void>) {
  await work;
  return answer(status, null);
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
  readonly call?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly accepts?: Endpoint<unknown>['accepts'];
  readonly example?: unknown;
  readonly bodyLimit?: number;
  readonly tooLarge?: Endpoint<unknown>['tooLarge'];
  readonly answers: A;
  readonly errors?: Endpoint<unknown>['errors'];
  readonly page?: boolean;
  readonly hasOwnLimits?: boolean;
}

interface ReadSpec<Ctx, P, Q, B, A> extends Spec<P, Q, B, A> {
  handle(ctx: Ctx, input: TypedInput<P, Q, B>): Promise<AnswerOf<A>> | Promise<Answered<AnswerOf<A>>>;
}

interface WriteSpec<Ctx, P, Q, B, A, W> extends Spec<P, Q, B, A> {
  /** Takes Idempotency-Key, and externalRef where the body has one: false only of what changes nothing. */
  readonly idempotent?: boolean;
  /** What the effect depends on, when that is not the whole of path and body. */
  effect?(input: TypedInput<P, Q, B>): unknown;
  /** Refuses a caller who may not see what a replay would show; called before the claim. */
  authorizeReplay?(tx: Tx, ctx: Ctx, input: TypedInput<P, Q, B>): Promise<void>;
  /** The answer holds a secret: it is kept encrypted for replays. */
  readonly sealed?: boolean;
  /** Slow or foreign work that the change needs, before the transaction begins; not called for a replay. */
  prepare?(ctx: Ctx, input: TypedInput<P, Q, B>): Promise<W>;
  /** Called after the commit, never after a refusal. */
  committed?(ctx: Ctx): void;
  /** Called inside the transaction that also holds the idempotency claim, with what was prepared. */
  handle(tx: Tx, ctx: Ctx, input: TypedInput<P, Q, B>, prepared: W): Promise<AnswerOf<A>>;
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
    async handle(admitted, raw) {
      const key = spec.idempotent === true ? idempotencyKey(raw) : null;
      try {
        const ctx = await askIfLate(admitted);
        const made = await spec.handle(ctx, { ...raw, key } as unknown as TypedInput<P, Q, B>);
        if (spec.idempotent !== true) await askBeforeAnswer(ctx, made);
        return made instanceof Answered ? made.toAnswer() : (made as Answer);
      } catch (error) {
        throw toApiError(error, spec.idempotent !== true || key !== null);
      }
    },
  };
}

/** An operation of a key's workspace that changes something: one transaction, which keeps the answer. */
export function writeEndpoint<
  const A extends Answers,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  W = undefined,
>(spec: WriteSpec<KeyCtx, P, Q, B, A, W>): Endpoint<KeyCtx> {
  return transactional(
    spec,
    (ctx) => ctx.workspaceId,
    (tx, ctx) => ctx.app.askKeyAgain.holding(tx, ctx),
  );
}

/** An operation of the operator that changes something. */
export function operatorWriteEndpoint<
  const A extends Answers,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  W = undefined,
>(spec: WriteSpec<OperatorCtx, P, Q, B, A, W>): Endpoint<OperatorCtx> {
  // Where the path names no workspace the claim belongs to none.
  return transactional(
    spec,
    (_ctx, { params }) => decodeId('ws', params.workspaceId ?? '') ?? firstId,
    async (_tx, ctx) => ctx,
  );
}

/** What the server and the reference need of a spec. */
function described<P, Q, B, A>(
  spec: Spec<P, Q, B, A> & { idempotent?: boolean },
): Omit<Endpoint<never>, 'handle'> {
  return { errors: [], ...spec } as unknown as Omit<Endpoint<never>, 'handle'>;
}

function transactional<Ctx extends PublicCtx, P, Q, B, A, W>(
  spec: WriteSpec<Ctx, P, Q, B, A, W>,
  scopeOf: (ctx: Ctx, input: Input) => string,
  askAgain: (tx: Tx, ctx: Ctx) => Promise<Ctx>,
): Endpoint<Ctx> {
  const { idempotent = true } = spec;
  return {
    ...described(spec),
    idempotent,
    // What is prepared is fetched from another service.
    hasOwnLimits: spec.hasOwnLimits ?? spec.prepare !== undefined,
    async handle(admitted, raw) {
      const key = idempotent ? idempotencyKey(raw) : null;
      const input = { ...raw, key } as unknown as TypedInput<P, Q, B>;
      const scope = scopeOf(admitted, raw);
      const { database } = admitted.app;
      try {
        let ctx = await askIfLate(admitted);
        const prepared = await prepare(spec, ctx, input, () => isKept(database, scope, spec.op, key));
        const begin = async (tx: Tx): Promise<void> => {
          // While it was prepared the caller's key may have been revoked.
          if (spec.prepare !== undefined) ctx = await askAgain(tx, ctx);
          if (key !== null) await spec.authorizeReplay?.(tx, ctx, input);
        };
        const handle = (tx: Tx): Promise<AnswerOf<A>> => spec.handle(tx, ctx, input, prepared as W);
        const options = { authorizeReplay: begin, ...(spec.sealed === true && { codec: ctx.app.box }) };
        const result = await (key === null
          ? database.transaction((tx) => begin(tx).then(() => handle(tx)))
          : once(database, scope, claimOf(spec, ctx, raw, input, key), options, handle));
        spec.committed?.(ctx);
        return result instanceof Answered ? result.toAnswer() : (result as Answer);
      } catch (error) {
        throw toApiError(error, key !== null);
      }
    },
  };
}

function claimOf<Ctx extends PublicCtx, P, Q, B, A, W>(
  spec: WriteSpec<Ctx, P, Q, B, A, W>,
  { requestId }: Ctx,
  raw: Input,
  input: TypedInput<P, Q, B>,
  key: string,
): Claim {
  const fingerprint = fingerprintOf(spec.effect?.(input) ?? effectOf(raw));
  return { operation: spec.op, key, fingerprint, requestId };
}

/** The caller, whose key is asked for again where the request took long to arrive. */
async function askIfLate<Ctx extends PublicCtx>(ctx: Ctx): Promise<Ctx> {
  if (!('admittedAt' in ctx)) return ctx;
  return (await ctx.app.askKeyAgain.ifLate(ctx as Ctx & KeyCtx)) as Ctx & KeyCtx;
}

/** The same before what was read is shown. */
async function askBeforeAnswer(ctx: PublicCtx, made: { readonly body: unknown }): Promise<void> {
  if (!('admittedAt' in ctx)) return;
  try {
    await ctx.app.askKeyAgain.beforeAnswer(ctx as KeyCtx);
  } catch (error) {
    if (made.body instanceof Readable) made.body.destroy();
    throw error;
  }
}

/** What a change needs beforehand; nothing where an earlier call has made it. */
async function prepare<Ctx, P, Q, B, A, W>(
  spec: WriteSpec<Ctx, P, Q, B, A, W>,
  ctx: Ctx,
  input: TypedInput<P, Q, B>,
  isMade: () => Promise<boolean>,
): Promise<W | undefined> {
  if (spec.prepare === undefined || (await isMade())) return undefined;
  try {
    return await spec.prepare(ctx, input);
  } catch (error) {
    // The call that this one repeats may have been under way.
    if (await isMade()) return undefined;
    throw error;
  }
}
