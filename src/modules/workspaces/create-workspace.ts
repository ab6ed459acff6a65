import type { Static } from 'typebox';
import { audit } from '../../audit.ts';
import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { encodeId, newUuidV7 } from '../../kit/ids.ts';
import { openCreditAccount } from '../credits/open-credit-account.ts';
import { addKey } from './create-api-key.ts';
import type { CreatedWorkspace, NewWorkspace } from './workspace.schema.ts';
import { insertWorkspace } from './workspaces.sql.ts';

/** A new tenant with its credits, DEFAULT_CREDITS unless told, and one full-access key, whose secret is in the answer and nowhere else. */
export async function createWorkspace(
  tx: Tx,
  ctx: PublicCtx,
  input: Static<typeof NewWorkspace>,
): Promise<Static<typeof CreatedWorkspace>> {
  const { name, plan = 'entry', credits = ctx.app.config.defaultCredits } = input;
  const workspaceId = newUuidV7();
  await insertWorkspace(tx, { workspaceId, name, plan, createdAt: ctx.app.now() });
  await openCreditAccount(tx, ctx, { workspaceId, credits });
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
