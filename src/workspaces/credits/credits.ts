import type { ClockCtx, CommandCtx, PublicCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import type { DueWork } from '../../engine/due.sql.ts';
import { placeOf } from '../../engine/lock-order.ts';
import { holdTaken, takeTurn } from '../../engine/queue.sql.ts';
import { wakeAfter } from '../../engine/wake-after.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { LostRace } from '../../kit/db/database-errors.ts';
import type { Ending } from '../../kit/db/unit.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import {
  deleteAllFlushes,
  deleteFlush,
  type FlushRow,
  findCreditAccount,
  flushTurns,
  insertCreditAccount,
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
}

const ending: Ending<Reservation> = {
  place: placeOf('credits'),
  begin: () => ({ ctx: null, workspaceId: '', credits: 0 }),
  async write(tx, { ctx, workspaceId, credits }) {
    if (ctx !== null) await reserveCredits(tx, ctx, workspaceId, credits);
  },
};

/** Holds credits for pushes under way when the unit ends, with all that it holds by then. */
export function reserveAtEnd(tx: Tx, ctx: PublicCtx, workspaceId: string, credits: number): void {
  const reservation = tx.unit.of(ending);
  Object.assign(reservation, { ctx, workspaceId, credits: reservation.credits + credits });
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
): Promise<void> {
  if (credits === 0) return;
  const move = { kind: 'reserve', amount: -credits, reserved: credits, at: ctx.app.now() } as const;
  if ((await moveCredits(tx, workspaceId, move)) === undefined) throw new LostRace();
}

/** Spends held credits: their pushes were delivered. */
export async function settleCredits(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  credits: number,
): Promise<void> {
  if (credits === 0) return;
  await moveCredits(tx, workspaceId, { kind: 'settle', amount: 0, reserved: -credits, at: ctx.app.now() });
}

/** Gives held credits back: their pushes have failed for good. */
export async function releaseCredits(
  tx: Tx,
  ctx: ClockCtx,
  workspaceId: string,
  credits: number,
): Promise<void> {
  if (credits === 0) return;
  await moveCredits(tx, workspaceId, {
    kind: 'release',
    amount: credits,
    reserved: -credits,
    at: ctx.app.now(),
  });
}

interface Input {
  readonly workspaceId: string;
  readonly amount: number;
  readonly externalRef: string;
  readonly note?: string | undefined;
}

/**
 * Tops up a workspace, and has the pushes delivered that were skipped for lack of credits. `workspaceId` is its uuid.
 * The balance never exceeds 2^53 - 1.
 */
export async function addCredits(tx: Tx, ctx: CommandCtx, input: Input) {
  const { workspaceId, amount, externalRef, note = null } = input;
  const at = ctx.app.now();
  // Before the account: who pays for skipped pushes takes the rows in this order.
  await requestFlush(tx, workspaceId, at);
  const move = { kind: 'grant', amount, reserved: 0, externalRef, note, at } as const;
  const after = await moveCredits(tx, workspaceId, move);
  if (after === undefined) throw invalidRequest('amount: the balance would become too large.');
  audit(tx, ctx, {
    workspaceId,
    action: 'addCredits',
    actor: 'operator',
    target: encodeId('ws', workspaceId),
    detail: { amount, externalRef },
  });
  wakeAfter(tx, ctx, workspaceId, 'flushSkipped');
  return after;
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
  const grant = { kind: 'grant', amount, reserved: 0, note: 'First credits', at: ctx.app.now() } as const;
  await moveCredits(tx, workspaceId, grant);
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
  return takeTurn({ app, queue: flushTurns }, app.now());
}

/** Keeps a flush from other workers until the transaction ends. False where one of them took it since, or it has ended. */
export async function keepFlush(tx: Tx, flush: FlushRow): Promise<boolean> {
  return (await holdTaken(tx, flushTurns, flush)) !== undefined;
}

/** Ends the flush of a workspace: all was paid for, or no credit is left. */
export async function endFlush(tx: Tx, workspaceId: string): Promise<void> {
  await deleteFlush(tx, workspaceId);
}

/** Ends the flushes of all workspaces: what waits for credits waits for the next top-up. */
export async function endAllFlushes(tx: Tx): Promise<void> {
  await deleteAllFlushes(tx);
}
