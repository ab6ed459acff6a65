import type { PublicCtx } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';
import { gone } from './attempt-delivery.ts';
import { type ClaimedAttempt, deleteClaims, insertAttempts } from './claims.sql.ts';
import {
  type AttemptOutcome,
  type DueDelivery,
  recordAttempts,
  type SendableEvent,
} from './due-deliveries.sql.ts';
import { mailOwners } from './mail-owners.ts';
import { type Failure, pauseAfter } from './schedule.ts';
import { presentWebhook } from './webhook.schema.ts';
import type { Attempt, WebhookProblem, WebhookRow } from './webhook-row.ts';
import type { Claim } from './webhook-sender.ts';
import { noteFailure, noteProblem, noteSuccess } from './webhooks.sql.ts';

/** The outcome of a delivery that was leased. */
export interface Ended {
  readonly delivery: DueDelivery;
  readonly claim: Claim | null;
  readonly webhook: WebhookRow | undefined;
  readonly event: SendableEvent | undefined;
  /** Null where it was given back. */
  readonly attempt: Attempt | null;
  /** How it has failed; null: it has not. 'never': it was not even tried, and will not be; 'later': nor was it, as yet. */
  readonly failure: Failure | 'never' | 'later' | null;
}

/** The owner is warned when a delivery has failed this many times. */
const reportedAfter = 4;
/** A webhook is disabled after this time without a success. */
const giveUpAfterMs = 5 * 86_400_000;

/**
 * Records the outcomes of a workspace's deliveries, and schedules the retries of failed ones. Marks their webhooks as failing
 * or not, and disables those that fail for good.
 */
export async function saveAttempts(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  ended: readonly Ended[],
): Promise<void> {
  const now = ctx.app.now();
  const ours = await record(tx, workspaceId, ended, now);
  const recovered = ours.flatMap(({ webhook, failure }) =>
    failure === null && webhook !== undefined && webhook.failingSince !== null ? [webhook.webhookId] : [],
  );
  if (recovered.length > 0) await noteSuccess(tx, workspaceId, [...new Set(recovered)]);
  const succeeded = new Set(ours.flatMap((one) => (one.failure === null ? [one.delivery.webhookId] : [])));
  for (const [webhook, its] of Map.groupBy(ours, (one) => one.webhook)) {
    const failures = its.filter(isScheduledFailure);
    if (webhook === undefined || failures.length === 0) continue;
    if (!succeeded.has(webhook.webhookId)) await noteFailure(tx, webhook, now);
    await emitProblems(tx, ctx, webhook, { failures, hasSucceeded: succeeded.has(webhook.webhookId) });
  }
}

/** Records outcomes, and returns those of deliveries that no other worker has leased. */
async function record(
  tx: Tx,
  workspaceId: string,
  ended: readonly Ended[],
  now: Date,
): Promise<readonly Ended[]> {
  const taken: AttemptOutcome[] = [];
  const claimed: ClaimedAttempt[] = [];
  for (const one of ended) {
    const outcome = outcomeOf(one, now);
    if (one.claim === null || one.event === undefined) taken.push(outcome);
    else claimed.push({ ...outcome, createdAt: one.event.createdAt });
  }
  const over = [...Map.groupBy(ended, ({ claim }) => claim)].flatMap(([claim, its]) =>
    claim !== null && claim.left === its.length ? [claim] : [],
  );
  // Claims before rows: a worker that takes a claim over locks it first, and then waits for the rows.
  if (over.length > 0) await deleteClaims(tx, workspaceId, over);
  if (claimed.length > 0) await insertAttempts(tx, workspaceId, claimed);
  if (taken.length === 0) return ended;
  const recorded = await recordAttempts(tx, workspaceId, taken);
  return ended.filter(({ claim, delivery }) => claim !== null || recorded.has(delivery.deliveryId));
}

type Failed = Ended & { readonly failure: Failure };

/** A failure counts against the webhook only if the delivery was not sent by hand. */
function isScheduledFailure(ended: Ended): ended is Failed {
  return typeof ended.failure === 'object' && ended.failure !== null && !ended.delivery.isSingle;
}

function outcomeOf({ delivery, attempt, failure }: Ended, now: Date): AttemptOutcome {
  const tries = delivery.tries + 1;
  if (failure === null) return { delivery, attempt, status: 'delivered', dueAt: null, tries: delivery.tries };
  const over = { delivery, attempt, status: 'failed', dueAt: null, tries } as const;
  if (failure === 'later') return { ...over, status: 'waiting', dueAt: now, tries: delivery.tries };
  if (failure === 'never' || failure.status === gone || delivery.isSingle) return over;
  const pauseMs = pauseAfter(tries, failure);
  if (pauseMs === null) return over;
  return { ...over, status: 'waiting', dueAt: new Date(now.getTime() + pauseMs) };
}

async function emitProblems(
  tx: Tx,
  ctx: PublicCtx,
  webhook: WebhookRow,
  { failures, hasSucceeded }: { readonly failures: readonly Failed[]; readonly hasSucceeded: boolean },
): Promise<void> {
  const now = ctx.app.now();
  const isGone = failures.some(({ failure }) => failure.status === gone);
  const failingMs = webhook.failingSince === null ? 0 : now.getTime() - webhook.failingSince.getTime();
  const isHopeless = !hasSucceeded && failingMs >= giveUpAfterMs;
  if (isGone || isHopeless) return reportProblem(tx, ctx, webhook, isGone ? 'gone' : 'no_success');
  if (failures.some(({ delivery }) => delivery.tries + 1 === reportedAfter))
    await reportProblem(tx, ctx, webhook, 'failing');
}

/** Emits an event about a webhook's problem, once; a failing webhook is reported again after a success. */
async function reportProblem(
  tx: Tx,
  ctx: PublicCtx,
  webhook: WebhookRow,
  problem: WebhookProblem,
): Promise<void> {
  const status = problem === 'failing' ? ('active' as const) : ('disabled' as const);
  const after = await noteProblem(tx, webhook, { status, problem, updatedAt: ctx.app.now() });
  if (after === undefined) return;
  const before = presentWebhook({ ...after, status: 'active', problem: webhook.problem });
  recordEvent(tx, ctx, {
    type: problem === 'failing' ? 'webhook.failing' : 'webhook.disabled',
    workspaceId: webhook.workspaceId,
    actor: 'system',
    passId: null,
    instanceId: null,
    data: presentWebhook(after),
    previous: { ...(status === 'disabled' && { status: before.status }), problem: before.problem },
  });
  if (problem !== 'failing') await mailOwners(tx, ctx, webhook, problem);
  ctx.app.log.info(
    { webhookId: before.webhookId, problem },
    status === 'disabled' ? 'a webhook was disabled' : 'a webhook is failing',
  );
}
