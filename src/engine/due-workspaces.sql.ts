import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { type Condition, type Due, isDue } from './due.sql.ts';

/** That a job is to look in a workspace. */
export interface Note {
  readonly workspaceId: string;
  readonly noteId: string;
}

/** The row that says when all workspaces are looked through again. */
const lookEverywhere = { job: 'noteAll', workspaceId: '00000000-0000-0000-0000-000000000000' };

/** Whether a workspace is noted for the job, as a condition. */
export function isAnyNoted(job: string, now: Date): Condition {
  return sql`exists (select from due_workspaces where job = ${job} and look_at <= ${now})`;
}

/** Lists the workspaces in which the job is due to look, the longest due first. */
export function listNotes(db: Db, job: string, now: Date, limit: number): Promise<Note[]> {
  return sql<Note>`
    select workspace_id, note_id from due_workspaces
    where job = ${job} and look_at <= ${now}
    order by look_at
    limit ${limit}
  `.rows(db);
}

/** Notes that jobs are to look in workspaces. Where it is noted already the earlier moment counts. */
export async function upsertNotes(
  tx: Tx,
  notes: readonly { readonly job: string; readonly workspaceId: string; readonly lookAt: Date }[],
): Promise<void> {
  if (notes.length === 0) return;
  await sql`
    insert into due_workspaces as d (job, workspace_id, look_at, note_id)
    select n.job, n.workspace_id, n.look_at, ${newUuidV7()}
    from unnest(
      ${notes.map(({ job }) => job)}::text[], ${notes.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${notes.map(({ lookAt }) => lookAt)}::timestamptz[]
    ) as n(job, workspace_id, look_at)
    order by n.job, n.workspace_id
    on conflict (job, workspace_id) do update
    set look_at = least(d.look_at, excluded.look_at), note_id = excluded.note_id
  `.execute(tx);
}

/** Says when the job is to look again where it has looked; null: not before it is noted. What was noted since stays. */
export async function rescheduleNotes(
  tx: Tx,
  job: string,
  looked: readonly (Note & { readonly lookAt: Date | null })[],
): Promise<void> {
  const sorted = [...looked].sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
  const [again, done] = [
    sorted.filter(({ lookAt }) => lookAt !== null),
    sorted.filter(({ lookAt }) => lookAt === null),
  ];
  if (again.length > 0)
    await sql`
      insert into due_workspaces as d (job, workspace_id, look_at, note_id)
      select ${job}, n.workspace_id, n.look_at, n.note_id
      from unnest(
        ${again.map(({ workspaceId }) => workspaceId)}::uuid[], ${again.map(({ lookAt }) => lookAt)}::timestamptz[],
        ${again.map(({ noteId }) => noteId)}::uuid[]
      ) as n(workspace_id, look_at, note_id)
      on conflict (job, workspace_id) do update set look_at = excluded.look_at where d.note_id = excluded.note_id
    `.execute(tx);
  if (done.length > 0)
    await sql`
      delete from due_workspaces d
      using unnest(
        ${done.map(({ workspaceId }) => workspaceId)}::uuid[], ${done.map(({ noteId }) => noteId)}::uuid[]
      ) as n(workspace_id, note_id)
      where d.job = ${job} and d.workspace_id = n.workspace_id and d.note_id = n.note_id
    `.execute(tx);
}

/** When the first row of a workspace that is due before the horizon is due; undefined where there is none. */
export async function firstDue(
  db: Db,
  queue: Due,
  workspaceId: string,
  horizon: Date,
): Promise<Date | undefined> {
  const due = sql.ref(queue.due);
  const { rows } = await sql<{ dueAt: Date }>`
    select ${due} as due_at from ${sql.ref(queue.table)}
    where workspace_id = ${workspaceId} and ${isDue(queue, horizon)}
    order by ${due}
    limit 1
  `.execute(db);
  return rows[0]?.dueAt;
}

/** All workspaces in which something is due before the horizon, and since when. Asks every node. */
export function listDueWorkspaces(db: Db, queue: Due, horizon: Date) {
  const due = sql.ref(queue.due);
  return sql<{ workspaceId: string; dueAt: Date }>`
    select workspace_id, min(${due}) as due_at from ${sql.ref(queue.table)}
    where ${isDue(queue, horizon)}
    group by workspace_id
  `.rows(db);
}

/** Puts the next look at all workspaces off until `nextAt`; false where it is not due yet, or another process takes it. */
export async function claimFullScan(tx: Tx, now: Date, nextAt: Date): Promise<boolean> {
  const { job, workspaceId } = lookEverywhere;
  const { rows } = await sql`
    insert into due_workspaces as d (job, workspace_id, look_at, note_id)
    values (${job}, ${workspaceId}, ${nextAt}, ${newUuidV7()})
    on conflict (job, workspace_id) do update set look_at = excluded.look_at where d.look_at <= ${now}
    returning 1
  `.execute(tx);
  return rows.length === 1;
}
