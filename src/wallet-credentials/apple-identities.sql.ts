import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** A certificate of a workspace's own, for one pass type. */
export interface AppleIdentityRow {
  readonly workspaceId: string;
  readonly passTypeIdentifier: string;
  readonly teamIdentifier: string;
  /** PEM. */
  readonly certificate: string;
  readonly intermediate: string;
  /** Sealed. */
  readonly privateKey: string;
  readonly expiresAt: Date;
  /** Since when another signs new passes; null: it signs them. */
  readonly retiredAt: Date | null;
}

type Key = Pick<AppleIdentityRow, 'workspaceId' | 'passTypeIdentifier'>;

/** What a workspace signs with for a pass type; undefined where that is not one of its own. */
export function findAppleIdentity(
  db: Db,
  workspaceId: string,
  passTypeIdentifier: string,
): Promise<AppleIdentityRow | undefined> {
  return sql<AppleIdentityRow>`
    select workspace_id, pass_type_identifier, team_identifier, certificate, intermediate, private_key,
      expires_at, retired_at
    from apple_identities
    where workspace_id = ${workspaceId} and pass_type_identifier = ${passTypeIdentifier}
  `.first(db);
}

/** All that a workspace has or had, and that cards in wallets may have been signed with. */
export function listAppleIdentities(db: Db, workspaceId: string): Promise<AppleIdentityRow[]> {
  return sql<AppleIdentityRow>`
    select workspace_id, pass_type_identifier, team_identifier, certificate, intermediate, private_key,
      expires_at, retired_at
    from apple_identities where workspace_id = ${workspaceId}
    order by pass_type_identifier
  `.rows(db);
}

/** Keeps one that signs from now on; it takes the place of that of the same pass type. */
export async function upsertAppleIdentity(tx: Tx, row: AppleIdentityRow, now: Date): Promise<void> {
  await sql`
    insert into apple_identities (workspace_id, pass_type_identifier, team_identifier, certificate, intermediate,
      private_key, expires_at, created_at, updated_at)
    values (${row.workspaceId}, ${row.passTypeIdentifier}, ${row.teamIdentifier}, ${row.certificate},
      ${row.intermediate}, ${row.privateKey}, ${row.expiresAt}, ${now}, ${now})
    on conflict (pass_type_identifier, workspace_id) do update set
      team_identifier = excluded.team_identifier, certificate = excluded.certificate,
      intermediate = excluded.intermediate, private_key = excluded.private_key,
      expires_at = excluded.expires_at, told_days = null, retired_at = null, updated_at = excluded.updated_at
  `.execute(tx);
}

/** Another signs new passes from now on. */
export async function retireAppleIdentity(tx: Tx, key: Key, now: Date): Promise<void> {
  await sql`
    update apple_identities set retired_at = ${now}, updated_at = ${now}
    where workspace_id = ${key.workspaceId} and pass_type_identifier = ${key.passTypeIdentifier}
  `.execute(tx);
}

/** Forgets one for good. */
export async function deleteAppleIdentity(tx: Tx, key: Key): Promise<void> {
  await sql`
    delete from apple_identities
    where workspace_id = ${key.workspaceId} and pass_type_identifier = ${key.passTypeIdentifier}
      and retired_at is not null
  `.execute(tx);
}

/** A certificate of some workspace that ends soon. */
export interface EndingIdentity extends Key {
  readonly expiresAt: Date;
}

/** Identities in use that end before a moment, and whose workspace was not yet warned of so few days, the first to end first. */
export function listEnding(
  db: Db,
  { before, days, most }: { readonly before: Date; readonly days: number; readonly most: number },
): Promise<EndingIdentity[]> {
  return sql<EndingIdentity>`
    select workspace_id, pass_type_identifier, expires_at from apple_identities
    where retired_at is null and expires_at < ${before} and coalesce(told_days, 32767) > ${days}::int
    order by expires_at limit ${most}
  `.rows(db);
}

/** Records that a workspace is warned of an end. False if it was warned already, or the certificate was replaced. */
export async function noteEndWarned(tx: Tx, ending: EndingIdentity, days: number): Promise<boolean> {
  const { rowCount } = await sql`
    update apple_identities set told_days = ${days}::int
    where workspace_id = ${ending.workspaceId} and pass_type_identifier = ${ending.passTypeIdentifier}
      and expires_at = ${ending.expiresAt} and retired_at is null and coalesce(told_days, 32767) > ${days}::int
  `.execute(tx);
  return rowCount === 1;
}

/** The key of a signing request. */
interface SigningKeyRow {
  readonly workspaceId: string;
  readonly keyHash: Buffer;
  /** Sealed. */
  readonly privateKey: string;
}

/** Keeps the key of a signing request, and of those before the newest few. The caller holds the workspace. */
export async function keepSigningKey(tx: Tx, row: SigningKeyRow, now: Date, most: number): Promise<void> {
  await sql`
    insert into apple_signing_keys (workspace_id, key_hash, private_key, created_at)
    values (${row.workspaceId}, ${row.keyHash}, ${row.privateKey}, ${now})
  `.execute(tx);
  await sql`
    delete from apple_signing_keys k
    where k.workspace_id = ${row.workspaceId} and k.created_at < (
      select created_at from apple_signing_keys
      where workspace_id = ${row.workspaceId} order by created_at desc offset ${most - 1} limit 1
    )
  `.execute(tx);
}

/** The keys of a workspace's signing requests that have one of these hashes. */
export function listSigningKeys(
  db: Db,
  workspaceId: string,
  keyHashes: readonly Buffer[],
): Promise<SigningKeyRow[]> {
  return sql<SigningKeyRow>`
    select k.*
    from unnest(${keyHashes}::bytea[]) as asked(key_hash)
    cross join lateral (
      select workspace_id, key_hash, private_key from apple_signing_keys
      where key_hash = asked.key_hash and workspace_id = ${workspaceId}
      limit 1
    ) as k
  `.rows(db);
}

/** Deletes the key of a signing request whose certificate is no longer used. */
export async function deleteSigningKey(tx: Tx, workspaceId: string, keyHash: Buffer): Promise<void> {
  await sql`
    delete from apple_signing_keys where workspace_id = ${workspaceId} and key_hash = ${keyHash}
  `.execute(tx);
}
