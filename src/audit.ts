import type { KeyCtx, PublicCtx } from './context.ts';
import type { Tx } from './kit/db/database.ts';
import { encodeId, newUuidV7 } from './kit/ids.ts';

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
 * Records a change in the transaction that makes it: if this fails, the change does too. A caller with a key stands
 * there as the key's public id, in the key's workspace.
 */
export async function audit(tx: Tx, ctx: KeyCtx, entry: AuditEntry): Promise<void>;
export async function audit(tx: Tx, ctx: PublicCtx, entry: OperatorEntry): Promise<void>;
export async function audit(
  tx: Tx,
  ctx: PublicCtx | KeyCtx,
  entry: AuditEntry | OperatorEntry,
): Promise<void> {
  const { workspaceId, actor } = 'key' in ctx ? byKey(ctx) : (entry as OperatorEntry);
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

function byKey({ workspaceId, key }: KeyCtx) {
  return { workspaceId, actor: encodeId('key', key.keyId) };
}
