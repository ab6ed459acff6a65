import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';

/** A tenant with the figures that its answers show. */
export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly name: string;
  readonly plan: 'entry' | 'pro';
  readonly suspendedAt: Date | null;
  readonly timezone: string;
  readonly locale: string;
  readonly currency: string;
  readonly defaults: WorkspaceDefaults;
  readonly createdAt: Date;
  readonly credits: number;
  readonly drafts: number;
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
  defaults?: string;
}

function workspacesWithFigures(db: Db) {
  return db
    .selectFrom('workspaces')
    .innerJoin('creditAccounts', 'creditAccounts.workspaceId', 'workspaces.workspaceId')
    .selectAll('workspaces')
    .select('creditAccounts.balance as credits')
    .select((eb) =>
      eb
        .selectFrom('passes')
        .select(sql<number>`count(*)::int`.as('drafts'))
        .whereRef('passes.workspaceId', '=', 'workspaces.workspaceId')
        .where('passes.status', '=', 'draft')
        .as('drafts'),
    );
}

export async function findWorkspace(db: Db, workspaceId: string): Promise<WorkspaceRow | undefined> {
  const query = workspacesWithFigures(db).where('workspaces.workspaceId', '=', workspaceId);
  return (await query.executeTakeFirst()) as WorkspaceRow | undefined;
}

export async function listWorkspaces(db: Db, after: string | null, take: number): Promise<WorkspaceRow[]> {
  let query = workspacesWithFigures(db).orderBy('workspaces.workspaceId', 'desc').limit(take);
  if (after !== null) query = query.where('workspaces.workspaceId', '<', after);
  return (await query.execute()) as unknown as WorkspaceRow[];
}

export async function insertWorkspace(
  tx: Tx,
  row: { workspaceId: string; name: string; plan: string; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('workspaces')
    .values({ ...row, defaults: '{}' })
    .execute();
}

export async function changeWorkspace(tx: Tx, workspaceId: string, change: WorkspaceChange): Promise<void> {
  await tx.updateTable('workspaces').set(change).where('workspaceId', '=', workspaceId).execute();
}

/** Locks the row of the workspace until the end of the transaction. */
export async function lockWorkspace(
  tx: Tx,
  workspaceId: string,
): Promise<{ plan: string; defaults: WorkspaceDefaults } | undefined> {
  return (await tx
    .selectFrom('workspaces')
    .select(['plan', 'defaults'])
    .where('workspaceId', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst()) as { plan: string; defaults: WorkspaceDefaults } | undefined;
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
