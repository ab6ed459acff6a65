import type { PublicCtx } from '../context.ts';
import { firstIdSince } from '../kit/ids.ts';
import { deleteLogs } from './apple/logs.sql.ts';
import { deleteNonces } from './google/callbacks.sql.ts';

const daysKept = 30;
const linesKept = 10_000;
const linesPerStep = 5_000;

/** Deletes what devices have reported beyond what is kept. False when that is everything. */
export async function trimAppleLogs(ctx: PublicCtx): Promise<boolean> {
  const since = firstIdSince(new Date(ctx.app.now().getTime() - daysKept * 86_400_000));
  const keep = { since, most: linesKept, limit: linesPerStep };
  return (await ctx.app.database.transaction((tx) => deleteLogs(tx, keep))) === linesPerStep;
}

const noncesPerStep = 5_000;

/** Deletes call-backs that have expired: a repetition no longer verifies. False when there are no more of them. */
export async function trimGoogleNonces(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  return (await database.transaction((tx) => deleteNonces(tx, now(), noncesPerStep))) === noncesPerStep;
}
