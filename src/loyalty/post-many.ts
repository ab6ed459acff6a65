import type { KeyCtx } from '../context.ts';
import { type ItemResult, itemResult, refusedItem } from '../engine/batch-results.ts';
import { type Answered, keyAt, type PlainAnswer } from '../engine/idempotency.ts';
import { batchesOf } from '../kit/batches.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { withConcurrency } from '../kit/promises.ts';
import { resolvePass } from './find-pass-of-card.ts';
import { type LedgerItem, type LedgerRequest, laneOf } from './ledger-item.ts';
import type { Named } from './target.schema.ts';

/** How many calls share a transaction, and how many transactions of a batch are under way at a time. */
const callsPerTransaction = 100;
const transactionsAtOnce = 2;

/** What the body of any call has. */
export type CallBody = Named & { readonly passId?: string; readonly externalRef?: string };

/** An operation whose calls come many at a time. */
export interface ManyCalls<
  Body extends CallBody,
  State,
  Name extends string,
  A extends PlainAnswer = PlainAnswer,
> {
  /** That of a single call, and that of the batch. */
  readonly operation: LedgerItem['operation'];
  readonly op: string;
  /** What a result calls the answer. */
  readonly name: Name;
  check(input: unknown): ApiError | null;
  describe(ctx: KeyCtx, body: Body & { readonly passId: string }, key: string | null): LedgerRequest<State>;
  submit(ctx: KeyCtx, described: LedgerRequest<State>): Promise<Answered<A>>;
}

/**
 * Makes many calls; results are in the order of the items. They share transactions with other calls. An item
 * without an externalRef gets the request's key and its place as its own.
 */
export async function postMany<Body extends CallBody, State, Name extends string, A extends PlainAnswer>(
  ctx: KeyCtx,
  inputs: readonly unknown[],
  key: string | null,
  calls: ManyCalls<Body, State, Name, A>,
) {
  const described = await Promise.all(inputs.map((input, at) => describeItem(ctx, input, key, at, calls)));
  const results: (ItemResult<Name, A['body']> | undefined)[] = described.map((one) =>
    one instanceof ApiError ? refusedItem(one) : undefined,
  );
  const asked = described.flatMap((call, at) => (call instanceof ApiError ? [] : [{ call, at }]));
  const lanes = [...Map.groupBy(asked, ({ call }) => laneOf(call)).values()];
  const shares = lanes.flatMap((lane) => batchesOf(lane, callsPerTransaction));
  await withConcurrency(shares, transactionsAtOnce, async (share) => {
    const made = share.map(async ({ call, at }) => {
      const hasKey = call.claims.length > 0;
      results[at] = await itemResult(ctx, calls.name, { hasKey }, () => calls.submit(ctx, call));
    });
    await Promise.all(made);
  });
  return results.flatMap((result) => result ?? []);
}

async function describeItem<Body extends CallBody, State>(
  ctx: KeyCtx,
  input: unknown,
  key: string | null,
  at: number,
  { operation, op, check, describe }: ManyCalls<Body, State, string, PlainAnswer>,
): Promise<LedgerRequest<State> | ApiError> {
  const problem = check(input);
  if (problem !== null) return problem;
  const body = input as Body;
  const own = body.externalRef ?? keyAt(op, key, at);
  try {
    const described = describe(ctx, await resolvePass(ctx, body, { operation, key: own }), own);
    return { ...described, externalRef: body.externalRef ?? null };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
