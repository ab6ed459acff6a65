import type { ClockCtx, CommandCtx, PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { DueWork } from '../engine/due.sql.ts';
import { lockRankOf } from '../engine/lock-order.ts';
import { acquirePace, lockLeased } from '../engine/queue.sql.ts';
import { wakeAfter } from '../engine/wake-after.ts';
import { actorOf, recordEvent } from '../events/record-event.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import {
  type CreditAccountRow,
  type CreditCause,
  deleteAllFlushes,
  deleteFlush,
  type FlushRow,
  findCreditAccount,
  flushTurns,
  insertCreditAccount,
  type MovedCredits,
  moveCredits,
  requestFlush,
} from './credits.sql.ts';

/** The credits that are free to spend, as of now: others may take them before `reserveCredits` does. */
export async function freeCredits(db: Db, workspaceId: string): Promise<number> {
  return (await findCreditAccount(db, workspaceId)).balance;
}

/** What a unit of work reserves in one workspace. */
interface Reservation {
  ctx: PublicCtx | null;
  workspaceId: string;
  credits: number;
  readonly causes: CreditCause[];
}

const deferred: DeferredWrite<Reservation> = {
  lockRank: lockRankOf('credits'),
  empty: () => ({ ctx: null, workspaceId: '', credits: 0, causes: [] }),
  async write(tx, { ctx, workspaceId, credits, causes }) {
    if (ctx !== null) await reserveCredits(tx, ctx, workspaceId, credits, commonCause(causes));
  },
};

/** Holds a credit for the push of a card when the unit ends, with all that it holds by then. */
export function reserveAtEnd(tx: Tx, ctx: PublicCtx, workspaceId: string, instanceId: string): void {
  const reservation = tx.unit.of(deferred);
  Object.assign(reservation, { ctx, workspaceId, credits: reservation.credits + 1 });
  reservation.causes.push({ ...noCause, instanceId, requestId: ctx.requestId });
}

/** What is not known to be for anything. */
export const noCause: CreditCause = { instanceId: null, messageId: null, rolloutId: null, requestId: null };

/** What several have in common. */
export function commonCause(causes: readonly CreditCause[]): CreditCause {
  const [first = noCause] = causes;
  const common = <K extends keyof CreditCause>(name: K) =>
    causes.every((cause) => cause[name] === first[name]) ? first[name] : null;
  return {
    instanceId: common('instanceId'),
    messageId: common('messageId'),
    rolloutId: common('rolloutId'),
    requestId: common('requestId'),
  };
}

/**
 * Holds credits for pushes under way; the last step of a transaction, since the account's row is the busiest. Raises
 * `LostRace` when they are gone since the caller looked: the transaction starts again and then sees it.
 */
export async function reserveCredits(
  tx: Tx,
  ctx: PublicCtx,
  workspaceId: string,
  credits: number,
  cause: CreditCause,
): Promise<void> {
  if (credits === 0) return;
  const move = { kind: 'reserve', amount: -credits, reserved: credits, cause, at: ctx.app.now() } as const;
  const after = await moveCredits(tx, workspaceId, move);
  if (after === undefined) throw new LostRace();
  emitIfLow(tx, ctx, workspaceId, credits, after);
}

/**
 * Emits an event when credits have become low: once after each top-up, however often they rise and fall by what is
 * reserved and released.
 */
function emitIfLow(
  tx: Tx,
  ctx: CommandCtx | PublicCtx,
  workspaceId: string,
  taken: number,
  { isLow, lowAt, ...account }: MovedCredits,
): void {
  if (!isLow) return;
  recordEvent(tx, ctx, {
    type: 'credits.low',
    workspaceId,
    actor: actorOf(ctx),
    passId: null,
    instanceId: null,
    data: { ...account, lowAt },
    previous: { balance: account.balance + taken },
  });
}

/** Spends held credits: their pushes were delivered. */
export function settleCredits(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  credits: number,
  cause: CreditCause,
): Promise<void> {
  return endHold(tx, ctx, workspaceId, credits, { kind: 'settle', amount: 0, cause });
}

/** Gives held credits back: their pushes have failed for good. */
export function releaseCredits(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  credits: number,
  cause: CreditCause,
): Promise<void> {
  return endHold(tx, ctx, workspaceId, credits, { kind: 'release', amount: credits, cause });
}

