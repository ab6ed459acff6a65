import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';

/** The outcome of a request. */
export interface RequestRow {
  /** All zeroes where no workspace is known. */
  readonly workspaceId: string;
  readonly logId: string;
  readonly requestId: string;
  readonly method: string | null;
  /** The path of the route, with the ids filled in. */
  readonly path: string | null;
  readonly op: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly actor: string | null;
  readonly passId: string | null;
  readonly instanceId: string | null;
  readonly ms: number;
  readonly createdAt: Date;
}

/** Writes requests of one workspace; those that are there already stay as they are. */
export async function insertRequests(
  tx: Tx,
  workspaceId: string,
  rows: readonly RequestRow[],
): Promise<void> {
  const column = <K extends keyof RequestRow>(name: K) => rows.map((row) => row[name]);
  await prepared`
    insert into request_log (
      workspace_id, log_id, request_id, method, path, op, status, code, message, actor, pass_id, instance_id, ms,
      created_at
    )
    select ${workspaceId}, r.*
    from unnest(
      ${column('logId')}::uuid[], ${column('requestId')}::text[], ${column('method')}::text[],
      ${column('path')}::text[], ${column('op')}::text[], ${column('status')}::smallint[], ${column('code')}::text[],
      ${column('message')}::text[], ${column('actor')}::text[], ${column('passId')}::uuid[],
      ${column('instanceId')}::uuid[], ${column('ms')}::float8[],
      ${column('createdAt').map((at) => at.toISOString())}::timestamptz[]
    ) as r
    on conflict do nothing
  `.execute(tx);
}

/** Which requests of a workspace are asked for. */
export interface RequestFilter {
  readonly workspaceId: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly op?: string | undefined;
  readonly actor?: string | undefined;
  readonly instanceId?: string | undefined;
  /** Ids between the two, `since` included. */
  readonly since: string | null;
  readonly before: string | null;
  readonly take: number;
}

const columns = sql.raw(
  'workspace_id, log_id, request_id, method, path, op, status, code, message, actor, pass_id, instance_id, ms, created_at',
);

/** Requests of a workspace, newest first. */
export function listRequests(db: Db, filter: RequestFilter): Promise<RequestRow[]> {
  const { workspaceId, status, code, op, actor, instanceId, since, before, take } = filter;
  const when = (value: unknown, condition: Sql) => (value === undefined || value === null ? [] : [condition]);
  const conditions = [
    sql`workspace_id = ${workspaceId}`,
    ...when(status, sql`status = ${status}`),
    ...when(code, sql`code = ${code}`),
    ...when(op, sql`op = ${op}`),
    ...when(actor, sql`actor = ${actor}`),
    ...when(instanceId, sql`instance_id = ${instanceId}`),
    ...when(since, sql`log_id >= ${since}`),
    ...when(before, sql`log_id < ${before}`),
  ];
  return sql<RequestRow>`
    select ${columns} from request_log
    where ${sql.join(conditions, sql` and `)}
    order by log_id desc limit ${take}
  `.rows(db);
}

/** The newest requests with an id in a workspace. */
export function findRequests(
  db: Db,
  workspaceId: string,
  requestId: string,
  take: number,
): Promise<RequestRow[]> {
  return sql<RequestRow>`
    select ${columns} from request_log
    where request_id = ${requestId} and workspace_id = ${workspaceId}
    order by log_id desc limit ${take}
  `.rows(db);
}

/** Deletes the oldest requests before an id, about `limit` of them. Whether there may be more. */
export async function deleteRequests(db: Db, before: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ logId: string }>`
    select log_id from request_log where log_id < ${before} order by log_id offset ${limit} limit 1
  `.execute(db);
  const [next] = rows;
  await sql`delete from request_log where log_id < ${next?.logId ?? before}`.execute(db);
  return next !== undefined;
}
