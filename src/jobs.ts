import { foldLeft } from './cards/fold-left.job.ts';
import type { DueCtx, JobName, PublicCtx } from './context.ts';
import { flushesDue } from './credits/credits.ts';
import { devicesDue, pushDevices } from './delivery/apple/push-devices.job.ts';
import { ownDevicesDue, pushOwnDevices } from './delivery/apple/push-own-devices.job.ts';
import { endMessages, messagesEnding } from './delivery/end-messages.job.ts';
import { flushSkipped } from './delivery/flush-skipped.job.ts';
import { giveUpPushes, pushesStale } from './delivery/give-up-pushes.job.ts';
import { objectsDue, patchObjects } from './delivery/google/patch-objects.job.ts';
import { ownObjectsDue, patchOwnObjects } from './delivery/google/patch-own-objects.job.ts';
import { plannedDue, sendPlanned } from './delivery/send-planned.job.ts';
import { trimAppleLogs, trimGoogleNonces } from './delivery/trim-expired.job.ts';
import { trimIdentities } from './delivery/trim-identities.job.ts';
import { rolloutsDue, walkRollouts } from './delivery/walk-rollouts.job.ts';
import { expireWebCards, viewersOver } from './delivery/web/expire-web-cards.job.ts';
import { pushWebCards, webCardsDue } from './delivery/web/push-web-cards.job.ts';
import {
  allOf,
  anyOf,
  type Condition,
  type Due,
  type DueWork,
  dueSince,
  findTrue,
  isAnyDue,
} from './engine/due.sql.ts';
import { trimJoins } from './enrolment/trim-joins.job.ts';
import { obeyPrivacyRequests, privacyRequestsDue } from './erasure/obey-privacy-requests.job.ts';
import { walkErasures } from './erasure/walk-erasures.job.ts';
import { followLogs, logsDue } from './events/follow-log.ts';
import { trimEvents } from './events/trim-events.job.ts';
import { invitesDue, sendInvites } from './invitations/send-invites.job.ts';
import { runSweeps, sweepsDue, trimSweeps } from './invitations/sweeps/run-sweeps.job.ts';
import type { Db } from './kit/db/database.ts';
import { sql } from './kit/db/sql.ts';
import type { Job } from './kit/processes/worker.ts';
import { auditLedgers } from './ledger/audit-ledger.job.ts';
import { expirePoints } from './loyalty/expire-points.job.ts';
import { unlockRewards, unlocksDue } from './loyalty/unlock-rewards.job.ts';
import {
  processStoreWebhooks,
  trimWebhooks,
  webhooksDue,
} from './orders/from-stores/process-store-webhooks.job.ts';
import { reconcileStores, storesDue } from './orders/from-stores/reconcile-stores.job.ts';
import { trimImages } from './passes/images/trim-images.job.ts';
import { trimRequests } from './request-log/trim-requests.job.ts';
import { walkStatistics } from './statistics/walk-statistics.job.ts';
import { warnOfOwnCertificate } from './wallet-credentials/warn-of-own-certificate.job.ts';
import { warnOfWorkspaceCertificates } from './wallet-credentials/warn-of-workspace-certificates.job.ts';
import {
  deliveriesDue,
  deliverWebhooks,
  takeOverClaims,
  trimDeliveries,
} from './webhooks/deliver-webhooks.job.ts';

/** Contents of the background work with queues: how many turns run side by side, and what is due. */
const dueJobs: Readonly<Record<JobName, DueJob>> = {
  followLogs: { run: followLogs, lanes: 1, restMs: 100, due: logsDue },
  deliverWebhooks: { run: deliverWebhooks, lanes: 1, restMs: 25, due: deliveriesDue },
  walkRollouts: { run: walkRollouts, lanes: 1, due: rolloutsDue },
  sendPlanned: { run: sendPlanned, lanes: 1, due: plannedDue },
  endMessages: { run: endMessages, lanes: 1, due: messagesEnding },
  unlockRewards: { run: unlockRewards, lanes: 1, due: unlocksDue },
  flushSkipped: { run: flushSkipped, lanes: 1, due: flushesDue },
  pushDevices: { run: pushDevices, lanes: 2, due: devicesDue },
  pushOwnDevices: { run: pushOwnDevices, lanes: 2, due: ownDevicesDue },
  patchObjects: { run: patchObjects, lanes: 2, due: objectsDue },
  patchOwnObjects: { run: patchOwnObjects, lanes: 2, due: ownObjectsDue },
  pushWebCards: { run: pushWebCards, lanes: 2, due: webCardsDue },
  runSweeps: { run: runSweeps, lanes: 2, due: sweepsDue },
  workOffWebhooks: { run: processStoreWebhooks, lanes: 2, due: webhooksDue },
  reconcileStores: { run: reconcileStores, lanes: 4, due: storesDue },
  obeyPrivacyRequests: { run: obeyPrivacyRequests, lanes: 1, due: privacyRequestsDue },
  sendInvites: { run: sendInvites, lanes: 1, due: invitesDue },
  giveUpPushes: { run: giveUpPushes, lanes: 1, due: pushesStale },
  expireWebCards: { run: expireWebCards, lanes: 1, due: viewersOver },
};

