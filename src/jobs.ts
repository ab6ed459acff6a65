import type { JobName, PublicCtx } from './context.ts';
import { type Condition, findTrue } from './engine/due.sql.ts';
import type { Job } from './kit/worker.ts';
import { isDeviceDue, pushDevices } from './modules/apple/push-devices.job.ts';
import { trimAppleLogs } from './modules/apple/trim-apple-logs.job.ts';
import { isFlushWaiting } from './modules/credits/flushes.ts';
import { flushSkipped } from './modules/delivery/flush-skipped.job.ts';
import { giveUpPushes, isPushStale } from './modules/delivery/give-up-pushes.job.ts';
import { isRolloutDue, walkRollouts } from './modules/delivery/walk-rollouts.job.ts';
import { isObjectDue, patchObjects } from './modules/google/patch-objects.job.ts';
import { trimGoogleNonces } from './modules/google/trim-google-nonces.job.ts';
import { trimImages } from './modules/images/trim-images.job.ts';
import { walkErasures } from './modules/instances/walk-erasures.job.ts';
import { isInviteDue, sendInvites } from './modules/invites/send-invites.job.ts';
import { auditLedgers } from './modules/loyalty/audit-ledger.job.ts';
import { expirePoints } from './modules/loyalty/expire-points.job.ts';
import { sealLedgers } from './modules/loyalty/seal-ledger.job.ts';
import { isPrivacyRequestDue, obeyPrivacyRequests } from './modules/stores/obey-privacy-requests.job.ts';
import { isStoreDue, reconcileStores } from './modules/stores/reconcile-stores.job.ts';
import { trimWebhooks } from './modules/stores/trim-webhooks.job.ts';
import { isWebhookDue, workOffWebhooks } from './modules/stores/work-off-webhooks.job.ts';
import { isSweepDue, runSweeps } from './modules/sweeps/run-sweeps.job.ts';
import { trimSweeps } from './modules/sweeps/trim-sweeps.job.ts';
import { expireWebCards, isWebCardOver } from './modules/webcard/expire-web-cards.job.ts';
import { isWebCardDue, pushWebCards } from './modules/webcard/push-web-cards.job.ts';

/** Contents of the background work that goes by what is due: how many turns run side by side, and what tells that something is due. */
const dueJobs: Readonly<Record<JobName, DueJob>> = {
  walkRollouts: { run: walkRollouts, lanes: 1, isDue: isRolloutDue },
  flushSkipped: { run: flushSkipped, lanes: 1, isDue: isFlushWaiting },
  pushDevices: { run: pushDevices, lanes: 2, isDue: isDeviceDue },
  patchObjects: { run: patchObjects, lanes: 2, isDue: isObjectDue },
  pushWebCards: { run: pushWebCards, lanes: 2, isDue: isWebCardDue },
  runSweeps: { run: runSweeps, lanes: 2, isDue: isSweepDue },
  workOffWebhooks: { run: workOffWebhooks, lanes: 2, isDue: isWebhookDue },
  reconcileStores: { run: reconcileStores, lanes: 4, isDue: isStoreDue },
  obeyPrivacyRequests: { run: obeyPrivacyRequests, lanes: 1, isDue: isPrivacyRequestDue },
  sendInvites: { run: sendInvites, lanes: 1, isDue: isInviteDue },
  giveUpPushes: { run: giveUpPushes, lanes: 1, isDue: isPushStale },
  expireWebCards: { run: expireWebCards, lanes: 1, isDue: isWebCardOver },
};

/** Contents of the rest, which goes by the clock: how often an idle worker begins a turn. */
const timedJobs: readonly Job<PublicCtx>[] = [
  timed(expirePoints, 5_000),
  timed(sealLedgers, 5_000),
  timed(auditLedgers, 60_000),
  timed(walkErasures, 60_000),
  timed(trimSweeps, 60_000),
  timed(trimWebhooks, 600_000),
  timed(trimImages, 600_000),
  timed(trimAppleLogs, 600_000),
  timed(trimGoogleNonces, 600_000),
];

interface DueJob extends Pick<Job<PublicCtx>, 'run' | 'lanes'> {
  /** The question whether there is something to do; null while it would not be done anyway. */
  isDue(ctx: PublicCtx): Condition | null;
}

const names = Object.keys(dueJobs) as JobName[];

/** All background work. */
export const jobs: readonly Job<PublicCtx>[] = [
  ...names.map((name) => ({ name, run: dueJobs[name].run, lanes: dueJobs[name].lanes })),
  ...timedJobs,
];

/** The jobs that have something to do, as one question to the database. */
export async function findDueJobs(ctx: PublicCtx): Promise<JobName[]> {
  const asked = names.flatMap((name) => {
    const condition = dueJobs[name].isDue(ctx);
    return condition === null ? [] : [[name, condition] as const];
  });
  return findTrue(ctx.app.database.db, asked);
}

/** The job has the name of its function. */
function timed(run: (ctx: PublicCtx) => Promise<boolean>, everyMs: number): Job<PublicCtx> {
  return { name: run.name, run, lanes: 1, everyMs };
}
