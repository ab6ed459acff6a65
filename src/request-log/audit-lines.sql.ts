import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';

/** Who changed what. */
export interface AuditLine {
  readonly auditId: string;
  readonly action: string;
  readonly actor: string;
  readonly target: string;
  readonly detail: Record<string, unknown>;
  readonly requestId: string;
  readonly createdAt: Date;
}

/** Which lines of a workspace are asked for. */
export interface AuditFilter {
  readonly workspaceId: string;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly requestId?: string | undefined;
  /** Ids between the two, `since` included. */
  readonly since: string | null;
  readonly before: string | null;
  readonly take: number;
}

/** Lines of a workspace, newest first. */
export function listLines(db: Db, filter: AuditFilter): Promise<AuditLine[]> {
  const { workspaceId, actor, action, target, requestId, since, before, take } = filter;
  const when = (value: unknown, condition: Sql) => (value === undefined || value === null ? [] : [condition]);
  const conditions = [
    sql`workspace_id = ${workspaceId}`,
    ...when(actor, sql`actor = ${actor}`),
    ...when(action, sql`action = ${action}`),
    ...when(target, sql`target = ${target}`),
    ...when(requestId, sql`request_id = ${requestId}`),
    ...when(since, sql`audit_id >= ${since}`),
    ...when(before, sql`audit_id < ${before}`),
  ];
  return sql<AuditLine>`
    select audit_id, action, actor, target, detail, request_id, created_at from audit_log
    where ${sql.join(conditions, sql` and `)}
    order by audit_id desc limit ${take}
  `.rows(db);
}