/** Contents of the rest, which runs periodically: how often an idle worker begins a turn. */
const timedJobs: readonly Job<PublicCtx>[] = [
  timed(foldLeft, 20_000),
  timed(expirePoints, 5_000),
  timed(auditLedgers, 60_000),
  timed(walkErasures, 60_000),
  timed(walkStatistics, 5_000),
  timed(trimEvents, 60_000),
  timed(trimRequests, 60_000),
  timed(trimSweeps, 60_000),
  timed(trimWebhooks, 600_000),
  timed(takeOverClaims, 5_000),
  timed(trimDeliveries, 60_000),
  timed(trimImages, 600_000),
  timed(trimJoins, 600_000),
  timed(trimAppleLogs, 600_000),
  timed(trimGoogleNonces, 600_000),
  timed(warnOfOwnCertificate, 3_600_000),
  timed(warnOfWorkspaceCertificates, 3_600_000),
  timed(trimIdentities, 600_000),
];

interface DueJob extends Pick<Job<PublicCtx>, 'run' | 'lanes' | 'restMs'> {
  due(ctx: DueCtx): DueWork;
}

const names = Object.keys(dueJobs) as JobName[];

/** All background work. */
export const jobs: readonly Job<PublicCtx>[] = [
  ...names.map((name) => ({
    ...dueJobs[name],
    name,
    run: (ctx: PublicCtx) => acquirePace(ctx, name),
  })),
  ...timedJobs,
];

async function acquirePace(ctx: PublicCtx, name: JobName): Promise<boolean> {
  const { run, due } = dueJobs[name];
  const isMore = await run(ctx);
  await ctx.app.dueWorkspaces?.settle(name, due(ctx).queues, ctx.app.now());
  return isMore;
}

/** Names of the database sessions of processes that do this work, without serving and while serving. */
export const workingSessions = ['punchcard work', 'punchcard serve+work'] as const;

/** What the sessions of a process are called; one that neither serves nor works is the parent of such. */
export function sessionName(serves: boolean, works: boolean): string {
  if (works) return workingSessions[serves ? 1 : 0];
  return serves ? 'punchcard serve' : 'punchcard parent';
}

/** The jobs that have something to do, as one question to the database. */
export async function findDueJobs(ctx: PublicCtx): Promise<JobName[]> {
  const asked = names.flatMap((name) => {
    const { queues, condition } = dueJobs[name].due(ctx);
    if (queues.length === 0) return [];
    const isDue = isAnyOf(ctx, name, queues);
    return [[name, condition === undefined ? isDue : allOf(isDue, condition)] as const];
  });
  return findTrue(ctx.app.database.db, asked);
}

/** The job whose work has waited longest to be taken, and since when; undefined where nothing waits. */
export async function findOldestDue(
  db: Db,
  ctx: DueCtx,
): Promise<{ readonly job: JobName; readonly since: Date } | undefined> {
  const works = names.map((name) => ({ name, ...dueJobs[name].due(ctx) }));
  const asked = works.map(({ name, condition }) => [name, condition ?? sql`true`] as const);
  const able = new Set(await findTrue(db, asked));
  const waiting: { job: JobName; since: Date }[] = [];
  for (const { name, queues } of works.filter(({ name }) => able.has(name)))
    for (const queue of queues) {
      const since = await dueSince(db, queue, ctx.app.now());
      if (since !== null) waiting.push({ job: name, since });
    }
  return waiting.sort((a, b) => a.since.getTime() - b.since.getTime())[0];
}

function isAnyOf({ app }: PublicCtx, name: JobName, queues: readonly Due[]): Condition {
  const now = app.now();
  if (app.dueWorkspaces !== null) return app.dueWorkspaces.isAnyNoted(name, now);
  return anyOf(...queues.map((queue) => isAnyDue(queue, now)));
}

/** Further jobs of a cluster: they note the workspaces in which something is due that no process has noted. */
export const clusterJobs: readonly Job<PublicCtx>[] = [timed(noteDue, 1_000)];

async function noteDue(ctx: PublicCtx): Promise<boolean> {
  const queues = names.flatMap((name) =>
    dueJobs[name].due(ctx).queues.map((queue) => [name, queue] as const),
  );
  await ctx.app.dueWorkspaces?.noteAll(queues, ctx.app.now());
  return false;
}

/** The job has the name of its function. */
function timed(run: (ctx: PublicCtx) => Promise<boolean>, everyMs: number): Job<PublicCtx> {
  return { name: run.name, run, lanes: 1, everyMs };
}
