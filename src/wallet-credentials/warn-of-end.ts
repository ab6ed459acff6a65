import type { PublicCtx } from '../context.ts';
import { recordEvent } from '../events/record-event.ts';
import type { Tx } from '../kit/db/database.ts';

const dayMs = 86_400_000;

/** A workspace is warned of the end of a certificate when this many days are left; the fewest first. */
export const warningDays = [1, 7, 14, 30];

/** How many whole days are left until a moment. */
export function daysUntil({ app }: PublicCtx, moment: Date): number {
  return Math.floor((moment.getTime() - app.now().getTime()) / dayMs);
}

/** The end of a certificate that Apple passes of a workspace are signed by. */
interface End {
  readonly workspaceId: string;
  readonly passTypeIdentifier: string;
  readonly expiresAt: Date;
}

/** Emits a warning to a workspace. */
export function warnOfEnd(tx: Tx, ctx: PublicCtx, { workspaceId, passTypeIdentifier, expiresAt }: End): void {
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
      daysLeft: daysUntil(ctx, expiresAt),
    },
  });
}
