import type { Queue } from '../../engine/due.sql.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { sql } from '../../kit/db/sql.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import type { SweepRow } from './sweep-row.ts';

type Named = Pick<SweepRow, 'workspaceId' | 'sweepId'>;
/** A sweep that a worker has taken. */
type Leased = Named & Pick<SweepRow, 'leaseOwner' | 'fence'>;

const columns = [
  'workspaceId',
  'sweepId',
  'passId',
  'storeId',
  'status',
  'dryRun',
  'most',
  'cursor',
  'leaseOwner',
  'leaseUntil',
  'fence',
  'counts',
  'failures',
  'problem',
  'startedAt',
  'finishedAt',
] as const;

/** Begins a sweep; undefined where one of the pass is running. */
export async function insertSweep(
  tx: Tx,
  sweep: Pick<SweepRow, 'workspaceId' | 'passId' | 'storeId' | 'dryRun' | 'most' | 'counts'> & {
    readonly actor: string;
  },
  at: Date,
): Promise<SweepRow | undefined> {
  const row = await tx
    .insertInto('sweeps')
    .values({
      ...sweep,
      sweepId: newUuidV7(),
      status: 'running',
      counts: JSON.stringify(sweep.counts),
      leaseUntil: at,
      startedAt: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'passId']).where('status', '=', 'running').doNothing(),
    )
    .returning(columns)
    .executeTakeFirst();
  return row as SweepRow | undefined;
}

