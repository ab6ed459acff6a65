import type { Static } from 'typebox';
import type { CommandInWorkspace, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { futureMoment } from '../kit/http/parameters.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { ownPassIds } from './create-api-key.ts';
import { changeKey, findKeyAnywhere, type KeyRow, otherFullKeyExists } from './keys.sql.ts';
import { type ApiKeyChanges, presentKey } from './workspace.schema.ts';
import { lockWorkspace } from './workspaces.sql.ts';

/** Changes a key's name, access, passes, rate or end. The workspace keeps at least one full-access key. */
export async function updateApiKey(
  tx: Tx,
  ctx: KeyCtx,
  input: { keyId: string; changes: Static<typeof ApiKeyChanges> },
) {
  const { changes } = input;
  await lockWorkspace(tx, ctx.workspaceId);
  const before = await findOwnKey(tx, ctx, input.keyId);
  const after = {
    ...before,
    ...changes,
    passIds:
      changes.passIds === undefined ? before.passIds : await ownPassIds(tx, ctx.workspaceId, changes.passIds),
    expiresAt:
      changes.expiresAt === undefined
        ? before.expiresAt
        : futureMoment('expiresAt', changes.expiresAt, ctx.app.now()),
  };
  if (narrows(before, after)) await refuseIfLastKey(tx, ctx, before.keyId);
  const { name, access, passIds, rateLimit, expiresAt } = after;
  await changeKey(tx, ctx.workspaceId, before.keyId, { name, access, passIds, rateLimit, expiresAt });
  audit(tx, ctx, {
    action: 'updateApiKey',
    target: encodeId('key', before.keyId),
    detail: { ...changes },
  });
  return presentKey(after);
}

/** Whether the key may do less afterwards, or ends sooner. */
function narrows(before: KeyRow, after: KeyRow): boolean {
  const end = ({ expiresAt }: KeyRow) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return (
    (before.access === 'full' && after.access !== 'full') ||
    (before.passIds === null && after.passIds !== null) ||
    end(after) < end(before)
  );
}

/** Raises `last_key` when no other full-access key would be left. Call with the workspace locked. */
export async function refuseIfLastKey(tx: Tx, ctx: CommandInWorkspace, keyId: string): Promise<void> {
  if (await otherFullKeyExists(tx, ctx.workspaceId, keyId, ctx.app.now())) return;
  throw refusal('last_key', "This is the workspace's last full-access key. Create another one first.");
}

/** A key of the caller's workspace by its public id; raises `api_key_not_found` or `forbidden`. */
export async function findOwnKey(db: Db, ctx: CommandInWorkspace, publicId: string): Promise<KeyRow> {
  const keyId = decodeId('key', publicId);
  const row = keyId === null ? undefined : await findKeyAnywhere(db, keyId);
  if (row === undefined)
    throw refusal('api_key_not_found', 'No API key has this id. GET /api-keys lists yours.');
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This API key belongs to another account.');
  return row;
}
