import type { Page } from '../engine/page.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

/** An API key without its secrets. */
export interface KeyRow {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly name: string;
  readonly access: 'full' | 'read';
  readonly passIds: string[] | null;
  readonly rateLimit: number | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** What admission needs to know of a secret's key, in one look-up. */
export interface AdmittedKeyRow extends KeyRow {
  readonly secretHash: Buffer;
  readonly secretExpiresAt: Date | null;
  readonly suspendedAt: Date | null;
}

/** The keys that secrets open, live or not, in the order of the secrets. */
export async function findKeysBySecret(
  db: Db,
  _lane: string,
  secretHashes: readonly Buffer[],
): Promise<(AdmittedKeyRow | undefined)[]> {
  const { rows } = await prepared<AdmittedKeyRow>`
    select k.*, s.secret_hash, s.expires_at as secret_expires_at, w.suspended_at
    from api_key_secrets s
    join api_keys k on k.workspace_id = s.workspace_id and k.key_id = s.key_id
    join workspaces w on w.workspace_id = s.workspace_id
    where s.secret_hash = any(${secretHashes}::bytea[])
  `.execute(db);
  const bySecret = new Map(rows.map((row) => [row.secretHash.toString('latin1'), row]));
  return secretHashes.map((secretHash) => bySecret.get(secretHash.toString('latin1')));
}

/** Notes the use of a key, unless one was noted in the last `everyMs`. */
export async function touchKey(
  tx: Tx,
  { workspaceId, keyId }: Pick<KeyRow, 'workspaceId' | 'keyId'>,
  at: Date,
  everyMs: number,
): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${at}
    where workspace_id = ${workspaceId} and key_id = ${keyId}
      and (last_used_at is null or last_used_at < ${new Date(at.getTime() - everyMs)})
  `.execute(tx);
}

/** A key by its id, whatever workspace owns it. */
export function findKeyAnywhere(db: Db, keyId: string): Promise<KeyRow | undefined> {
  return sql<KeyRow>`select * from api_keys where key_id = ${keyId}`.first(db);
}

export async function listKeys(db: Db, workspaceId: string, { after, take }: Page): Promise<KeyRow[]> {
  let query = db.selectFrom('apiKeys').selectAll().where('workspaceId', '=', workspaceId);
  if (after !== null) query = query.where('keyId', '<', after);
  return (await query.orderBy('keyId', 'desc').limit(take).execute()) as KeyRow[];
}

export async function insertKey(
  tx: Tx,
  row: Pick<
    KeyRow,
    'workspaceId' | 'keyId' | 'name' | 'access' | 'passIds' | 'rateLimit' | 'expiresAt' | 'createdAt'
  >,
): Promise<void> {
  await tx.insertInto('apiKeys').values(row).execute();
}

export async function insertSecret(
  tx: Tx,
  row: { secretHash: Buffer; workspaceId: string; keyId: string; expiresAt: Date | null },
): Promise<void> {
  await tx.insertInto('apiKeySecrets').values(row).execute();
}

/** Every present secret of the key ends at `at`, unless it ends earlier. */
export async function endSecrets(tx: Tx, workspaceId: string, keyId: string, at: Date): Promise<void> {
  await sql`
    update api_key_secrets set expires_at = least(expires_at, ${at})
    where workspace_id = ${workspaceId} and key_id = ${keyId}
  `.execute(tx);
}

/** Removes the secrets that ended before `at`. */
export async function deleteEndedSecrets(
  tx: Tx,
  workspaceId: string,
  keyId: string,
  at: Date,
): Promise<void> {
  await sql`
    delete from api_key_secrets
    where workspace_id = ${workspaceId} and key_id = ${keyId} and expires_at < ${at}
  `.execute(tx);
}

export async function changeKey(
  tx: Tx,
  workspaceId: string,
  keyId: string,
  change: Partial<Pick<KeyRow, 'name' | 'access' | 'passIds' | 'rateLimit' | 'expiresAt' | 'revokedAt'>>,
): Promise<void> {
  await tx
    .updateTable('apiKeys')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('keyId', '=', keyId)
    .execute();
}

/** True if another live key besides `keyId` may do everything. Call with the workspace locked. */
export async function otherFullKeyExists(
  tx: Tx,
  workspaceId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select key_id from api_keys
    where workspace_id = ${workspaceId} and key_id <> ${keyId} and access = 'full' and pass_ids is null
      and revoked_at is null and (expires_at is null or expires_at > ${now})
    limit 1
  `.execute(tx);
  return rows.length > 0;
}
