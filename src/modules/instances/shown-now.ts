import type { PublicCtx } from '../../context.ts';
import { laterSecond } from '../../kit/clock.ts';
import type { InstanceRow } from './instance-row.ts';

/** The Last-Modified of a card: its own change or its pass's, whichever is later. */
export function lastModified(row: Pick<InstanceRow, 'modifiedAt' | 'passModifiedAt'>): Date {
  return new Date(Math.max(row.modifiedAt.getTime(), row.passModifiedAt.getTime()));
}

/** The Last-Modified of a card that changes now: a whole second later than the one it had. */
export function shownNow(ctx: PublicCtx, row: Pick<InstanceRow, 'modifiedAt' | 'passModifiedAt'>): Date {
  return laterSecond(lastModified(row), ctx.app.now());
}