async function endHold(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  credits: number,
  move: { readonly kind: 'settle' | 'release'; readonly amount: number; readonly cause: CreditCause },
): Promise<void> {
  if (credits !== 0) await moveCredits(tx, workspaceId, { ...move, reserved: -credits, at: ctx.app.now() });
}

interface Input {
  readonly workspaceId: string;
  readonly amount: number;
  readonly externalRef: string;
  readonly note?: string | undefined;
}

/**
 * Tops up a workspace, and has the pushes delivered that were skipped for lack of credits; a negative amount takes free
 * ones back. `workspaceId` is its uuid. The balance never exceeds 2^53 - 1, nor falls below zero.
 */
export async function addCredits(tx: Tx, ctx: CommandCtx, input: Input): Promise<CreditAccountRow> {
  const { workspaceId, amount, externalRef, note = null } = input;
  if (amount === 0) throw invalidField('amount', 'other', '0 changes nothing.');
  const at = ctx.app.now();
  const isTopUp = amount > 0;
  // Before the account: who pays for skipped pushes takes the rows in this order.
  if (isTopUp) await requestFlush(tx, workspaceId, at);
  const kind = isTopUp ? 'grant' : 'correct';
  const cause = { ...noCause, requestId: ctx.requestId };
  const after = await moveCredits(tx, workspaceId, {
    kind,
    amount,
    reserved: 0,
    externalRef,
    note,
    cause,
    at,
  });
  if (after === undefined) throw await refuseAmount(tx, workspaceId, amount);
  const { balance, reserved, spent } = after;
  audit(tx, ctx, {
    workspaceId,
    action: 'addCredits',
    actor: 'operator',
    target: encodeId('ws', workspaceId),
    detail: { amount, externalRef, note, before: { balance: balance - amount }, after: { balance } },
  });
  recordEvent(tx, ctx, {
    type: 'credits.added',
    workspaceId,
    actor: 'operator',
    passId: null,
    instanceId: null,
    data: { amount, externalRef, note, balance, reserved, spent },
    previous: { balance: balance - amount },
  });
  if (isTopUp) wakeAfter(tx, ctx, workspaceId, 'flushSkipped');
  else emitIfLow(tx, ctx, workspaceId, -amount, after);
  return { balance, reserved, spent };
}

async function refuseAmount(tx: Tx, workspaceId: string, amount: number) {
  if (amount > 0) return invalidField('amount', 'max_value', 'the balance would become too large.');
  const { balance, reserved } = await findCreditAccount(tx, workspaceId);
  return invalidField(
    'amount',
    'other',
    `${-amount} credits cannot be taken back: ${balance} are free, and ${reserved} are held for pushes under way.`,
  );
}

/** The credit account of a new workspace, with its first credits. */
export async function addCreditAccount(
  tx: Tx,
  ctx: CommandCtx,
  input: { workspaceId: string; credits: number },
): Promise<void> {
  await insertCreditAccount(tx, input.workspaceId);
  if (input.credits === 0) return;
  const { workspaceId, credits: amount } = input;
  const cause = { ...noCause, requestId: ctx.requestId };
  await moveCredits(tx, workspaceId, {
    kind: 'grant',
    amount,
    reserved: 0,
    note: 'First credits',
    cause,
    at: ctx.app.now(),
  });
}

/** The top-ups that have yet to pay for skipped pushes. */
export function flushesDue(): DueWork {
  return { queues: [flushTurns] };
}

/**
 * The flush that has waited longest to pay for skipped pushes. It has had its turn with that, in a transaction of its
 * own: should its step fail, others go on.
 */
export async function takeNextFlush({ app }: PublicCtx): Promise<FlushRow | undefined> {
  return acquirePace({ app, queue: flushTurns }, app.now());
}

/** Keeps a flush from other workers until the transaction ends. False where one of them took it since, or it has ended. */
export async function keepFlush(tx: Tx, flush: FlushRow): Promise<boolean> {
  return (await lockLeased(tx, flushTurns, flush)) !== undefined;
}

/** Ends the flush of a workspace: all was paid for, or no credit is left. */
export async function endFlush(tx: Tx, workspaceId: string): Promise<void> {
  await deleteFlush(tx, workspaceId);
}

/** Ends the flushes of all workspaces: what waits for credits waits for the next top-up. */
export async function endAllFlushes(tx: Tx): Promise<void> {
  await deleteAllFlushes(tx);
}
