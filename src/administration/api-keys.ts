import type { Static } from 'typebox';
import { type ApiKeyChanges, presentKey } from '../access/key.schema.ts';
import {
  changeKey,
  deleteEndedSecrets,
  endSecrets,
  findKeyAnywhere,
  type KeyRow,
  otherFullKeyExists,
} from '../access/keys.sql.ts';
import type { CommandInWorkspace, KeyCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { refusal } from '../errors.ts';
import { changedProperties } from '../events/changed-properties.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { futureMoment } from '../kit/http/endpoints/parameters.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { addSecret, ownPassIds } from './create-api-key.ts';

/** Changes a key's name, access, passes, rate or end. The workspace keeps at least one full-access key. */
export async function updateApiKey(
  tx: Tx,
  ctx: KeyCtx,
  input: { keyId: string; changes: Static<typeof ApiKeyChanges> },
) {
  const { changes } = input;
  await lockWorkspaceRow(tx, ctx.workspaceId);
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
  const shown = presentKey(after);
  const { previous, current } = changedProperties(presentKey(before), shown);
  audit(tx, ctx, {
    action: 'updateApiKey',
    target: shown.keyId,
    detail: { before: previous, after: current },
  });
  return shown;
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
async function refuseIfLastKey(tx: Tx, ctx: CommandInWorkspace, keyId: string): Promise<void> {
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

/** Gives a key a new secret; the old one works until the overlap ends, never past the key's own end. */
export async function rotateApiKey(tx: Tx, ctx: KeyCtx, input: { keyId: string; overlapSeconds: number }) {
  await lockWorkspaceRow(tx, ctx.workspaceId);
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

/** Ends a key for good: every process answers 401 within a second. Revoking it again changes nothing. */
export async function revokeApiKey(tx: Tx, ctx: CommandInWorkspace, input: { keyId: string }) {
  await lockWorkspaceRow(tx, ctx.workspaceId);
  const key = await findOwnKey(tx, ctx, input.keyId);
  if (key.revokedAt !== null) return presentKey(key);
  await refuseIfLastKey(tx, ctx, key.keyId);
  const revokedAt = ctx.app.now();
  await changeKey(tx, ctx.workspaceId, key.keyId, { revokedAt });
  await endSecrets(tx, ctx.workspaceId, key.keyId, revokedAt);
  audit(tx, ctx, {
    action: 'revokeApiKey',
    target: encodeId('key', key.keyId),
    detail: { before: { name: key.name, access: key.access } },
  });
  return presentKey({ ...key, revokedAt });
}
