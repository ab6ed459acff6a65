import { lockCard } from '../../cards/count-wallets.ts';
import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { leaseDue, postponeLeased } from '../../engine/queue.sql.ts';
import { spreadBackOff } from '../../kit/time.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import { readCards } from '../../rendering/read-cards.ts';
import type { WebPushResult } from '../../wallet/web/web-push.client.ts';
import {
  type DueViewer,
  deleteSubscribed,
  dropSubscriptions,
  noAttempts,
  pushedViewers,
  recordPushed,
  shownViewers,
} from './due-web-cards.sql.ts';
import { discount, installedForMs } from './keep-viewer.ts';
import { pushNote } from './push-note.ts';

const viewersPerTurn = 100;
/** A worker that dies in the middle of a turn leaves its viewers to others after this time. */
const leaseMs = 60_000;
/** Twice as long after each attempt, up to an hour. */
const pauses = { firstMs: 5_000, mostMs: 3_600_000 };
/** About half a day: a clock that is wrong is set right by then, and costs no subscription. */
const mostUnauthorized = 20;

interface Answer {
  readonly viewer: DueViewer;
  readonly result: WebPushResult;
}

/** The browsers that are to be pushed to. */
export function webCardsDue(): DueWork {
  return { queues: [shownViewers, pushedViewers] };
}

/**
 * Pushes changes of cards to browsers. Open pages update by themselves; subscribed browsers
 * get a push that says what has changed. False when nothing is due.
 */
export async function pushWebCards(ctx: PublicCtx): Promise<boolean> {
  const shown = await recordShown(ctx);
  const { now, webPush } = ctx.app;
  const claim = { now: now(), until: new Date(now().getTime() + leaseMs), most: viewersPerTurn };
  const due = await leaseDue({ app: ctx.app, queue: pushedViewers }, claim);
  if (due.length === 0) return shown;
  // After the lease: what changes from here on makes another push.
  const cards = await readCards(ctx, due);
  const views = new Map(cards.map(({ instanceId, view }) => [instanceId, view]));
  const push = async (viewer: DueViewer): Promise<Answer> => {
    const view = views.get(viewer.instanceId);
    // Of an erased card there is nothing to say: the worker learns that it is gone.
    const { message, said } =
      view === undefined ? { message: null, said: null } : pushNote(view, viewer.said);
    return { viewer: { ...viewer, said }, result: await webPush.push(viewer, message) };
  };
  await record(ctx, await Promise.all(due.map(push)));
  return shown || due.length === viewersPerTurn;
}

/** A page without a subscription polls. Apart from the pushes, which may wait for a network. */
async function recordShown(ctx: PublicCtx): Promise<boolean> {
  const { now } = ctx.app;
  const shown = await leaseDue(
    { app: ctx.app, queue: shownViewers },
    {
      now: now(),
      until: null,
      most: viewersPerTurn,
      set: noAttempts,
      also: (tx, cards) => recordPushOutcomes(tx, ctx, { wallet: 'web', cards, failure: null }),
    },
  );
  return shown.length === viewersPerTurn;
}

async function record(ctx: PublicCtx, answers: readonly Answer[]): Promise<void> {
  const { database, log, now } = ctx.app;
  const by = Map.groupBy(answers, ({ result }) => result.kind);
  const viewersOf = (kind: WebPushResult['kind']) => (by.get(kind) ?? []).map(({ viewer }) => viewer);
  const accepted = viewersOf('accepted');
  const unauthorized = by.get('unauthorized') ?? [];
  const refused = [
    ...viewersOf('refused'),
    ...unauthorized.map(({ viewer }) => viewer).filter((viewer) => !isWorthATry(viewer)),
  ];
  for (const [workspaceId, viewers] of byWorkspace(accepted)) {
    await database.transaction(async (tx) => {
      const cards = await recordPushed(tx, workspaceId, viewers, now());
      await recordPushOutcomes(tx, ctx, { wallet: 'web', cards, failure: null });
    });
  }
  for (const [workspaceId, viewers] of byWorkspace(refused)) {
    const until = new Date(now().getTime() + installedForMs);
    await database.transaction((tx) => dropSubscriptions(tx, workspaceId, viewers, { until, now: now() }));
  }
  for (const answer of by.get('gone') ?? []) await forget(ctx, answer);
  for (const [reason, { length }] of Map.groupBy(unauthorized, reasonOf))
    log.warn({ reason, subscriptions: length }, 'a push service does not accept our signature');
  const later = [...(by.get('later') ?? []), ...unauthorized.filter(({ viewer }) => isWorthATry(viewer))];
  for (const answers of Map.groupBy(later, ({ viewer }) => viewer.workspaceId).values()) {
    const rows = answers.map((answer) => ({
      row: answer.viewer,
      dueAt: dueAfter(answer, now()),
      attempts: answer.viewer.attempts + 1,
    }));
    await database.transaction((tx) => postponeLeased(tx, pushedViewers, rows));
  }
}

/** The subscription has ended: the browser holds the card no longer. */
async function forget(ctx: PublicCtx, answer: Answer): Promise<void> {
  const { viewer } = answer;
  await ctx.app.database.transaction(async (tx) => {
    await lockCard(tx, viewer);
    if (await deleteSubscribed(tx, viewer))
      await discount(tx, ctx, viewer, { viewers: 1, added: 1 }, reasonOf(answer));
  });
}

function isWorthATry({ attempts }: DueViewer): boolean {
  return attempts < mostUnauthorized;
}

function reasonOf({ result }: Answer): string {
  return result.kind === 'accepted' ? 'removed' : result.reason;
}

/** Twice as long after each attempt, and no shorter than the push service asks for. */
function dueAfter({ viewer, result }: Answer, now: Date): Date {
  const asked = result.kind === 'later' ? (result.afterMs ?? 0) : 0;
  return new Date(now.getTime() + spreadBackOff(pauses, viewer.attempts, asked));
}
