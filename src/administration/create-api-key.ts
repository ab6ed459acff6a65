import type { Static } from 'typebox';
import { secretPrefix } from '../access/judge-key.ts';
import { type NewApiKey, presentKey } from '../access/key.schema.ts';
import { insertKey, insertSecret, type KeyRow } from '../access/keys.sql.ts';
import type { CommandCtx, CommandInWorkspace } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { hashSecret, newSecret } from '../kit/crypto/tokens.ts';
import type { Tx } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { futureMoment } from '../kit/http/endpoints/parameters.ts';
import { decodeId, newUuidV7 } from '../kit/ids.ts';
import { countOwnPasses } from '../passes/passes.sql.ts';

type Input = Static<typeof NewApiKey>;

/** A new key of the caller's workspace; the answer is the only place that shows its secret. */
export async function createApiKey(tx: Tx, ctx: CommandInWorkspace, input: Input) {
  const { row, secret } = await addKey(tx, ctx, ctx.workspaceId, input);
  const key = presentKey(row);
  audit(tx, ctx, {
    action: 'createApiKey',
    target: key.keyId,
    detail: { name: key.name, access: key.access, passIds: key.passIds },
  });
  return { ...key, secret };
}

/** Adds a key to a workspace. */
export async function addKey(
  tx: Tx,
  ctx: CommandCtx,
  workspaceId: string,
  input: Input,
): Promise<{ row: KeyRow; secret: string }> {
  const row: KeyRow = {
    workspaceId,
    keyId: newUuidV7(),
    name: input.name,
    access: input.access,
    passIds: await ownPassIds(tx, workspaceId, input.passIds ?? null),
    rateLimit: input.rateLimit ?? null,
    expiresAt: futureMoment('expiresAt', input.expiresAt ?? null, ctx.app.now()),
    revokedAt: null,
    lastUsedAt: null,
    createdAt: ctx.app.now(),
  };
  await insertKey(tx, row);
  return { row, secret: await addSecret(tx, workspaceId, row.keyId) };
}

/** Gives a key one more secret and returns it; only its hash is stored. */
export async function addSecret(tx: Tx, workspaceId: string, keyId: string): Promise<string> {
  const secret = newSecret(secretPrefix);
  await insertSecret(tx, { secretHash: hashSecret(secret), workspaceId, keyId, expiresAt: null });
  return secret;
}

/** The uuids of passes that the workspace owns; raises `invalid_request` when one is unknown. */
export async function ownPassIds(
  tx: Tx,
  workspaceId: string,
  passIds: readonly string[] | null,
): Promise<string[] | null> {
  if (passIds === null) return null;
  const decoded = passIds.map((passId) => decodeId('pass', passId)).filter((uuid) => uuid !== null);
  const known =
    decoded.length === passIds.length && (await countOwnPasses(tx, workspaceId, decoded)) === decoded.length;
  if (!known) throw invalidField('passIds', 'reference', 'every id must be a pass of this workspace.');
  return decoded;
}
