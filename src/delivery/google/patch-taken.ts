import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { changeLeased, postponeLeased, type Queue } from '../../engine/queue.sql.ts';
import { allEnded } from '../../kit/promises.ts';
import { spreadBackOff } from '../../kit/time.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import { resumeWallet, stopWallet } from '../../pushes/wallet-stops.ts';
import { readCardRows } from '../../rendering/read-cards.ts';
import type { GoogleIssuer } from './google-issuer.ts';
import { type DueObject, doubtObjects, inOrder, recordPatched, releaseObjects } from './objects.sql.ts';
import { type DueCard, type Outcome, sendToGoogle } from './update-google.ts';

const mostPauseMs = 900_000;
const shortPauseMs = 1_000;

type Kind = Outcome['result']['kind'];
type OutcomeOf<K extends Kind> = Outcome & { readonly result: Extract<Outcome['result'], { kind: K }> };

/** Objects that a worker has taken out of a queue, all of one issuer. */
interface Taken {
  readonly queue: Queue<DueObject>;
  readonly google: GoogleIssuer;
  readonly objects: readonly DueObject[];
}

/**
 * Sends Google the newest state of each leased object, however often its card has changed, and records the
 * outcomes.
 */
export async function patchTaken(ctx: PublicCtx, taken: Taken): Promise<void> {
  try {
    await sendObjects(ctx, taken);
  } catch (error) {
    await giveBack(ctx, taken);
    throw error;
  }
}

async function sendObjects(ctx: PublicCtx, taken: Taken): Promise<void> {
  const { google, objects } = taken;
  const byPass = Map.groupBy(await dueCards(ctx, objects), ({ card }) => card.passId);
  const outcomes = await allEnded([...byPass.values()].map((due) => sendToGoogle(ctx, google, due)));
  await record(ctx, taken, outcomes.flat());
}

/** The database has failed in the middle of a turn: whatever is not recorded is due again soon, not when its lease ends. */
async function giveBack({ app }: PublicCtx, { queue, objects }: Taken): Promise<void> {
  const dueAt = new Date(app.now().getTime() + shortPauseMs);
  for (const [workspaceId, its] of byWorkspace(objects)) {
    await app.database.transaction(async (tx) => {
      const left: DueObject[] = [];
      for (const object of inOrder(its))
        if (await changeLeased(tx, queue, object, { dueAt })) left.push(object);
      await doubtObjects(tx, workspaceId, left);
    });
  }
}

async function dueCards(ctx: PublicCtx, objects: readonly DueObject[]): Promise<DueCard[]> {
  const byInstance = new Map(objects.map((object) => [object.instanceId, object]));
  const rows = await readCardRows(ctx, objects);
  const cards = await Promise.all(rows.map((row) => ctx.app.nearestPlaces.of(row)));
  return cards.flatMap((card) => {
    const object = byInstance.get(card.instanceId);
    return object === undefined ? [] : [{ object, card }];
  });
}

async function record(ctx: PublicCtx, { queue, google }: Taken, outcomes: readonly Outcome[]): Promise<void> {
  const of = <K extends Kind>(kind: K) =>
    outcomes.filter((outcome) => outcome.result.kind === kind) as unknown as OutcomeOf<K>[];
  await recordDone(ctx, of('done'));
  if (of('done').some(({ asked }) => asked)) await resumeWallet(ctx, 'google', google.scope);
  for (const [reason, refused] of Map.groupBy(of('refused'), ({ result }) => result.reason))
    await giveUp(ctx, refused, reason);
  const [misconfigured] = of('misconfigured');
  const retryAt =
    misconfigured === undefined
      ? null
      : await stopWallet(ctx, 'google', google.scope, misconfigured.result.reason);
  const soon = new Date(ctx.app.now().getTime() + shortPauseMs);
  // Of many issuers in one queue each object waits by itself.
  const retryStoppedAt = google.ownIssuerId === null ? soon : (retryAt ?? soon);
  const held = [
    ...of('misconfigured').map(({ object }) => ({ object, until: retryStoppedAt })),
    ...of('busy').map(({ object }) => ({ object, until: soon })),
  ];
  await postpone(ctx, queue, of('later'), held);
}

/** `notification_quota` on the timeline: the card has changed, and phones have not announced it. */
async function recordDone(ctx: PublicCtx, outcomes: readonly OutcomeOf<'done'>[]): Promise<void> {
  const { database, now } = ctx.app;
  const kept = outcomes.filter(({ content }) => content !== null);
  const idle = outcomes.filter(({ content }) => content === null);
  for (const [isSilent, patched] of Map.groupBy(kept, ({ notice }) => notice === 'silent')) {
    const remark = isSilent ? 'notification_quota' : null;
    const rows = patched.map(({ object, content, notice }) => ({
      workspaceId: object.workspaceId,
      object,
      content,
      notified: notice === 'notified',
    }));
    for (const [workspaceId, its] of byWorkspace(rows)) {
      await database.transaction(async (tx) => {
        const cards = await recordPatched(tx, workspaceId, its, now());
        await recordPushOutcomes(tx, ctx, { wallet: 'google', cards, failure: null, remark });
      });
    }
  }
  for (const [workspaceId, objects] of byWorkspace(idle.map(({ object }) => object)))
    await database.transaction((tx) => releaseObjects(tx, workspaceId, objects, now()));
}

/** Google will not take them as they are now. The next change of each is another try. */
async function giveUp(
  ctx: PublicCtx,
  outcomes: readonly OutcomeOf<'refused'>[],
  reason: string,
): Promise<void> {
  const { database, log, now } = ctx.app;
  const objects = outcomes.map(({ object }) => object);
  log.error({ reason, objects: objects.length }, 'Google refuses our updates');
  for (const [workspaceId, its] of byWorkspace(objects)) {
    await database.transaction(async (tx) => {
      const cards = await releaseObjects(tx, workspaceId, its, now());
      await recordPushOutcomes(tx, ctx, { wallet: 'google', cards, failure: reason });
    });
  }
}

/** Nothing is wrong with those that are held: they are due as soon as Google may be asked again. */
async function postpone(
  ctx: PublicCtx,
  queue: Queue<DueObject>,
  later: readonly OutcomeOf<'later'>[],
  held: readonly { readonly object: DueObject; readonly until: Date }[],
): Promise<void> {
  const { database, log, now } = ctx.app;
  if (later.length + held.length === 0) return;
  const at = now().getTime();
  const objects = [
    ...later.map((outcome) => ({
      row: outcome.object,
      dueAt: new Date(at + pauseOf(outcome)),
      attempts: outcome.object.attempts + 1,
      isInDoubt: outcome.asked,
    })),
    ...held.map(({ object, until }) => ({
      row: object,
      dueAt: until,
      attempts: object.attempts,
      isInDoubt: false,
    })),
  ];
  for (const [reason, { length }] of Map.groupBy(later, ({ result }) => result.reason))
    log.warn({ reason, objects: length }, 'Google takes our updates later');
  for (const [workspaceId, its] of Map.groupBy(objects, ({ row }) => row.workspaceId)) {
    const doubtful = its.filter(({ isInDoubt }) => isInDoubt).map(({ row }) => row);
    await database.transaction(async (tx) => {
      await postponeLeased(tx, queue, its);
      await doubtObjects(tx, workspaceId, doubtful);
    });
  }
}

/** Twice as long after each attempt, and no shorter than Google asks for. */
function pauseOf({ object, result: { afterMs } }: OutcomeOf<'later'>): number {
  return spreadBackOff({ firstMs: afterMs, mostMs: mostPauseMs }, object.attempts, afterMs);
}
