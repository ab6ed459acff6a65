import type { Db, Tx } from '../../kit/db/database.ts';
import { prepared } from '../../kit/db/sql.ts';
import type { ProgramRow, ProgramStatus } from './program-row.ts';

/** A state that a program came into. */
export interface ProgramStateRow {
  readonly workspaceId: string;
  readonly programId: string;
  readonly stateId: string;
  readonly status: ProgramStatus;
  /** Public id of the key that brought it there. */
  readonly actor: string;
  readonly changedAt: Date;
}

export async function findProgramOf(
  db: Db,
  workspaceId: string,
  programId: string,
): Promise<ProgramRow | undefined> {
  return (await db
    .selectFrom('programs')
    .selectAll()
    .where('programId', '=', programId)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()) as ProgramRow | undefined;
}

/** A program by its id, whatever workspace owns it: for a caller that has looked in its own first. */
export async function findProgramAnywhere(db: Db, programId: string): Promise<ProgramRow | undefined> {
  return (await db
    .selectFrom('programs')
    .selectAll()
    .where('programId', '=', programId)
    .executeTakeFirst()) as ProgramRow | undefined;
}

export async function findProgramOfPass(
  db: Db,
  workspaceId: string,
  passId: string,
): Promise<ProgramRow | undefined> {
  return (await db
    .selectFrom('programs')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('passId', '=', passId)
    .executeTakeFirst()) as ProgramRow | undefined;
}

/** Newest first. `passIds` limits the list to programs of those passes. */
export async function listPrograms(
  db: Db,
  workspaceId: string,
  filter: { status: string | undefined; passIds: readonly string[] | null },
  after: string | null,
  take: number,
): Promise<ProgramRow[]> {
  let query = db.selectFrom('programs').selectAll().where('workspaceId', '=', workspaceId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.passIds !== null) query = query.where('passId', 'in', filter.passIds);
  if (after !== null) query = query.where('programId', '<', after);
  return (await query.orderBy('programId', 'desc').limit(take).execute()) as unknown as ProgramRow[];
}

export async function insertProgram(tx: Tx, row: ProgramRow): Promise<void> {
  await tx
    .insertInto('programs')
    .values({ ...row, ...jsonColumns(row) })
    .execute();
}

export async function replaceProgram(tx: Tx, row: ProgramRow): Promise<void> {
  const { workspaceId, programId, passId: _, mode: __, ...columns } = row;
  await tx
    .updateTable('programs')
    .set({ ...columns, ...jsonColumns(row) })
    .where('workspaceId', '=', workspaceId)
    .where('programId', '=', programId)
    .execute();
}

function jsonColumns(row: ProgramRow) {
  return {
    earn: JSON.stringify(row.earn),
    pointName: JSON.stringify(row.pointName),
    perAwardByRole: JSON.stringify(row.perAwardByRole),
    rewards: row.rewards.map((reward) => JSON.stringify(reward)),
    tiers: row.tiers.map((tier) => JSON.stringify(tier)),
  };
}

export async function insertState(tx: Tx, row: ProgramStateRow): Promise<void> {
  await tx.insertInto('programStates').values(row).execute();
}

/** The states that a program came into last, newest first. */
export async function newestStates(
  db: Db,
  { workspaceId, programId }: Pick<ProgramRow, 'workspaceId' | 'programId'>,
  take: number,
): Promise<ProgramStateRow[]> {
  return (await db
    .selectFrom('programStates')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('programId', '=', programId)
    .orderBy('stateId', 'desc')
    .limit(take)
    .execute()) as ProgramStateRow[];
}

/** A program, with the time zone of its workspace. */
export function findWithZone(
  db: Db,
  workspaceId: string,
  passId: string,
): Promise<(ProgramRow & { readonly timezone: string }) | undefined> {
  return prepared<ProgramRow & { readonly timezone: string }>`
    select pr.*, w.timezone
    from programs pr join workspaces w using (workspace_id)
    where pr.workspace_id = ${workspaceId} and pr.pass_id = ${passId}
  `.first(db);
}

/**
 * The version of all that a call reads of a pass, its program and the workspace, and the free credits; undefined where the
 * workspace has no such pass. A row has another version once it is written: the transaction that wrote it, and its place,
 * since one transaction may write a row twice.
 */
export function findVersion(
  db: Db,
  workspaceId: string,
  passId: string,
): Promise<{ readonly version: string; readonly credits: number } | undefined> {
  return prepared<{ version: string; credits: number }>`
    select concat_ws(' ', p.xmin, p.ctid, w.xmin, w.ctid, pr.xmin, pr.ctid) as version, a.balance as credits
    from passes p
    join workspaces w on w.workspace_id = ${workspaceId}
    join credit_accounts a on a.workspace_id = ${workspaceId}
    left join programs pr on pr.pass_id = ${passId} and pr.workspace_id = ${workspaceId}
    where p.pass_id = ${passId} and p.workspace_id = ${workspaceId}
  `.first(db);
}
