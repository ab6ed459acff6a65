import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { PublicCtx } from '../../context.ts';
import { byWorkspace } from '../../engine/by-workspace.ts';
import { leaseDue, postponeLeased, type Queue } from '../../engine/queue.sql.ts';
import { spreadBackOff } from '../../kit/time.ts';
import { recordPushOutcomes } from '../../pushes/record-push-outcomes.ts';
import { resumeWallet, stopWallet } from '../../pushes/wallet-stops.ts';
import type { Apns, ApnsResult } from '../../wallet/apple/apns-push.ts';
import { onlyAsks } from './check-pass-token.ts';
import type { DueDevice } from './devices.sql.ts';
import { giveUpDevices, recordPushed } from './pushed-devices.sql.ts';
import { forgetDevice } from './unregister-device.ts';

/** A turn takes devices in claims of this size, up to so many, and no longer than so long. */
const most = { perClaim: 1_000, perTurn: 20_000, ms: 3_000 };
/** The numbers of pushes that are begun, and recorded, before other calls of the process get their turn. */
const together = { pushes: 50, records: 250 };
/** A worker that dies in the middle of a turn leaves its devices to others after this time: longer than a turn takes. */
const leaseMs = 60_000;
/** Apple: try again after 15 minutes at the latest. */
const mostPauseMs = 900_000;
/** A device that has sent another token waits for nothing. */
const renewedPauseMs = 1_000;

/** Who pushes to devices with cards of one pass type. */
export interface Pusher {
  readonly apns: Pick<Apns, 'push'>;
  /** What a stop of it is known by. */
  readonly scope: string;
  /** Its devices are in a queue with those of others: they wait one by one while it is stopped. */
  readonly isOneOfMany: boolean;
}

/** Finds the pusher for each device of a claim, or the moment before which none may push. */
export type FindPushers = (devices: readonly DueDevice[]) => Promise<(device: DueDevice) => Pusher | Date>;

type Result = ApnsResult | { readonly kind: 'held'; readonly until: Date } | { readonly kind: 'asks' };
type Kind = Result['kind'];
interface Answer<K extends Kind = Kind> {
  readonly device: DueDevice;
  readonly pusher: K extends 'held' | 'asks' ? null : Pusher;
  readonly claimedAt: Date;
  readonly result: Extract<Result, { kind: K }>;
}

/**
 * Sends one empty push to each device of a queue that is due, however many of its cards have changed, and then records
 * the outcomes: devices that are due do not wait for the recording. False when none is left.
 */
export async function pushDueDevices(
  ctx: PublicCtx,
  queue: Queue<DueDevice>,
  findPushers: FindPushers,
): Promise<boolean> {
  const end = performance.now() + most.ms;
  const answers: Answer[] = [];
  let isMore = true;
  while (isMore && answers.length < most.perTurn && performance.now() < end) {
    const some = await pushSome(ctx, queue, findPushers);
    answers.push(...some);
    // What is not plain sailing is looked at before there is more of it.
    isMore = some.length === most.perClaim && some.every(({ result }) => result.kind === 'accepted');
  }
  for (let at = 0; at < answers.length; at += together.records) {
    const began = performance.now();
    await record(ctx, queue, answers.slice(at, at + together.records));
    // No caller waits for the recording, and others use the same database.
    if (answers.length > together.records) await sleep(performance.now() - began);
  }
  return answers.length >= most.perClaim;
}

async function pushSome(
  { app }: PublicCtx,
  queue: Queue<DueDevice>,
  findPushers: FindPushers,
): Promise<Answer[]> {
  const claimedAt = app.now();
  const until = new Date(claimedAt.getTime() + leaseMs);
  const devices = await leaseDue({ app, queue }, { now: claimedAt, until, most: most.perClaim });
  const pusherOf = devices.length === 0 ? null : await findPushers(devices);
  const pushes: Promise<Answer>[] = [];
  for (const [place, device] of devices.entries()) {
    if (place % together.pushes === together.pushes - 1) await nextTurn();
    const pusher = pusherOf?.(device) ?? claimedAt;
    pushes.push(push(device, pusher, claimedAt));
  }
  return Promise.all(pushes);
}

