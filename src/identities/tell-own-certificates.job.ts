import type { PublicCtx } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import { toldBefore } from '../workspaces/told-before.ts';
import { type EndingIdentity, listEnding, noteEndTold } from './apple-identities.sql.ts';

const dayMs = 86_400_000;
const mostPerTurn = 200;

/** Tells workspaces, each step once, that a certificate of their own ends. False when none are left to tell. */
export async function tellOwnCertificates(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  for (const days of toldBefore) {
    const before = new Date(now().getTime() + (days + 1) * dayMs);
    const ending = await listEnding(database.db, { before, days, most: mostPerTurn });
    for (const identity of ending) await tell(ctx, identity, days);
    if (ending.length === mostPerTurn) return true;
  }
  return false;
}

async function tell(ctx: PublicCtx, identity: EndingIdentity, days: number): Promise<void> {
  const { workspaceId, passTypeIdentifier, expiresAt } = identity;
  await ctx.app.database.transaction(async (tx) => {
    if (!(await noteEndTold(tx, identity, days))) return;
    const leftMs = expiresAt.getTime() - ctx.app.now().getTime();
    recordEvent(tx, ctx, {
      type: 'certificate.expiring',
      workspaceId,
      actor: 'system',
      passId: null,
      instanceId: null,
      data: {
        wallet: 'apple',
        passTypeIdentifier,
        expiresAt: expiresAt.toISOString(),
        daysLeft: Math.floor(leftMs / dayMs),
      },
    });
  });
}
