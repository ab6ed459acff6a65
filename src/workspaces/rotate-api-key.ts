import type { KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { addSecret } from './create-api-key.ts';
import { deleteEndedSecrets, endSecrets } from './keys.sql.ts';
import { findOwnKey } from './update-api-key.ts';
import { presentKey } from './workspace.schema.ts';
import { holdWorkspaceRow } from './workspaces.sql.ts';

/** Gives a key a new secret; the old one works until the overlap ends, never past the key's own end. */
export async function rotateApiKey(tx: Tx, ctx: KeyCtx, input: { keyId: string; overlapSeconds: number }) {
  await holdWorkspaceRow(tx, ctx.workspaceId);
  const key = await findOwnKey(tx, ctx, input.keyId);
  const now = ctx.app.now();
  const ended = key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
  if (ended)
    throw refusal('api_key_not_found', 'This API key has ended: create a new one with POST /api-keys.');
  await deleteEndedSecrets(tx, ctx.workspaceId, key.keyId, now);
  await endSecrets(tx, ctx.workspaceId, key.keyId, new Date(now.getTime() + input.overlapSeconds * 1_000));
  const secret = await addSecret(tx, ctx.workspaceId, key.keyId);
  audit(tx, ctx, {
    action: 'rotateApiKey',
    target: encodeId('key', key.keyId),
    detail: { overlapSeconds: input.overlapSeconds },
  });
  return { ...presentKey(key), secret };
}
