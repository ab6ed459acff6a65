import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';

/** A tenant, with its credits. */
export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly plan: 'entry' | 'pro';
  readonly suspendedAt: Date | null;
  readonly timezone: string;
  readonly locale: string;
  readonly currency: string;
  /** How telephone numbers without a country are read, ISO 3166-1; null: as `countryOf` says. */
  readonly country: string | null;
  readonly defaults: WorkspaceDefaults;
  readonly createdAt: Date;
  /** The pass type of its own that signs new passes; null: that of the installation does. */
  readonly applePassTypeIdentifier: string | null;
  /** The issuer of its own that new cards at Google are of; null: that of the installation. */
  readonly googleIssuerId: string | null;
  /** The P-256 key that iPhones encrypt for when a reader asks for a card, as pass files have it; null: no reader may ask. */
  readonly nfcPublicKey: string | null;
  /** Sealed; null where the maker of the readers keeps it. */
  readonly nfcPrivateKey: string | null;
  /** Ids of the issuers at Google whose readers may ask for cards. */
  readonly nfcRedemptionIssuers: readonly string[];
  readonly credits: number;
}

/** What a new pass takes when its body leaves it out. */
export interface WorkspaceDefaults {
  readonly colors?: { background?: string | null; foreground?: string | null; label?: string | null };
  readonly terms?: string | null;
}

/** The columns of `workspaces` that a change may set. */
export interface WorkspaceChange {
  name?: string;
  plan?: string;
  suspendedAt?: Date | null;
  timezone?: string;
  locale?: string;
  currency?: string;
  country?: string | null;
  rereadAfter?: string;
  defaults?: string;
  applePassTypeIdentifier?: string | null;
  googleIssuerId?: string | null;
  nfcPublicKey?: string | null;
  nfcPrivateKey?: string | null;
  nfcRedemptionIssuers?: string;
}

export function findWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow | undefined> {
  return prepared<WorkspaceRow>`
    select w.*, a.balance as credits
    from workspaces w
    join credit_accounts a on a.workspace_id = ${workspaceId}
    where w.workspace_id = ${workspaceId}
  `.first(db);
}

export async function insertWorkspace(
  tx: Tx,
  row: { workspaceId: string; name: string; plan: string; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('workspaces')
    .values({ ...row, defaults: '{}', nfcRedemptionIssuers: '[]' })
    .execute();
}

export async function changeWorkspace(tx: Tx, workspaceId: string, change: WorkspaceChange): Promise<void> {
  await tx.updateTable('workspaces').set(change).where('workspaceId', '=', workspaceId).execute();
}

/** Goes on with reading numbers again behind the card `next`; null: that was all. Not where another process has begun it anew. */
export async function keepReread(
  tx: Tx,
  { workspaceId, after }: { readonly workspaceId: string; readonly after: string },
  next: string | null,
): Promise<void> {
  await sql`
    update workspaces set reread_after = ${next} where workspace_id = ${workspaceId} and reread_after = ${after}
  `.execute(tx);
}

/** Workspaces whose last warning of a certificate was another one, or that had none. */
export function listUnwarned(db: Db, days: string, most: number): Promise<{ workspaceId: string }[]> {
  const those = (condition: Sql) =>
    sql`(select workspace_id from workspaces where ${condition} limit ${most})`;
  return sql<{ workspaceId: string }>`
    ${those(sql`certificate_told is null`)} union all ${those(sql`certificate_told < ${days}`)}
    union all ${those(sql`certificate_told > ${days}`)} limit ${most}
  `.rows(db);
}

/** Notes the warning that a workspace gets of a certificate. False where it has had that one. */
export async function noteWarned(tx: Tx, workspaceId: string, days: string): Promise<boolean> {
  const { rowCount } = await sql`
    update workspaces set certificate_told = ${days}
    where workspace_id = ${workspaceId} and certificate_told is distinct from ${days}
  `.execute(tx);
  return rowCount > 0;
}

/** Locks the row of the workspace until the end of the transaction. */
export function lockWorkspaceRow(tx: Tx, workspaceId: string) {
  return sql<{ plan: string; defaults: WorkspaceDefaults }>`
    select plan, defaults from workspaces where workspace_id = ${workspaceId} for no key update
  `.first(tx);
}

/** Waits until no other transaction holds the installation, then holds it until the end of this one. */
export async function lockInstallation(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${installationLock})`.execute(tx);
}

/** Any constant that nothing else locks. */
const installationLock = 7_052_018;

export async function anyWorkspaceExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('workspaceId').limit(1).executeTakeFirst()) !== undefined;
}

/** Resolves when the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
