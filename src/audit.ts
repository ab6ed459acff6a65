import type { PublicCtx } from './context.ts';
import type { Tx } from './kit/db/database.ts';
import { newUuidV7 } from './kit/ids.ts';

/** One line of the audit log: who (`key_…` or `operator`) did what to which resource. */
interface AuditEntry {
  readonly workspaceId: string;
  /** The operation's name, as in OpenAPI and the access log. */
  readonly action: string;
  readonly actor: string;
  /** The public id of the resource. */
  readonly target: string;
  /** What changed, without secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records a change in the transaction that makes it: if this fails, the change does too. */
export async function audit(tx: Tx, ctx: PublicCtx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('auditLog')
    .values({
      ...entry,
      auditId: newUuidV7(),
      detail: JSON.stringify(entry.detail ?? {}),
      requestId: ctx.requestId,
      createdAt: ctx.app.now(),
    })
    .execute();
}
