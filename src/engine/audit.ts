import type { CommandCtx, CommandInWorkspace } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';
import type { Ending } from '../kit/db/unit.ts';
import { firstIdSince, momentOfId, newUuidV7 } from '../kit/ids.ts';
import { placeOf } from './lock-order.ts';

/** What was done to which resource. */
interface AuditEntry {
  /** The operation's name, as in OpenAPI and the access log. */
  readonly action: string;
  /** The public id of the resource. */
  readonly target: string;
  /** What changed, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** What somebody did to a workspace, or in it, whom the context does not say: the operator, a person with their own ways in. */
interface EntryOf extends AuditEntry {
  readonly workspaceId: string;
  readonly actor: string;
}

interface AuditRow {
  readonly workspaceId: string;
  readonly auditId: string;
  readonly action: string;
  readonly actor: string;
  readonly target: string;
  readonly detail: string;
  readonly requestId: string;
  readonly createdAt: Date;
}

const ending: Ending<AuditRow[]> = {
  place: placeOf('audit'),
  begin: () => [],
  async write(tx, rows) {
    const column = <K extends keyof AuditRow>(name: K) => rows.map((row) => row[name]);
    await prepared`
      insert into audit_log (workspace_id, audit_id, action, actor, target, detail, request_id, created_at)
      select * from unnest(
        ${column('workspaceId')}::uuid[], ${column('auditId')}::uuid[], ${column('action')}::text[],
        ${column('actor')}::text[], ${column('target')}::text[], ${column('detail')}::jsonb[],
        ${column('requestId')}::text[], ${column('createdAt').map((at) => at.toISOString())}::timestamptz[]
      )
    `.execute(tx);
  },
};

/**
 * Records a change with the unit of work that makes it: if this fails, the change does too. A caller who acts in a
 * workspace stands there by its public id.
 */
export function audit(tx: Tx, ctx: CommandInWorkspace, entry: AuditEntry): void;
export function audit(tx: Tx, ctx: CommandCtx, entry: EntryOf): void;
export function audit(tx: Tx, ctx: CommandCtx | CommandInWorkspace, entry: AuditEntry | EntryOf): void {
  const { workspaceId, actor } = 'actor' in ctx ? ctx : (entry as EntryOf);
  const { action, target, detail = {} } = entry;
  tx.unit.of(ending).push({
    workspaceId,
    auditId: newUuidV7(),
    action,
    actor,
    target,
    detail: JSON.stringify(detail),
    requestId: ctx.requestId,
    createdAt: ctx.app.now(),
  });
}

/** Takes the caller's reason out of the lines about entries, which were written with them: ids tell about when. */
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