/** The newest sweep of a pass. */
export async function findNewestSweep(
  db: Db,
  pass: Pick<SweepRow, 'workspaceId' | 'passId'>,
): Promise<SweepRow | undefined> {
  const row = await db
    .selectFrom('sweeps')
    .select(columns)
    .where('workspaceId', '=', pass.workspaceId)
    .where('passId', '=', pass.passId)
    .orderBy('sweepId', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row as SweepRow | undefined;
}

/** The sweep of a pass that is running. */
export async function findRunningSweep(
  db: Db,
  pass: Pick<SweepRow, 'workspaceId' | 'passId'>,
): Promise<SweepRow | undefined> {
  const row = await db
    .selectFrom('sweeps')
    .select(columns)
    .where('workspaceId', '=', pass.workspaceId)
    .where('passId', '=', pass.passId)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return row as SweepRow | undefined;
}

/**
 * Sweeps that are running: one is due when its turn has come, or when its worker has not been heard of for the length of
 * a lease.
 */
export const dueSweeps: Queue<SweepRow> = {
  table: 'sweeps',
  part: 'workspaceId',
  key: { sweepId: 'uuid' },
  due: 'leaseUntil',
  where: sql`status = 'running'`,
  columns: sql.join(columns.map((column) => sql.ref(column))),
};

/** Whoever had a sweep before writes nothing any more, since the fence is another. */
export function takenBy(owner: string) {
  return sql`lease_owner = ${owner}, fence = fence + 1`;
}

/** What a sweep depends on. */
export interface Ground {
  /** False also where the pass is gone. */
  readonly isPublished: boolean;
  readonly isConnected: boolean;
  /** Failed pages in a row, and the last of them that nobody could read. */
  readonly failures: number;
  readonly unreadable: number;
}

/**
 * Keeps a sweep from others until the transaction ends, and tells how its pass and its store stand. Undefined where it is
 * another's by now, or has ended.
 */
export async function holdSweep(tx: Tx, sweep: Leased): Promise<Ground | undefined> {
  const { rows } = await sql<Ground>`
    select coalesce(p.status = 'published', false) as is_published, t.disconnected_at is null as is_connected, s.failures,
      s.unreadable
    from sweeps s
    left join passes p on p.workspace_id = s.workspace_id and p.pass_id = s.pass_id
    join stores t on t.workspace_id = s.workspace_id and t.store_id = s.store_id
    where s.workspace_id = ${sweep.workspaceId} and s.sweep_id = ${sweep.sweepId} and s.status = 'running'
      and s.lease_owner = ${sweep.leaseOwner} and s.fence = ${sweep.fence}
    for no key update of s
  `.execute(tx);
  return rows[0];
}

/** Keeps how far a sweep has come, and until when it is whose. */
export async function saveProgress(
  tx: Tx,
  sweep: Named,
  progress: Pick<SweepRow, 'cursor' | 'counts' | 'leaseOwner' | 'leaseUntil'>,
): Promise<void> {
  await tx
    .updateTable('sweeps')
    .set({ ...progress, counts: JSON.stringify(progress.counts), failures: 0, unreadable: 0, problem: null })
    .where('workspaceId', '=', sweep.workspaceId)
    .where('sweepId', '=', sweep.sweepId)
    .execute();
}

/** Leaves a sweep alone until a moment. */
export async function restSweep(
  tx: Tx,
  sweep: Named,
  { until, ...trouble }: Pick<Ground, 'failures' | 'unreadable'> & { until: Date; problem: string },
): Promise<void> {
  await tx
    .updateTable('sweeps')
    .set({ ...trouble, leaseOwner: null, leaseUntil: until })
    .where('workspaceId', '=', sweep.workspaceId)
    .where('sweepId', '=', sweep.sweepId)
    .execute();
}

/** Ends a sweep that is running; undefined where it has ended. Its worker, if any, writes nothing any more. */
export async function closeSweep(
  tx: Tx,
  sweep: Named,
  end: Pick<SweepRow, 'status' | 'problem'> & { readonly at: Date },
): Promise<SweepRow | undefined> {
  const row = await tx
    .updateTable('sweeps')
    .set({
      status: end.status,
      problem: end.problem,
      finishedAt: end.at,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where('workspaceId', '=', sweep.workspaceId)
    .where('sweepId', '=', sweep.sweepId)
    .where('status', '=', 'running')
    .returning(columns)
    .executeTakeFirst();
  return row as SweepRow | undefined;
}

/** All sweeps that are running, of whatever workspace. */
export async function listRunningSweeps(tx: Tx): Promise<Named[]> {
  return tx
    .selectFrom('sweeps')
    .select(['workspaceId', 'sweepId'])
    .where('status', '=', 'running')
    .orderBy('sweepId')
    .execute();
}

/** The sweeps that are running: in work, at rest, or overdue because nobody takes them. */
export async function countSweeps(db: Db): Promise<{ state: string; count: number }[]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select case
        when lease_until < now() - interval '1 minute' then 'overdue'
        when lease_owner is null then 'resting'
        else 'working'
      end as state, count(*)
    from sweeps
    where status = 'running'
    group by 1
  `.execute(db);
  return rows;
}

/** A dry run that has ended, or a sweep that ended before, and that is still to be trimmed: the one that ended first. */
export async function findStaleSweep(db: Db, before: Date): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select workspace_id, sweep_id from sweeps
    where finished_at is not null and trimmed_at is null and (dry_run or finished_at < ${before})
    order by finished_at
    limit 1
  `.execute(db);
  return rows[0];
}

/** Keeps a sweep from other workers until the transaction ends. False where one of them has it, or has trimmed it. */
export async function holdStaleSweep(tx: Tx, { workspaceId, sweepId }: Named): Promise<boolean> {
  const { rows } = await sql`
    select from sweeps
    where workspace_id = ${workspaceId} and sweep_id = ${sweepId} and trimmed_at is null
    for update skip locked
  `.execute(tx);
  return rows.length > 0;
}

/** Notes that nothing is known of its customers any more. */
export async function markTrimmed(tx: Tx, sweep: Named, at: Date): Promise<void> {
  await tx
    .updateTable('sweeps')
    .set({ trimmedAt: at })
    .where('workspaceId', '=', sweep.workspaceId)
    .where('sweepId', '=', sweep.sweepId)
    .execute();
}
