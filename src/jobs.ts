import type { PublicCtx } from './context.ts';
import type { Job } from './kit/worker.ts';
import { pushDevices } from './modules/apple/push-devices.job.ts';
import { trimAppleLogs } from './modules/apple/trim-apple-logs.job.ts';
import { flushSkipped } from './modules/delivery/flush-skipped.job.ts';
import { giveUpPushes } from './modules/delivery/give-up-pushes.job.ts';
import { walkRollouts } from './modules/delivery/walk-rollouts.job.ts';
import { patchObjects } from './modules/google/patch-objects.job.ts';
import { trimGoogleNonces } from './modules/google/trim-google-nonces.job.ts';
import { trimImages } from './modules/images/trim-images.job.ts';
import { sendInvites } from './modules/invites/send-invites.job.ts';
import { auditLedgers } from './modules/loyalty/audit-ledger.job.ts';
import { expirePoints } from './modules/loyalty/expire-points.job.ts';
import { sealLedgers } from './modules/loyalty/seal-ledger.job.ts';
import { obeyPrivacyRequests } from './modules/stores/obey-privacy-requests.job.ts';
import { reconcileStores } from './modules/stores/reconcile-stores.job.ts';
import { trimWebhooks } from './modules/stores/trim-webhooks.job.ts';
import { workOffWebhooks } from './modules/stores/work-off-webhooks.job.ts';
import { runSweeps } from './modules/sweeps/run-sweeps.job.ts';
import { trimSweeps } from './modules/sweeps/trim-sweeps.job.ts';
import { expireWebCards } from './modules/webcard/expire-web-cards.job.ts';
import { pushWebCards } from './modules/webcard/push-web-cards.job.ts';

/** Contents of the background work: what is done, how often an idle worker looks, and how many turns run side by side. */
export const jobs: readonly Job<PublicCtx>[] = [
  job(walkRollouts, { restMs: 500, lanes: 1 }),
  job(flushSkipped, { restMs: 500, lanes: 1 }),
  job(pushDevices, { restMs: 500, lanes: 2 }),
  job(patchObjects, { restMs: 500, lanes: 2 }),
  job(pushWebCards, { restMs: 500, lanes: 2 }),
  job(runSweeps, { restMs: 500, lanes: 2 }),
  job(workOffWebhooks, { restMs: 250, lanes: 2, isTimed: true }),
  job(reconcileStores, { restMs: 2_000, lanes: 4, isTimed: true }),
  job(obeyPrivacyRequests, { restMs: 2_000, lanes: 1, isTimed: true }),
  job(sendInvites, { restMs: 1_000, lanes: 1 }),
  job(expirePoints, { restMs: 5_000, lanes: 1, isTimed: true }),
  job(expireWebCards, { restMs: 2_000, lanes: 1, isTimed: true }),
  job(giveUpPushes, { restMs: 60_000, lanes: 1 }),
  job(auditLedgers, { restMs: 60_000, lanes: 1, isTimed: true }),
  job(sealLedgers, { restMs: 5_000, lanes: 1, isTimed: true }),
  job(trimSweeps, { restMs: 60_000, lanes: 1, isTimed: true }),
  job(trimWebhooks, { restMs: 600_000, lanes: 1, isTimed: true }),
  job(trimImages, { restMs: 600_000, lanes: 1, isTimed: true }),
  job(trimAppleLogs, { restMs: 600_000, lanes: 1, isTimed: true }),
  job(trimGoogleNonces, { restMs: 600_000, lanes: 1, isTimed: true }),
];

/** The job has the name of its function. */
function job(
  run: (ctx: PublicCtx) => Promise<boolean>,
  options: { restMs: number; lanes: number; isTimed?: boolean },
): Job<PublicCtx> {
  return { name: run.name, run, ...options };
}
