import type { ActorCtx, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Answered } from '../engine/idempotency.ts';
import { insertEach } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { shapeCheck } from '../kit/http/schemas/validation.ts';
import { countCards } from '../passes/count-cards.ts';
import { announceChange } from '../pushes/announce-change.ts';
import {
  type CardCall,
  cardCall,
  cardVerb,
  claimDetail,
  noteUnchanged,
  submitCardCall,
  submitEach,
} from './card-calls.ts';
import { CardVoid } from './card-changes.schema.ts';
import { saveVoids } from './changes.sql.ts';
import { emitCardEvent } from './emit-card-event.ts';
import type { InstanceRow, Updated } from './instance-row.ts';
import { changedNow } from './last-modified.ts';
import type { UpdateAnswer } from './update-answer.ts';

const operation = 'voidInstance';

interface Void {
  /** Public id. */
  readonly instanceId: string;
  readonly reason?: string | null;
}

type VoidCall = CardCall & { readonly reason: string | null };

const voidCards = cardVerb<VoidCall>(async (tx, workspaceId, held) => {
  const active = held.filter(({ row }) => row.status === 'active');
  const voided = held.filter(({ row }) => row.status !== 'active');
  const ended = active.map(({ call: { ctx, reason }, row }) => ({ ctx, row, reason }));
  const [after] = await Promise.all([
    markVoided(tx, workspaceId, ended),
    insertEach(
      tx,
      workspaceId,
      'instance.voided',
      active.map(({ call: { ctx, key }, row: { instanceId } }) => ({
        instanceId,
        detail: claimDetail(operation, key),
        actor: ctx.actor,
        createdAt: ctx.app.now(),
      })),
    ),
    noteUnchanged(tx, workspaceId, operation, voided),
  ]);
  for (const [at, { call, row }] of active.entries()) {
    emitCardEvent(tx, call.ctx, 'instance.voided', { before: row, after: after[at] as InstanceRow });
    const detail = { before: { status: 'active' }, after: { status: 'voided' } };
    audit(tx, call.ctx, { action: operation, target: call.instanceId, detail });
  }
  const all = [...active.entries()].map(([at, { call, row }]) => ({
    call,
    row,
    now: after[at] as InstanceRow,
  }));
  const outcomes = [...all, ...voided.map((one) => ({ ...one, now: one.row }))].map(
    async ({ call, row, now }): Promise<[VoidCall, Updated]> => [
      call,
      { row: now, push: await announceChange(tx, call.ctx, row, now !== row) },
    ],
  );
  return new Map(await Promise.all(outcomes));
});

/**
 * Ends a card: its wallets show it as void, and its holder may get a new one. Voiding it again changes nothing, the reason
 * neither.
 */
export function voidInstance(ctx: KeyCtx, input: Void, key: string | null): Promise<Answered<UpdateAnswer>> {
  return submitCardCall(ctx, voidCards, callOf(ctx, input, key));
}

const checkVoid = shapeCheck(CardVoid);

/** The same for many cards, of any passes; results are in the order of the items. */
export function voidBatch(ctx: KeyCtx, voids: readonly unknown[], key: string | null) {
  return submitEach(ctx, voidCards, voids, key, {
    op: 'voidBatch',
    check: checkVoid,
    toCall: (input: Void, ownKey) => callOf(ctx, input, ownKey),
  });
}

/** The reason is no part of what a repeat must ask for again. */
function callOf(ctx: KeyCtx, { instanceId, reason = null }: Void, key: string | null): VoidCall {
  return { ...cardCall(ctx, operation, instanceId, { key, effect: undefined }), reason };
}

/** Voids active cards that the caller holds; answers them as they are then, in their order. */
export async function markVoided(
  tx: Tx,
  workspaceId: string,
  cards: readonly { readonly ctx: ActorCtx; readonly row: InstanceRow; readonly reason: string | null }[],
): Promise<InstanceRow[]> {
  const voids = cards.map(({ ctx, row, reason }) => ({
    row,
    at: changedNow(ctx, row),
    shown: true,
    voidedAt: ctx.app.now(),
    voidReason: reason,
  }));
  await saveVoids(tx, workspaceId, voids);
  for (const { row } of cards) countCards(tx, row, { voided: 1 });
  return voids.map(({ row, at, voidedAt, voidReason }) => ({
    ...row,
    status: 'voided',
    updatedAt: at,
    voidedAt,
    voidReason,
  }));
}
