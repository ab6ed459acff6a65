import type { CommandInWorkspace } from '../context.ts';
import { audit } from '../engine/audit.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { changeKey, endSecrets } from './keys.sql.ts';
import { findOwnKey, refuseIfLastKey } from './update-api-key.ts';
import { presentKey } from './workspace.schema.ts';
import { holdWorkspaceRow } from './workspaces.sql.ts';

/** Ends a key for good: every process answers 401 within a second. Revoking it again changes nothing. */
export async function revokeApiKey(tx: Tx, ctx: CommandInWorkspace, input: { keyId: string }) {
  await holdWorkspaceRow(tx, ctx.workspaceId);
  const key = await findOwnKey(tx, ctx, input.keyId);
  if (key.revokedAt !== null) return presentKey(key);
  await refuseIfLastKey(tx, ctx, key.keyId);
  const revokedAt = ctx.app.now();
  await changeKey(tx, ctx.workspaceId, key.keyId, { revokedAt });
  await endSecrets(tx, ctx.workspaceId, key.keyId, revokedAt);
  audit(tx, ctx, { action: 'revokeApiKey', target: encodeId('key', key.keyId) });
  return presentKey({ ...key, revokedAt });
}