async function push(device: DueDevice, pusher: Pusher | Date, claimedAt: Date): Promise<Answer> {
  if (onlyAsks(device.pushToken)) return { device, pusher: null, claimedAt, result: { kind: 'asks' } };
  if (pusher instanceof Date)
    return { device, pusher: null, claimedAt, result: { kind: 'held', until: pusher } };
  return { device, pusher, claimedAt, result: judge(device, await pusher.apns.push(device.pushToken)) };
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

async function record(ctx: PublicCtx, queue: Queue<DueDevice>, answers: readonly Answer[]): Promise<void> {
  const of = <K extends Kind>(kind: K) =>
    answers.filter((answer) => answer.result.kind === kind) as unknown as Answer<K>[];
  await recordAccepted(ctx, of('accepted'));
  for (const [reason, refused] of Map.groupBy(of('refused'), ({ result }) => result.reason)) {
    ctx.app.log.error({ reason, devices: refused.length }, 'APNs refuses our pushes');
    await giveUp(ctx, devicesOf(refused), reason);
  }
  await giveUp(ctx, devicesOf(of('asks')), 'device_asks');
  const renewed = await forgetGone(ctx, of('gone'));
  const held = of('held').map(({ device, result }) => ({ device, until: result.until }));
  for (const [scope, stopped] of Map.groupBy(of('misconfigured'), ({ pusher }) => pusher.scope)) {
    const retryAt = await stopWallet(ctx, 'apple', scope, stopped[0]?.result.reason ?? '');
    for (const { device, pusher } of stopped)
      held.push({ device, until: pusher.isOneOfMany ? retryAt : ctx.app.now() });
  }
  await postpone(ctx, queue, { later: of('later'), renewed, held });
}

async function recordAccepted(ctx: PublicCtx, answers: readonly Answer<'accepted'>[]): Promise<void> {
  const { database, now } = ctx.app;
  for (const [workspaceId, its] of byWorkspace(devicesOf(answers))) {
    await database.transaction(async (tx) => {
      const cards = await recordPushed(tx, workspaceId, its, now());
      await recordPushOutcomes(tx, ctx, { wallet: 'apple', cards, failure: null });
    });
  }
  for (const scope of new Set(answers.map(({ pusher }) => pusher.scope)))
    await resumeWallet(ctx, 'apple', scope);
}

/** Apple will not take them as they are now, or they are none of Apple's. The next change of each is another try. */
async function giveUp(ctx: PublicCtx, devices: readonly DueDevice[], reason: string): Promise<void> {
  const { database, now } = ctx.app;
  for (const [workspaceId, its] of byWorkspace(devices)) {
    await database.transaction(async (tx) => {
      const cards = await giveUpDevices(tx, workspaceId, its, now());
      await recordPushOutcomes(tx, ctx, { wallet: 'apple', cards, failure: reason });
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

interface Postponed {
  readonly later: readonly Answer<'later'>[];
  readonly renewed: readonly DueDevice[];
  /** Nothing is wrong with these: they are due as soon as the wallet may be asked again. */
  readonly held: readonly { readonly device: DueDevice; readonly until: Date }[];
}

async function postpone(
  ctx: PublicCtx,
  queue: Queue<DueDevice>,
  { later, renewed, held }: Postponed,
): Promise<void> {
  const { app } = ctx;
  const at = app.now().getTime();
  const failed = (device: DueDevice, afterMs: number) => ({
    row: device,
    dueAt: new Date(at + pauseOf(device, afterMs)),
    attempts: device.attempts + 1,
  });
  const devices = [
    ...later.map(({ device, result }) => failed(device, result.afterMs)),
    ...renewed.map((device) => failed(device, renewedPauseMs)),
    ...held.map(({ device, until }) => ({ row: device, dueAt: until, attempts: device.attempts })),
  ];
  for (const its of Map.groupBy(devices, ({ row }) => row.workspaceId).values())
    await app.database.transaction((tx) => postponeLeased(tx, queue, its));
}

/** Twice as long after each attempt, and no shorter than Apple asks for. */
function pauseOf({ attempts }: DueDevice, afterMs: number): number {
  return spreadBackOff({ firstMs: afterMs, mostMs: mostPauseMs }, attempts, afterMs);
}

function devicesOf(answers: readonly { readonly device: DueDevice }[]): DueDevice[] {
  return answers.map(({ device }) => device);
}
