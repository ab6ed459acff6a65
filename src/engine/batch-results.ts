import { type TSchema, Type } from 'typebox';
import type { ActorCtx } from '../context.ts';
import { refusal, toApiError } from '../errors.ts';
import { ApiError } from '../kit/http/api-error.ts';
import { documentedWith, exactlyOneOf, named } from '../kit/http/schemas/documented.ts';
import { Problem } from '../kit/http/schemas/problems.ts';
import { closed } from '../kit/http/schemas/shapes.ts';
import { withConcurrency } from '../kit/promises.ts';
import type { Answered, PlainAnswer } from './idempotency.ts';

/** The outcome of an item of a batch: its answer, under a name, or the error body without a requestId. */
export type ItemResult<Name extends string, Body> = { readonly status: number } & {
  readonly [N in Name]?: Body;
} & { readonly error?: ItemError };

interface ItemError {
  readonly error: string;
  readonly code: string;
}

const ItemErrorShape = named(
  'ItemError',
  Type.Object(
    {
      error: Type.String(),
      code: Type.String(),
      retryable: Type.Optional(Type.Literal(true)),
      problems: Type.Optional(Type.Array(Problem)),
    },
    {
      description:
        'why an item was refused: an error body without a requestId; with `retryable` the same call again, under the same Idempotency-Key, does the rest; with `problems` it is `invalid_request`',
    },
  ),
);

/** The shape of the answer to a batch: a result per item, in its place. */
export function batchResults<const Name extends string, S extends TSchema>(
  $id: string,
  name: Name,
  answered: S,
) {
  const value = { [name]: Type.Optional(answered) } as Record<Name, ReturnType<typeof Type.Optional<S>>>;
  const item = closed({ status: Type.Integer(), ...value, error: Type.Optional(ItemErrorShape) });
  return named($id, closed({ results: Type.Array(documentedWith(item, exactlyOneOf(name, 'error'))) }));
}

/** The calls of a batch that run at a time: they fill two transactions, and none waits long for its turn. */
const callsAtOnce = 200;

/** Answers each input in its place, some at a time in their order. */
export async function answerEach<Result>(
  inputs: readonly unknown[],
  answer: (input: unknown, at: number) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await withConcurrency([...inputs.keys()], callsAtOnce, async (at) => {
    results[at] = await answer(inputs[at], at);
  });
  return results;
}

/** Makes the call of an item. Its refusal is its own: the other items have their own fate, which the caller must learn. */
export async function itemResult<Name extends string, A extends PlainAnswer>(
  { app, requestId }: ActorCtx,
  name: Name,
  { hasKey }: { readonly hasKey: boolean },
  make: () => Promise<Answered<A>>,
): Promise<ItemResult<Name, A['body']>> {
  try {
    const { status, body } = await make();
    return { status, [name]: body } as ItemResult<Name, A['body']>;
  } catch (error) {
    const known = toApiError(error, hasKey);
    if (known instanceof ApiError) return refusedItem(known);
    app.log.error({ err: error, requestId }, 'an item of a batch failed');
    return refusedItem(refusal('internal_error', 'The item failed. Contact support.'));
  }
}

/** The result of an item that was refused. */
export function refusedItem({ status, message, code, extra }: ApiError): {
  readonly status: number;
  readonly error: ItemError;
} {
  return { status, error: { error: message, code, ...extra } };
}
