import type { PublicCtx } from '../context.ts';
import { listUnwarned, noteWarned } from '../workspaces/workspaces.sql.ts';
import { daysUntil, warningDays, warnOfEnd } from './warn-of-end.ts';

const workspacesPerTurn = 200;

/**
 * Warns workspaces, each once, that the certificate which signs their Apple passes is about to end. The service renews
 * certificates of its own authority by itself. False if no workspaces are left to warn.
 */
export async function warnOfOwnCertificate(ctx: PublicCtx): Promise<boolean> {
  const { apple, database } = ctx.app;
  const { passTypeIdentifier } = apple;
  const expiresAt = apple.certificate.validToDate;
  const daysLeft = daysUntil(ctx, expiresAt);
  const step = warningDays.find((days) => daysLeft <= days);
  if (step === undefined || apple.development) return false;
  const warning = `${apple.certificate.fingerprint256} ${step}`;
  const unwarned = await listUnwarned(database.db, warning, workspacesPerTurn);
  for (const { workspaceId } of unwarned)
    await database.transaction(async (tx) => {
      if (await noteWarned(tx, workspaceId, warning))
        warnOfEnd(tx, ctx, { workspaceId, passTypeIdentifier, expiresAt });
    });
  return unwarned.length === workspacesPerTurn;
}
