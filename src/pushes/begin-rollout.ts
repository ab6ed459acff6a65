import type { CommandCtx, PublicCtx } from '../context.ts';
import type { CreditCause } from '../credits/credits.sql.ts';
import { noCause } from '../credits/credits.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import { actorOf, type EventCtx, recordEvent } from '../events/record-event.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { presentRollout } from './rollout.schema.ts';
import {
  insertMessage,
  listRollouts,
  newestRollouts,
  type RolloutRow,
  saveStep,
  upsertDesignRollout,
} from './rollouts.sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/**
 * Brings a changed design to the installed cards of a pass, in the background: a credit a card, as long as there are
 * any; the others wait for a top-up. `installed` is how many there are. A second change during the walk begins it anew.
 */
export async function rollOutDesign(tx: Tx, ctx: CommandCtx, pass: Pass, installed: number): Promise<void> {
  if (installed === 0) return;
  const { requestId } = ctx;
  await upsertDesignRollout(tx, pass, installed, { requestId, actor: actorOf(ctx) }, ctx.app.now());
  wakeAfter(tx, ctx, pass.workspaceId, 'walkRollouts');
}

/**
 * Brings a message to installed cards of a pass: `recipients` of them, for each of which the caller reserves a credit, and
 * only those of the audience where one is given.
 */
export async function rollOutMessage(
  tx: Tx,
  ctx: PublicCtx,
  { workspaceId, passId }: Pass,
  input: Pick<RolloutRow, 'rolloutId' | 'message' | 'audience' | 'newsId' | 'sendAt' | 'endsAt'> & {
    readonly recipients: number;
  },
): Promise<RolloutRow> {
  const { recipients, ...rest } = input;
  const now = ctx.app.now();
  const row: RolloutRow = {
    ...rest,
    workspaceId,
    passId,
    kind: 'message',
    cards: recipients,
    credits: recipients,
    done: 0,
    skipped: 0,
    stage: 'cards',
    cursor: null,
    releaseAt: now,
    walkedAt: now,
    createdAt: now,
    finishedAt: null,
    endingAt: input.endsAt,
    endingCursor: null,
    endedAt: null,
    requestId: ctx.requestId,
    actor: actorOf(ctx),
  };
  await insertMessage(tx, row);
  wakeAfter(tx, ctx, workspaceId, 'walkRollouts');
  return row;
}

/** The text of a message begins to leave the cards; those that it has not reached yet are left out. */
export async function endMessage(
  tx: Tx,
  ctx: PublicCtx,
  message: RolloutRow,
): Promise<Pick<RolloutRow, 'endedAt' | 'endingAt' | 'stage'>> {
  const now = ctx.app.now();
  const stage = message.stage === 'cards' ? 'devices' : message.stage;
  const step = { endedAt: now, endingAt: now, stage } as const;
  await saveStep(tx, message, step);
  wakeAfter(tx, ctx, message.workspaceId, 'endMessages');
  return step;
}

/** Ends a rollout, whether or not all cards were reached, and emits that. The caller releases the unused credits. */
export async function finishRollout(tx: Tx, ctx: EventCtx, rollout: RolloutRow): Promise<void> {
  const { workspaceId, passId, rolloutId, kind } = rollout;
  const step = { stage: 'finished', credits: 0, finishedAt: ctx.app.now() } as const;
  await saveStep(tx, rollout, step);
  const publicId = encodeId('push', rolloutId);
  recordEvent(
    tx,
    { ...ctx, requestId: rollout.requestId ?? ctx.requestId },
    {
      type: 'rollout.finished',
      workspaceId,
      actor: 'system',
      passId,
      instanceId: null,
      data: {
        messageId: kind === 'message' ? publicId : null,
        rolloutId: kind === 'design' ? publicId : null,
        ...presentRollout({ ...rollout, ...step }),
      },
      previous: { state: 'running', finishedAt: null },
    },
  );
}

/** What the credits of a rollout are for. */
export function causeOf({ kind, rolloutId, requestId }: RolloutRow): CreditCause {
  return { ...noCause, [kind === 'message' ? 'messageId' : 'rolloutId']: rolloutId, requestId };
}

export type { RolloutRow };

/** The newest rollout of each of the passes that has had one. */
export async function rolloutsOf(
  db: Db,
  workspaceId: string,
  passIds: readonly string[],
): Promise<RolloutRow[]> {
  return passIds.length === 0 ? [] : newestRollouts(db, workspaceId, passIds);
}

/** Rollouts of a pass that began at `since` or later, below the id `before`, newest first. */
export async function rolloutsSince(
  db: Db,
  pass: { workspaceId: string; passId: string },
  range: { since: Date; before: string | null; take: number },
): Promise<RolloutRow[]> {
  return listRollouts(db, pass, range);
}
