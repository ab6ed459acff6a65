import type { PublicCtx } from '../context.ts';
import { listUnwarned, noteWarned } from '../workspaces/workspaces.sql.ts';
import { daysUntil, warningDays, warnOfEnd } from './warn-of-end.ts';

const workspacesPerTurn = 200;

/**
 * Tells workspaces, each once, that the certificate ends by which their Apple passes are signed. One of the service's own
 * is renewed by itself. False when none are left to tell.
 */
export async function warnOfOwnCertificate(ctx: PublicCtx): Promise<boolean> {
  const { apple, database } = ctx.app;
  const { passTypeIdentifier } = apple;
  const expiresAt = apple.certificate.validToDate;
  const daysLeft = daysUntil(ctx, expiresAt);
  const step = warningDays.find((days) => daysLeft <= days);
  if (step === undefined || apple.development) return false;
  const told = `${apple.certificate.fingerprint256} ${step}`;
  const untold = await listUnwarned(database.db, told, workspacesPerTurn);
  for (const { workspaceId } of untold)
    await database.transaction(async (tx) => {
      if (await noteWarned(tx, workspaceId, told))
        warnOfEnd(tx, ctx, { workspaceId, passTypeIdentifier, expiresAt });
    });
  return untold.length === workspacesPerTurn;
}
