import type { PublicCtx } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import { toldBefore } from './told-before.ts';
import { listUntold, noteTold } from './workspaces.sql.ts';

const dayMs = 86_400_000;
const workspacesPerTurn = 200;

/**
 * Tells workspaces, each once, that the certificate ends by which their Apple passes are signed. One of the service's own
 * is renewed by itself. False when none are left to tell.
 */
export async function tellCertificates(ctx: PublicCtx): Promise<boolean> {
  const { apple, database, now } = ctx.app;
  const expiresAt = apple.certificate.validToDate;
  const daysLeft = Math.floor((expiresAt.getTime() - now().getTime()) / dayMs);
  const step = toldBefore.find((days) => daysLeft <= days);
  if (step === undefined || apple.development) return false;
  const told = `${apple.certificate.fingerprint256} ${step}`;
  const untold = await listUntold(database.db, told, workspacesPerTurn);
  for (const { workspaceId } of untold)
    await database.transaction(async (tx) => {
      if (!(await noteTold(tx, workspaceId, told))) return;
      recordEvent(tx, ctx, {
        type: 'certificate.expiring',
        workspaceId,
        actor: 'system',
        passId: null,
        instanceId: null,
        data: {
          wallet: 'apple',
          passTypeIdentifier: apple.passTypeIdentifier,
          expiresAt: expiresAt.toISOString(),
          daysLeft,
        },
      });
    });
  return untold.length === workspacesPerTurn;
}
