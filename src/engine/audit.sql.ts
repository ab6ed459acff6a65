import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import { firstIdSince, momentOfId } from '../kit/ids.ts';

/** A line of the audit log. */
export interface AuditRow {
  readonly workspaceId: string;
  readonly auditId: string;
  readonly action: string;
  readonly actor: string;
  readonly target: string;
  readonly detail: string;
  readonly requestId: string;
  readonly createdAt: Date;
}

/** Adds lines to the audit log. */
export async function insertAudits(tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  const column = <K extends keyof AuditRow>(name: K) => rows.map((row) => row[name]);
  await prepared`
    insert into audit_log (workspace_id, audit_id, action, actor, target, detail, request_id, created_at)
    select * from unnest(
      ${column('workspaceId')}::uuid[], ${column('auditId')}::uuid[], ${column('action')}::text[],
      ${column('actor')}::text[], ${column('target')}::text[], ${column('detail')}::jsonb[],
      ${column('requestId')}::text[], ${column('createdAt').map((at) => at.toISOString())}::timestamptz[]
    )
  `.execute(tx);
}

/** Removes the caller's reason from the lines about entries, which were written with them: ids show about when. */
export async function forgetDetails(
  tx: Tx,
  workspaceId: string,
  entries: readonly { readonly id: string; readonly publicId: string }[],
): Promise<void> {
  if (entries.length === 0) return;
  const bound = (ms: number) =>
    entries.map(({ id }) => firstIdSince(new Date(momentOfId(id).getTime() + ms)));
  const { rows } = await sql<{ auditId: string }>`
    select l.audit_id
    from unnest(
      ${entries.map(({ publicId }) => publicId)}::text[], ${bound(-spareMs)}::uuid[], ${bound(spareMs)}::uuid[]
    ) as e(entry_id, since, until)
    cross join lateral (
      select audit_id, detail from audit_log
      where workspace_id = ${workspaceId} and audit_id >= e.since and audit_id < e.until
      offset 0
    ) as l
    where l.detail ->> 'entryId' = e.entry_id and l.detail ? 'reason'
  `.execute(tx);
  await sql`
    update audit_log set detail = detail - 'reason'
    where workspace_id = ${workspaceId} and audit_id = any(${rows.map(({ auditId }) => auditId)}::uuid[])
  `.execute(tx);
}

/** An entry and its line are made in one unit of work, which lasts seconds. */
const spareMs = 300_000;
