import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { DueCtx, PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { postponeTaken, takeDue } from '../../engine/queue.sql.ts';
import { spreadBackOff } from '../../kit/time.ts';
import { settlePushes } from '../../pushes/settle-pushes.ts';
import { isStopped, maySend, resumeWallet, stopWallet } from '../../pushes/wallet-stops.ts';
import type { ApnsResult } from '../../wallet/apple/apns-push.ts';
import { type DueDevice, dueDevices } from './devices.sql.ts';
import { giveUpDevices, recordPushed } from './pushed-devices.sql.ts';
import { forgetDevice } from './unregister-device.ts';

/** A turn takes devices in claims of this size, up to so many, and no longer than so long. */
const most = { perClaim: 1_000, perTurn: 20_000, ms: 3_000 };
/** So many are begun, and so many recorded, before other calls of the process get their turn. */
const together = { pushes: 50, records: 250 };
/** A worker that dies in the middle of a turn leaves its devices to others after this time: longer than a turn takes. */
const leaseMs = 60_000;
/** Apple: try again after 15 minutes at the latest. */
const mostPauseMs = 900_000;
/** A device that has sent another token waits for nothing. */
const renewedPauseMs = 1_000;

type Kind = ApnsResult['kind'];
interface Answer<K extends Kind = Kind> {
  readonly device: DueDevice;
  readonly claimedAt: Date;
  readonly result: Extract<ApnsResult, { kind: K }>;
}

/** The devices that may be pushed to. */
export function devicesDue(ctx: DueCtx): DueWork {
  const { apns, apple } = ctx.app;
  return {
    queues: apns.pausedUntil === null ? [queueOf(ctx.app)] : [],
    condition: maySend(ctx, 'apple', apple.passTypeIdentifier),
  };
}

/**
 * Sends one empty push to each device that is due, however many of its cards have changed, and then records what became
 * of them: devices that are due do not wait for the recording. False when none is left, or when Apple cannot be reached.
 */
export async function pushDevices(ctx: PublicCtx): Promise<boolean> {
  const { apns, apple } = ctx.app;
  if (apns.pausedUntil !== null || (await isStopped(ctx, 'apple', apple.passTypeIdentifier))) return false;
  const end = performance.now() + most.ms;
  const answers: Answer[] = [];
  let isMore = true;
  while (isMore && answers.length < most.perTurn && performance.now() < end) {
    const some = await pushSome(ctx);
    answers.push(...some);
    // What is not plain sailing is looked at before there is more of it.
    isMore = some.length === most.perClaim && some.every(({ result }) => result.kind === 'accepted');
  }
  for (let at = 0; at < answers.length; at += together.records) {
    const began = performance.now();
    await record(ctx, answers.slice(at, at + together.records));
    // No caller waits for the recording, and others use the same database.
    if (answers.length > together.records) await sleep(performance.now() - began);
  }
  return answers.length >= most.perClaim;
}

async function pushSome({ app }: PublicCtx): Promise<Answer[]> {
  const claimedAt = app.now();
  const until = new Date(claimedAt.getTime() + leaseMs);
  const on = { app, queue: queueOf(app) };
  const devices = await takeDue(on, { now: claimedAt, until, most: most.perClaim });
  const pushes: Promise<Answer>[] = [];
  for (const [place, device] of devices.entries()) {
    if (place % together.pushes === together.pushes - 1) await nextTurn();
    const push = async () => judge(device, await app.apns.push(device.pushToken));
    pushes.push(push().then((result) => ({ device, claimedAt, result })));
  }
  return Promise.all(pushes);
}

/**
 * Every holder of a card can register a token of another topic: it must not stop the pushes to all others. Only of a
 * token that was good before it says that our topic is wrong.
 */
function judge(device: DueDevice, result: ApnsResult): ApnsResult {
  const isItsOwnFault =
    result.kind === 'misconfigured' && result.reason === 'DeviceTokenNotForTopic' && !device.isKnown;
  return isItsOwnFault ? { kind: 'refused', reason: result.reason } : result;
}

async function record(ctx: PublicCtx, answers: readonly Answer[]): Promise<void> {
  const of = <K extends Kind>(kind: K) =>
    answers.filter((answer) => answer.result.kind === kind) as unknown as Answer<K>[];
  await recordAccepted(ctx, devicesOf(of('accepted')));
  for (const [reason, refused] of Map.groupBy(of('refused'), ({ result }) => result.reason))
    await giveUp(ctx, devicesOf(refused), reason);
  const renewed = await forgetGone(ctx, of('gone'));
  const [misconfigured] = of('misconfigured');
  if (misconfigured !== undefined)
    await stopWallet(ctx, 'apple', ctx.app.apple.passTypeIdentifier, misconfigured.result.reason);
  await postpone(ctx, of('later'), renewed, devicesOf(of('misconfigured')));
}

async function recordAccepted(ctx: PublicCtx, devices: readonly DueDevice[]): Promise<void> {
  const { apple, database, now } = ctx.app;
  if (devices.length === 0) return;
  for (const [workspaceId, its] of byWorkspace(devices)) {
    await database.transaction(async (tx) => {
      const cards = await recordPushed(tx, workspaceId, its, now());
      await settlePushes(tx, ctx, { wallet: 'apple', cards, failure: null });
    });
  }
  await resumeWallet(ctx, 'apple', apple.passTypeIdentifier);
}

/** Apple will not take them as they are now. The next change of each is another try. */
async function giveUp(ctx: PublicCtx, devices: readonly DueDevice[], reason: string): Promise<void> {
  const { database, log, now } = ctx.app;
  log.error({ reason, devices: devices.length }, 'APNs refuses our pushes');
  for (const [workspaceId, its] of byWorkspace(devices)) {
    await database.transaction(async (tx) => {
      const cards = await giveUpDevices(tx, workspaceId, its, now());
      await settlePushes(tx, ctx, { wallet: 'apple', cards, failure: reason });
    });
  }
}

/** Those that have sent another token since, and keep their cards. */
async function forgetGone(ctx: PublicCtx, answers: readonly Answer<'gone'>[]): Promise<DueDevice[]> {
  const renewed: DueDevice[] = [];
  for (const { device, claimedAt, result } of answers) {
    // Where Apple names no time it means the token that was taken: the device may have sent another since.
    const gone = { reason: result.reason, at: result.at ?? claimedAt };
    if (!(await forgetDevice(ctx, device, gone))) renewed.push(device);
  }
  return renewed;
}

async function postpone(
  ctx: PublicCtx,
  later: readonly Answer<'later'>[],
  renewed: readonly DueDevice[],
  blameless: readonly DueDevice[],
): Promise<void> {
  const { app } = ctx;
  if (later.length + renewed.length + blameless.length === 0) return;
  const at = app.now().getTime();
  const failed = (device: DueDevice, afterMs: number) => ({
    row: device,
    dueAt: new Date(at + pauseOf(device, afterMs)),
    attempts: device.attempts + 1,
  });
  const devices = [
    ...later.map(({ device, result }) => failed(device, result.afterMs)),
    ...renewed.map((device) => failed(device, renewedPauseMs)),
    // Nothing is wrong with these: they are due as soon as the wallet is started again.
    ...blameless.map((device) => ({ row: device, dueAt: new Date(at), attempts: device.attempts })),
  ];
  for (const its of Map.groupBy(devices, ({ row }) => row.workspaceId).values())
    await app.database.transaction((tx) => postponeTaken(tx, queueOf(app), its));
}

function queueOf({ apple }: DueCtx['app']) {
  return dueDevices(apple.passTypeIdentifier);
}

/** Twice as long after each attempt, and no shorter than Apple asks for. */
function pauseOf({ attempts }: DueDevice, afterMs: number): number {
  return spreadBackOff({ firstMs: afterMs, mostMs: mostPauseMs }, attempts, afterMs);
}

function devicesOf(answers: readonly { readonly device: DueDevice }[]): DueDevice[] {
  return answers.map(({ device }) => device);
}
