import type { PublicCtx } from '../../context.ts';
import { deleteNonces } from './callbacks.sql.ts';

const noncesPerStep = 5_000;

/** Forgets call-backs that have expired: a repetition would not verify any more. False when there are no more of them. */
export async function trimGoogleNonces(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  return (await database.transaction((tx) => deleteNonces(tx, now(), noncesPerStep))) === noncesPerStep;
}
