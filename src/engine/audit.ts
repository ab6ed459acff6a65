import type { CommandCtx, CommandInWorkspace } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import type { DeferredWrite } from '../kit/db/unit.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { type AuditRow, insertAudits } from './audit.sql.ts';
import { lockRankOf } from './lock-order.ts';

/** What was done to which resource. */
interface AuditEntry {
  /** The operation's name, as in OpenAPI and the access log. */
  readonly action: string;
  /** The public id of the resource. */
  readonly target: string;
  /** What changed, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** A change of a workspace, or in it, by an actor that the context does not name: the operator, or a person of their own account. */
interface EntryOf extends AuditEntry {
  readonly workspaceId: string;
  readonly actor: string;
}

const deferred: DeferredWrite<AuditRow[]> = {
  lockRank: lockRankOf('audit'),
  isFinal: () => true,
  empty: () => [],
  write: insertAudits,
};

/**
 * Records a change with the unit of work that makes it: if this fails, the change does too. A caller who acts in a
 * workspace is named by their public id.
 */
export function audit(tx: Tx, ctx: CommandInWorkspace, entry: AuditEntry): void;
export function audit(tx: Tx, ctx: CommandCtx, entry: EntryOf): void;
export function audit(tx: Tx, ctx: CommandCtx | CommandInWorkspace, entry: AuditEntry | EntryOf): void {
  const { workspaceId, actor } = 'actor' in ctx ? ctx : (entry as EntryOf);
  const { action, target, detail = {} } = entry;
  tx.unit.of(deferred).push({
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
