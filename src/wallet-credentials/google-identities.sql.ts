import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';

/** An account of a workspace's own at Google Wallet. */
export interface GoogleIdentityRow {
  readonly workspaceId: string;
  readonly issuerId: string;
  readonly clientEmail: string;
  /** Sealed. */
  readonly serviceAccount: string;
  /** Since when new cards are another's; null: they are its. */
  readonly retiredAt: Date | null;
}

type Key = Pick<GoogleIdentityRow, 'workspaceId' | 'issuerId'>;

const columns = sql`workspace_id, issuer_id, client_email, service_account, retired_at`;

/** The account of a workspace with an issuer; undefined where that is not one of its own. */
export function findGoogleIdentity(
  db: Db,
  workspaceId: string,
  issuerId: string,
): Promise<GoogleIdentityRow | undefined> {
  return sql<GoogleIdentityRow>`
    select ${columns} from google_identities where workspace_id = ${workspaceId} and issuer_id = ${issuerId}
  `.first(db);
}

/** All that a workspace has or had, and that its cards may be of. */
export function listGoogleIdentities(db: Db, workspaceId: string): Promise<GoogleIdentityRow[]> {
  return sql<GoogleIdentityRow>`
    select ${columns} from google_identities where workspace_id = ${workspaceId} order by issuer_id
  `.rows(db);
}

/** Keeps one that new cards are of from now on; it takes the place of that of the same issuer. */
export async function upsertGoogleIdentity(tx: Tx, row: GoogleIdentityRow, now: Date): Promise<void> {
  await sql`
    insert into google_identities (workspace_id, issuer_id, client_email, service_account, created_at, updated_at)
    values (${row.workspaceId}, ${row.issuerId}, ${row.clientEmail}, ${row.serviceAccount}, ${now}, ${now})
    on conflict (issuer_id, workspace_id) do update set
      client_email = excluded.client_email, service_account = excluded.service_account, retired_at = null,
      updated_at = excluded.updated_at
  `.execute(tx);
}

/** New cards are another's from now on. */
export async function retireGoogleIdentity(tx: Tx, key: Key, now: Date): Promise<void> {
  await sql`
    update google_identities set retired_at = ${now}, updated_at = ${now}
    where workspace_id = ${key.workspaceId} and issuer_id = ${key.issuerId}
  `.execute(tx);
}

/** Forgets one for good. */
export async function deleteGoogleIdentity(tx: Tx, key: Key): Promise<void> {
  await sql`
    delete from google_identities
    where workspace_id = ${key.workspaceId} and issuer_id = ${key.issuerId} and retired_at is not null
  `.execute(tx);
}
