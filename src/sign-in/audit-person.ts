import type { AdmittedSession } from '../access/sessions.sql.ts';
import type { PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';

interface Line {
  readonly action: string;
  /** null: the person. */
  readonly target: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Leaves a line of what a person did with their own ways in, in each workspace that their session reaches, by the id that it
 * knows them by.
 */
export function auditPerson(
  tx: Tx,
  ctx: PublicCtx,
  { memberships }: Pick<AdmittedSession, 'memberships'>,
  { target, ...line }: Line,
): void {
  for (const { workspaceId, personId } of memberships) {
    const actor = encodeId('person', personId);
    audit(tx, ctx, { workspaceId, actor, target: target ?? actor, ...line });
  }
}
