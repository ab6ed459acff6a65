import type { Static } from 'typebox';
import type { CommandCtx } from '../context.ts';
import { addCreditAccount } from '../credits/credits.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidRequest } from '../kit/http/api-error.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import type { CreatedWorkspace, NewWorkspace } from '../workspaces/workspace.schema.ts';
import { changeWorkspace, findWorkspace, insertWorkspace } from '../workspaces/workspaces.sql.ts';
import { addKey } from './create-api-key.ts';

/** A new tenant with its credits, DEFAULT_CREDITS by default, and one full-access key, whose secret is in the answer and nowhere else. */
export async function createWorkspace(
  tx: Tx,
  ctx: CommandCtx,
  input: Static<typeof NewWorkspace>,
): Promise<Static<typeof CreatedWorkspace>> {
  const { name, plan = 'entry', credits = ctx.app.config.defaultCredits } = input;
  const workspaceId = newUuidV7();
  await insertWorkspace(tx, { workspaceId, name, plan, createdAt: ctx.app.now() });
  await addCreditAccount(tx, ctx, { workspaceId, credits });
  const { secret } = await addKey(tx, ctx, workspaceId, { name: 'First key', access: 'full' });
  const publicId = encodeId('ws', workspaceId);
  audit(tx, ctx, {
    workspaceId,
    action: 'createWorkspace',
    actor: 'operator',
    target: publicId,
    detail: { name, plan, credits },
  });
  return { workspaceId: publicId, name, plan, credits, apiKey: secret };
}

/** Raises `invalid_request` where a workspace that is to be loaded is here already. */
export async function admitArrival(tx: Tx, workspaceId: string): Promise<void> {
  if ((await findWorkspace(tx, workspaceId)) === undefined) return;
  throw invalidRequest('The workspace is here already: nothing was changed.');
}

/**
 * Has a workspace that was loaded begin suspended, also where it was copied from one that is not. Raises `invalid_request` where
 * none was.
 */
export async function suspendArrival(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  const arrived = await findWorkspace(tx, workspaceId);
  if (arrived === undefined)
    throw invalidRequest('The file does not have the workspace: nothing was changed.');
  if (arrived.suspendedAt === null) await changeWorkspace(tx, workspaceId, { suspendedAt: at });
}
