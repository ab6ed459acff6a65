import type { ActorCtx, KeyCtx } from '../context.ts';
import { type Batch, type BatchCall, batchOf, submit } from '../engine/batch.ts';
import { answerEach, type ItemResult, itemResult, refusedItem } from '../engine/batch-results.ts';
import { type Answered, keyAt } from '../engine/idempotency.ts';
import { insertEach } from '../events/timeline.sql.ts';
import { fingerprintOf } from '../kit/db/claims.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { decodeId } from '../kit/ids.ts';
import { prefetchCredits } from '../pushes/announce-change.ts';
import { lockInstanceRows } from './changes.sql.ts';
import { instanceOf, readInstance } from './find-instance.ts';
import type { InstanceRow, Updated } from './instance-row.ts';
import { findForeign, findInstances } from './instances.sql.ts';
import { type UpdateAnswer, updateAnswer } from './update-answer.ts';

/** A call that changes one card. */
export interface CardCall extends BatchCall<Updated, UpdateAnswer> {
  /** Public id. */
  readonly instanceId: string;
  readonly key: string | null;
}

type Loaded = ReadonlyMap<string, InstanceRow>;

/** A call and its card, which is held. */
export interface LockedCall<Call> {
  readonly call: Call;
  readonly row: InstanceRow;
}

type Outcomes<Call> = Map<Call, Updated | ApiError>;

/**
 * A verb on many cards of a workspace at once. `apply` gets no two calls about one card: it changes the cards, refuses
 * calls with an `ApiError` of their own, and answers each.
 */
export function cardVerb<Call extends CardCall>(
  apply: (tx: Tx, workspaceId: string, held: readonly LockedCall<Call>[]) => Promise<Outcomes<Call>>,
): Batch<Call> {
  return batchOf<Call, Updated, Loaded>({
    load: loadCards,
    async settle(tx, calls, loaded) {
      const workspaceId = workspaceOf(calls);
      const foreign = await findForeignAmong(tx, workspaceId, calls, loaded);
      const refused: Outcomes<Call> = new Map();
      const held = calls.flatMap((call) => {
        const { ctx, instanceId } = call;
        const id = decodeId('inst', instanceId) ?? '';
        const row = catchRefusal(() => instanceOf(ctx, instanceId, loaded.get(id), foreign.has(id)));
        if (row instanceof ApiError) refused.set(call, row);
        return row instanceof ApiError ? [] : [{ call, row }];
      });
      return new Map([...refused, ...(await apply(tx, workspaceId, held))]);
    },
  });
}

/** The cards that calls name, kept from changing until the transaction ends. */
async function loadCards(tx: Tx, calls: readonly CardCall[]): Promise<Loaded> {
  const [first] = calls;
  if (first === undefined) return new Map();
  const workspaceId = workspaceOf(calls);
  const ids = calls.flatMap(({ instanceId }) => decodeId('inst', instanceId) ?? []);
  // Two statements: one that waits for the locks would show the holders as they were before the wait.
  const [, rows] = await Promise.all([
    lockInstanceRows(tx, workspaceId, ids),
    findInstances(tx, workspaceId, ids),
    prefetchCredits(tx, first.ctx),
  ]);
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.instanceId, row] as const])));
}

async function findForeignAmong(
  tx: Tx,
  workspaceId: string,
  calls: readonly CardCall[],
  loaded: Loaded,
): Promise<Set<string>> {
  const ids = calls.flatMap(({ instanceId }) => decodeId('inst', instanceId) ?? []);
  return findForeign(
    tx,
    workspaceId,
    ids.filter((id) => !loaded.has(id)),
  );
}

function workspaceOf(calls: readonly CardCall[]): string {
  return calls[0]?.ctx.workspaceId ?? '';
}

/** What all calls that change a card have; `effect` is what a repeat with the same key must ask for again. */
export function cardCall(
  ctx: ActorCtx,
  operation: string,
  instanceId: string,
  { key, effect }: { readonly key: string | null; readonly effect: unknown },
): CardCall {
  const { requestId } = ctx;
  const fingerprint = () => fingerprintOf([{ instanceId }, effect]);
  return {
    ctx,
    instanceId,
    key,
    claims: key === null ? [] : [{ operation, key, fingerprint: fingerprint(), requestId }],
    names: [`card ${instanceId}`],
    present: (updated) => updateAnswer(ctx, updated),
  };
}

/**
 * Changes a card together with others of its workspace that arrive at the same time. A key that is restricted to other passes
 * is refused before a replay, which shows the card.
 */
export async function submitCardCall<Call extends CardCall>(
  ctx: KeyCtx,
  verb: Batch<Call>,
  call: Call,
): Promise<Answered<UpdateAnswer>> {
  if (ctx.passIds !== null) await readInstance(ctx, call.instanceId);
  return submit(ctx, verb, ctx.workspaceId, call);
}

/** The items of a batch. */
interface Items<Item, Call> {
  readonly op: string;
  check(input: unknown): ApiError | null;
  /** The call of an item, with the key that it gets where it brings none. */
  toCall(item: Item, key: string | null): Call;
}

/** Makes the call of each item; results are in the order of the items. Items of another shape are refused alone. */
export function submitEach<Item, Call extends CardCall>(
  ctx: KeyCtx,
  verb: Batch<Call>,
  inputs: readonly unknown[],
  key: string | null,
  { op, check, toCall }: Items<Item, Call>,
): Promise<ItemResult<'instance', UpdateAnswer['body']>[]> {
  return answerEach(inputs, (input, at) => {
    const problem = check(input);
    if (problem !== null) return refusedItem(problem);
    const call = toCall(input as Item, keyAt(op, key, at));
    return itemResult(ctx, 'instance', { hasKey: call.key !== null }, () => submitCardCall(ctx, verb, call));
  });
}

/** Names the claim whose answer shows the card, so that erasing can reach it. */
export function claimDetail(op: string, key: string | null) {
  return key === null ? {} : { op, key };
}

/** Notes on the timelines of cards that calls with a key have left as they were: what is kept under the key shows them. */
export async function noteUnchanged(
  tx: Tx,
  workspaceId: string,
  op: string,
  held: readonly LockedCall<CardCall>[],
): Promise<void> {
  const noted = held
    .filter(({ call }) => call.key !== null)
    .map(({ call: { ctx, key }, row: { instanceId } }) => ({
      instanceId,
      detail: claimDetail(op, key),
      actor: ctx.actor,
      createdAt: ctx.app.now(),
    }));
  await insertEach(tx, workspaceId, 'instance.unchanged', noted);
}
