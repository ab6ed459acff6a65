import type { Queue } from '../../engine/queue.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import type { PassKey } from '../../passes/pass-row.ts';
import type { SweepRow } from './sweep-row.ts';

type Named = Pick<SweepRow, 'workspaceId' | 'sweepId'>;

const columns = sql.raw(
  'workspace_id, sweep_id, pass_id, store_id, status, dry_run, most, cursor, due_at, counts, failures, unreadable, problem, started_at, finished_at',
);

/** Begins a sweep; undefined where one of the pass is running. */
export function insertSweep(
  tx: Tx,
  sweep: Pick<SweepRow, 'workspaceId' | 'passId' | 'storeId' | 'dryRun' | 'most' | 'counts'> & {
    readonly actor: string;
  },
  at: Date,
): Promise<SweepRow | undefined> {
  const { workspaceId, passId, storeId, dryRun, most, actor, counts } = sweep;
  return sql<SweepRow>`
    insert into sweeps (
      workspace_id, sweep_id, pass_id, store_id, status, dry_run, most, actor, counts, due_at, started_at
    )
    values (
      ${workspaceId}, ${newUuidV7()}, ${passId}, ${storeId}, 'running', ${dryRun}, ${most}, ${actor},
      ${JSON.stringify(counts)}, ${at}, ${at}
    )
    on conflict (workspace_id, pass_id) where status = 'running' do nothing
    returning ${columns}
  `.first(tx);
}

/** The newest sweep of a pass. */
export function findNewestSweep(db: Db, { workspaceId, passId }: PassKey): Promise<SweepRow | undefined> {
  return sql<SweepRow>`
    select ${columns} from sweeps where workspace_id = ${workspaceId} and pass_id = ${passId}
    order by sweep_id desc
    limit 1
  `.first(db);
}

/** The sweep of a pass that is running. */
export function findRunningSweep(db: Db, { workspaceId, passId }: PassKey): Promise<SweepRow | undefined> {
  return sql<SweepRow>`
    select ${columns} from sweeps
    where workspace_id = ${workspaceId} and pass_id = ${passId} and status = 'running'
  `.first(db);
}

/**
 * Sweeps that are running: one is due when its turn has come, or when its worker has not reported for the length of
 * a lease.
 */
export const dueSweeps: Queue<SweepRow> = {
  job: 'runSweeps',
  table: 'sweeps',
  part: 'workspaceId',
  key: { sweepId: 'uuid' },
  due: 'dueAt',
  where: sql`status = 'running'`,
  columns,
};

/** What a sweep depends on. */
export interface PassAndStore {
  /** False also where the pass is gone. */
  readonly isPublished: boolean;
  readonly isConnected: boolean;
}

/** How the pass and the store of a sweep stand. */
export async function findPassAndStore(
  db: Db,
  { workspaceId, passId, storeId }: Pick<SweepRow, 'workspaceId' | 'passId' | 'storeId'>,
): Promise<PassAndStore> {
  const { rows } = await sql<PassAndStore>`
    select
      exists (
        select from passes where workspace_id = ${workspaceId} and pass_id = ${passId} and status = 'published'
      ) as is_published,
      exists (
        select from stores
        where workspace_id = ${workspaceId} and store_id = ${storeId} and disconnected_at is null
      ) as is_connected
  `.execute(db);
  return rows[0] as PassAndStore;
}

/** Ends a sweep that is running; undefined where it has ended. Its worker, if any, then writes nothing. */
export function closeSweep(
  tx: Tx,
  sweep: Named,
  end: Pick<SweepRow, 'status' | 'problem'> & { readonly at: Date },
): Promise<SweepRow | undefined> {
  return sql<SweepRow>`
    update sweeps set status = ${end.status}, problem = ${end.problem}, finished_at = ${end.at}, due_at = null
    where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId} and status = 'running'
    returning ${columns}
  `.first(tx);
}

/** All sweeps that are running, of whatever workspace. */
export function listRunningSweeps(tx: Tx): Promise<(Named & Pick<SweepRow, 'problem'>)[]> {
  return sql<Named & Pick<SweepRow, 'problem'>>`
    select workspace_id, sweep_id, problem from sweeps where status = 'running' order by sweep_id
  `.rows(tx);
}

/** The sweeps that are running: in work, at rest, or overdue because no worker takes them. */
export function countSweeps(db: Db): Promise<{ state: string; count: number }[]> {
  return sql<{ state: string; count: number }>`
    select case
        when due_at < now() - interval '1 minute' then 'overdue'
        when problem is not null then 'resting'
        else 'working'
      end as state, count(*)
    from sweeps
    where status = 'running'
    group by 1
  `.rows(db);
}

/** A dry run that has ended, or a sweep that ended before, and that is still to be trimmed: the one that ended first. */
export function findStaleSweep(db: Db, before: Date): Promise<Named | undefined> {
  return sql<Named>`
    select workspace_id, sweep_id from sweeps
    where finished_at is not null and trimmed_at is null and (dry_run or finished_at < ${before})
    order by finished_at
    limit 1
  `.first(db);
}

/** Keeps a sweep from other workers until the transaction ends. False where one of them has it, or has trimmed it. */
export async function lockStaleSweep(tx: Tx, { workspaceId, sweepId }: Named): Promise<boolean> {
  const { rows } = await sql`
    select from sweeps
    where workspace_id = ${workspaceId} and sweep_id = ${sweepId} and trimmed_at is null
    for update skip locked
  `.execute(tx);
  return rows.length > 0;
}

/** Records that the outcomes for its customers were deleted. */
export async function markTrimmed(tx: Tx, sweep: Named, at: Date): Promise<void> {
  await sql`
    update sweeps set trimmed_at = ${at}
    where workspace_id = ${sweep.workspaceId} and sweep_id = ${sweep.sweepId}
  `.execute(tx);
}
