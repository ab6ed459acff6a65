import type { ActorCtx, KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { decodeId } from '../kit/ids.ts';
import { refuseOtherPass } from '../passes/find-pass.ts';
import { hasExpired, linksTo } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';
import { findForeign, findInstances, lockInstanceRow, readLinkSecrets } from './instances.sql.ts';

/**
 * An instance of the caller by its public id. Raises `instance_not_found`; `forbidden` when another account owns
 * it; `insufficient_scope` when the key is restricted to other passes.
 */
export async function findInstance(db: Db, ctx: ActorCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  if (instanceId === null) throw notFoundById(publicId);
  const [row] = await findInstances(db, ctx.workspaceId, [instanceId]);
  return reachable(db, ctx, { publicId, instanceId }, row);
}

/** The same, in a query that callers who come together share. */
export async function readInstance(ctx: KeyCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  if (instanceId === null) throw notFoundById(publicId);
  const row = await ctx.app.groupCommit.read(findInstances, ctx.workspaceId, instanceId);
  return reachable(ctx.app.database.db, ctx, { publicId, instanceId }, row);
}

/** Whose an instance is that the caller's workspace does not have is asked only then. */
async function reachable(
  db: Db,
  ctx: ActorCtx,
  { publicId, instanceId }: { readonly publicId: string; readonly instanceId: string },
  row: InstanceRow | undefined,
): Promise<InstanceRow> {
  const foreign = row === undefined ? await findForeign(db, ctx.workspaceId, [instanceId]) : new Set();
  return instanceOf(ctx, publicId, row, foreign.has(instanceId));
}

/** The instance that was found for an id, for a caller who knows whether it is another account's. Raises what `findInstance` does. */
export function instanceOf(
  ctx: ActorCtx,
  publicId: string,
  row: InstanceRow | undefined,
  isForeign: boolean,
): InstanceRow {
  if (isForeign) throw refusal('forbidden', 'This instance belongs to another account.');
  if (row === undefined) throw notFoundById(publicId);
  refuseOtherPass(ctx, row.passId);
  return row;
}

function notFoundById(publicId: string) {
  return instanceNotFound(`the id "${publicId.slice(0, 40)}"`);
}

/** The same, kept from changing until the transaction ends. */
export async function lockInstance(tx: Tx, ctx: ActorCtx, publicId: string): Promise<InstanceRow> {
  const instanceId = decodeId('inst', publicId);
  // Two statements: one that waits for the lock would show the holder as it was before the wait.
  if (instanceId !== null) await lockInstanceRow(tx, ctx.workspaceId, instanceId);
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

/** Raises `instance_expired` where a card that expires then has expired at that moment. */
export function refuseExpired(expiry: Date | null, at: Date): void {
  if (expiry === null || !hasExpired(expiry, at)) return;
  const expiredAt = expiry.toISOString();
  throw refusal(
    'instance_expired',
    `This card expired at ${expiredAt}. PATCH /instances/{instanceId} with a later expiresAt extends it.`,
    { expiredAt },
  );
}

export function instanceNotFound(what: string) {
  return refusal('instance_not_found', `No instance of yours matches ${what}.`);
}

/** The links of cards, by instance. */
export async function linksOf(
  db: Db,
  { app, workspaceId }: ActorCtx,
  instanceIds: readonly string[],
): Promise<Map<string, ReturnType<typeof linksTo>>> {
  const rows = await readLinkSecrets(db, workspaceId, instanceIds);
  return new Map(rows.map((row) => [row.instanceId, linksTo(app.config.publicUrl, row)]));
}
