import type { Static } from 'typebox';
import { type NewApiKey, presentKey } from '../access/key.schema.ts';
import type { CommandCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { addKey } from './create-api-key.ts';
import { findAnyWorkspace } from './update-workspace.ts';

type Input = Static<typeof NewApiKey> & { readonly workspaceId: string };

/** A new key that the operator makes, in a workspace by its public id. Raises `workspace_not_found`. */
export async function createAnyApiKey(tx: Tx, ctx: CommandCtx, input: Input) {
  const { workspaceId: publicId, ...settings } = input;
  const { workspaceId } = await findAnyWorkspace(tx, publicId);
  const { row, secret } = await addKey(tx, ctx, workspaceId, settings);
  const key = presentKey(row);
  audit(tx, ctx, {
    workspaceId,
    action: 'createAnyApiKey',
    actor: 'operator',
    target: key.keyId,
    detail: { name: key.name, access: key.access, passIds: key.passIds },
  });
  return { ...key, secret };
}
