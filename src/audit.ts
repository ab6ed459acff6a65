import type { ActorCtx, PublicCtx } from './context.ts';
import type { Tx } from './kit/db/database.ts';
import { newUuidV7 } from './kit/ids.ts';

/** What was done to which resource. */
interface AuditEntry {
  /** The operation's name, as in OpenAPI and the access log. */
  readonly action: string;
  /** The public id of the resource. */
  readonly target: string;
  /** What changed, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The same, done by the operator to a workspace. */
interface OperatorEntry extends AuditEntry {
  readonly workspaceId: string;
  readonly actor: 'operator';
}

/**
 * Records a change in the transaction that makes it: if this fails, the change does too. Whoever acts in a
 * workspace stands there by its public id.
 */
export async function audit(tx: Tx, ctx: ActorCtx, entry: AuditEntry): Promise<void>;
export async function audit(tx: Tx, ctx: PublicCtx, entry: OperatorEntry): Promise<void>;
export async function audit(
  tx: Tx,
  ctx: PublicCtx | ActorCtx,
  entry: AuditEntry | OperatorEntry,
): Promise<void> {
  const { workspaceId, actor } = 'actor' in ctx ? ctx : (entry as OperatorEntry);
  await tx
    .insertInto('auditLog')
    .values({
      ...entry,
      workspaceId,
      actor,
      auditId: newUuidV7(),
      detail: JSON.stringify(entry.detail ?? {}),
      requestId: ctx.requestId,
      createdAt: ctx.app.now(),
    })
    .execute();
}
