import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { findKeyAnywhere, type KeyRow } from './keys.sql.ts';

/** A key of the caller's workspace by its public id; raises `api_key_not_found` or `forbidden`. */
export async function findOwnKey(db: Db, ctx: KeyCtx, publicId: string): Promise<KeyRow> {
  const keyId = decodeId('key', publicId);
  const row = keyId === null ? undefined : await findKeyAnywhere(db, keyId);
  if (row === undefined)
    throw refusal('api_key_not_found', 'No API key has this id. GET /api-keys lists yours.');
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This API key belongs to another account.');
  return row;
}
