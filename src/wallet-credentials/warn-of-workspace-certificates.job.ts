import type { PublicCtx } from '../context.ts';
import { listEnding, noteEndWarned } from './apple-identities.sql.ts';
import { warningDays, warnOfEnd } from './warn-of-end.ts';

const dayMs = 86_400_000;
const mostPerTurn = 200;

/** Warns workspaces, once for each step, that a certificate of their own is about to end. False if none are left to warn. */
export async function warnOfWorkspaceCertificates(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  for (const days of warningDays) {
    const before = new Date(now().getTime() + (days + 1) * dayMs);
    const ending = await listEnding(database.db, { before, days, most: mostPerTurn });
    for (const identity of ending)
      await database.transaction(async (tx) => {
        if (await noteEndWarned(tx, identity, days)) warnOfEnd(tx, ctx, identity);
      });
    if (ending.length === mostPerTurn) return true;
  }
  return false;
}
