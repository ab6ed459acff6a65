import type { AdmittedSession } from '../access/sessions.sql.ts';
import type { PublicCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';

interface Line {
  readonly action: string;
  readonly target: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Leaves a line of what a person did with their own ways in, in each workspace that their session reaches. */
export function auditPerson(
  tx: Tx,
  ctx: PublicCtx,
  { personId, memberships }: Pick<AdmittedSession, 'personId' | 'memberships'>,
  line: Line,
): void {
  const actor = encodeId('person', personId);
  for (const { workspaceId } of memberships) audit(tx, ctx, { workspaceId, actor, ...line });
}
