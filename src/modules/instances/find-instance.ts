import type { ActorCtx, KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import type { InstanceRow } from './instance-row.ts';
import { findInstanceAnywhere, findInstancesAnywhere, lockInstance } from './instances.sql.ts';

/**
 * An instance of the caller by its public id. Raises `instance_not_found`; `forbidden` when another account owns
 * it; `insufficient_scope` when the key is restricted to other passes.
 */
export async function findInstance(db: Db, ctx: ActorCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  const row = instanceId === null ? undefined : await findInstanceAnywhere(db, instanceId);
  return reachable(ctx, publicId, row);
}

/** The same, in a query that callers who come together share. */
export async function readInstance(ctx: KeyCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  const { groupCommit } = ctx.app;
  const row =
    instanceId === null ? undefined : await groupCommit.read(findInstancesAnywhere, 'all', instanceId);
  return reachable(ctx, publicId, row);
}

function reachable(ctx: ActorCtx, publicId: string, row: InstanceRow | undefined): InstanceRow {
  if (row === undefined) throw instanceNotFound(`the id "${publicId.slice(0, 40)}"`);
  if (row.workspaceId !== ctx.workspaceId)
    throw refusal('forbidden', 'This instance belongs to another account.');
  refuseOtherPass(ctx, row.passId);
  return row;
}

/** The same, kept from changing until the transaction ends. */
export async function holdInstance(tx: Tx, ctx: ActorCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  // Two statements: one that waits for the lock would show the holder as it was before the wait.
  if (instanceId !== null) await lockInstance(tx, ctx.workspaceId, instanceId);
  return findInstance(tx, ctx, publicId);
}

/** Raises `instance_voided` on a voided instance. */
export function refuseVoided(row: Pick<InstanceRow, 'status'>): void {
  if (row.status === 'voided') {
    throw refusal(
      'instance_voided',
      'This instance is voided. Reactivate it with POST /instances/{instanceId}/reactivate.',
    );
  }
}

export function instanceNotFound(what: string) {
  return refusal('instance_not_found', `No instance of yours matches ${what}.`);
}
