import type { ClockCtx, PublicCtx } from '../../context.ts';
import { placeOf } from '../../engine/lock-order.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { LostRace } from '../../kit/db/database-errors.ts';
import type { Ending } from '../../kit/db/unit.ts';
import { findCreditAccount, moveCredits } from './credits.sql.ts';

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
