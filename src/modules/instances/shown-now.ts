import type { PublicCtx } from '../../context.ts';
import { laterSecond, wholeSecond } from '../../kit/clock.ts';
import type { InstanceRow } from './instance-row.ts';

type Shown = Pick<InstanceRow, 'modifiedAt' | 'seenPassRevision' | 'passRevision' | 'passModifiedAt'>;

/**
 * The Last-Modified of a card, in whole seconds: its own last change or its pass's. Every revision of the pass since
 * the card's own change counts as a second at least, so that Last-Modified grows with each change, also when several
 * fall into one second.
 */
export function lastModified(row: Shown): Date {
  const own = row.modifiedAt.getTime() + (row.passRevision - row.seenPassRevision) * 1_000;
  return wholeSecond(new Date(Math.max(own, row.passModifiedAt.getTime())));
}

/** The Last-Modified of a card that changes now: a whole second later than the one it had. */
export function shownNow(ctx: PublicCtx, row: Shown): Date {
  return laterSecond(lastModified(row), ctx.app.now());
}
