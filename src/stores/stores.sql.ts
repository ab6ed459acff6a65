import type { Page } from '../engine/page.ts';
import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { Waiting } from './store.schema.ts';
import type { StoreKey, StoreRow } from './store-row.ts';

export function findStoreOf(db: Db, workspaceId: string, storeId: string): Promise<StoreRow | undefined> {
  return sql<StoreRow>`
    select * from stores where store_id = ${storeId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** Finds a store in any workspace. Call this after the lookup in the caller's own workspace found nothing. */
export function findStoreAnywhere(db: Db, storeId: string): Promise<StoreRow | undefined> {
  return sql<StoreRow>`select * from stores where store_id = ${storeId}`.first(db);
}

/** Stores of a workspace by their ids. */
export function findStores(db: Db, workspaceId: string, storeIds: ReadonlySet<string>): Promise<StoreRow[]> {
  return sql<StoreRow>`
    select * from stores where store_id = any(${[...storeIds]}::uuid[]) and workspace_id = ${workspaceId}
  `.rows(db);
}

/** Stores by their ids, in the same order, whatever workspaces own them. Set-based, for the group commit. */
export async function findStoresAnywhere(
  db: Db,
  _lane: string,
  storeIds: readonly string[],
): Promise<(StoreRow | undefined)[]> {
  const rows = (await db
    .selectFrom('stores')
    .selectAll()
    .where('storeId', 'in', [...new Set(storeIds)])
    .execute()) as unknown as StoreRow[];
  const byId = new Map(rows.map((row) => [row.storeId, row]));
  return storeIds.map((storeId) => byId.get(storeId));
}

/** The same where it is known which workspaces own them. */
export async function findNamedStores(
  db: Db,
  _lane: string,
  named: readonly StoreKey[],
): Promise<(StoreRow | undefined)[]> {
  const rows = (await db
    .selectFrom('stores')
    .selectAll()
    .where('storeId', 'in', [...new Set(named.map(({ storeId }) => storeId))])
    .where('workspaceId', 'in', [...new Set(named.map(({ workspaceId }) => workspaceId))])
    .execute()) as unknown as StoreRow[];
  const byId = new Map(rows.map((row) => [row.storeId, row]));
  return named.map(({ storeId }) => byId.get(storeId));
}

/** Locks a store until the end of the transaction. */
export async function lockStoreRow(tx: Tx, workspaceId: string, storeId: string): Promise<void> {
  await sql`
    select store_id from stores
    where workspace_id = ${workspaceId} and store_id = ${storeId}
    for no key update
  `.execute(tx);
}

/** The connected store of a domain. */
export function findConnected(
  db: Db,
  workspaceId: string,
  { platform, domain }: Pick<StoreRow, 'platform' | 'domain'>,
): Promise<StoreRow | undefined> {
  return sql<StoreRow>`
    select * from stores
    where workspace_id = ${workspaceId} and platform = ${platform} and domain = ${domain} and disconnected_at is null
  `.first(db);
}

/**
 * A domain's store that was disconnected, locked until the end of the transaction; the last one of several. Undefined
 * while one is connected.
 */
export async function lockFormer(
  tx: Tx,
  workspaceId: string,
  { platform, domain }: Pick<StoreRow, 'platform' | 'domain'>,
): Promise<StoreRow | undefined> {
  // Of one that is connected and one that is not, the first is the one that counts.
  const row = await sql<StoreRow>`
    select * from stores where workspace_id = ${workspaceId} and platform = ${platform} and domain = ${domain}
    order by disconnected_at desc nulls first
    limit 1
    for no key update
  `.first(tx);
  return row === undefined || row.disconnectedAt === null ? undefined : row;
}

/** Up to two connected stores: of a pass, or of the whole workspace. */
export function findTwoConnected(db: Db, workspaceId: string, passId: string | null): Promise<StoreRow[]> {
  return sql<StoreRow>`
    select * from stores
    where workspace_id = ${workspaceId} and disconnected_at is null
      ${passId === null ? sql`` : sql`and pass_id = ${passId}`}
    order by store_id
    limit 2
  `.rows(db);
}

/** The connected stores whose orders earn on the cards of a pass. */
export function listStoresOfPass(db: Db, workspaceId: string, passId: string): Promise<StoreRow[]> {
  return sql<StoreRow>`
    select * from stores
    where workspace_id = ${workspaceId} and disconnected_at is null and pass_id = ${passId}
    order by store_id
  `.rows(db);
}

/** Newest first. */
export async function listStores(db: Db, workspaceId: string, { after, take }: Page): Promise<StoreRow[]> {
  let query = db.selectFrom('stores').selectAll().where('workspaceId', '=', workspaceId);
  if (after !== null) query = query.where('storeId', '<', after);
  return (await query.orderBy('storeId', 'desc').limit(take).execute()) as unknown as StoreRow[];
}

/** Adds a store; false, and nothing is added, when the domain is connected already. */
export async function insertStore(tx: Tx, { consent, ...columns }: StoreRow): Promise<boolean> {
  const added = await tx
    .insertInto('stores')
    .values({ ...columns, consent: consent === null ? null : JSON.stringify(consent) })
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'platform', 'domain']).where('disconnectedAt', 'is', null).doNothing(),
    )
    .returning('storeId')
    .execute();
  return added.length > 0;
}

/** Changes columns of a store. The caller has locked it. */
export async function changeStore(
  tx: Tx,
  store: StoreKey,
  { workspaceId: _, storeId: __, consent, ...columns }: Partial<StoreRow>,
): Promise<void> {
  const kept = consent === undefined ? {} : { consent: consent === null ? null : JSON.stringify(consent) };
  await tx
    .updateTable('stores')
    .set({ ...columns, ...kept })
    .where('workspaceId', '=', store.workspaceId)
    .where('storeId', '=', store.storeId)
    .execute();
}

/** Counts the webhooks that wait or were abandoned, by store. */
export async function countWaiting(
  db: Db,
  workspaceId: string,
  storeIds: readonly string[],
): Promise<Map<string, Waiting>> {
  if (storeIds.length === 0) return new Map();
  const { rows } = await sql<Waiting & { storeId: string }>`
    select s.store_id, waiting.*, given_up.*, last.*
    from unnest(${storeIds}::uuid[]) as s(store_id)
    cross join lateral (
      select count(*)::int as count, mode() within group (order by refused) as refused
      from store_webhooks w
      where w.workspace_id = ${workspaceId} and w.store_id = s.store_id and w.due_at is not null
    ) as waiting
    cross join lateral (
      select count(*)::int as given_up
      from store_webhooks w
      where w.workspace_id = ${workspaceId} and w.store_id = s.store_id and w.due_at is null and w.body is not null
    ) as given_up
    left join lateral (
      select w.order_id, w.reason
      from store_webhooks w
      where w.workspace_id = ${workspaceId} and w.store_id = s.store_id and w.due_at is null and w.body is not null
        and w.reason is not null
      order by w.received_at desc
      limit 1
    ) as last on true
  `.execute(db);
  return new Map(rows.map(({ storeId, ...waiting }) => [storeId, waiting]));
}

/** Has a connected store read at once. */
export async function makeDue(tx: Tx, store: StoreKey, now: Date): Promise<void> {
  await sql`
    update stores set reconcile_at = ${now}
    where workspace_id = ${store.workspaceId} and store_id = ${store.storeId}
      and disconnected_at is null and reconcile_at > ${now}
  `.execute(tx);
}

/** Stores that were disconnected before a moment, and from which webhooks are still taken. */
export function listForgettable(db: Db, before: Date): Promise<StoreKey[]> {
  return sql<StoreKey>`
    select workspace_id, store_id from stores
    where disconnected_at < ${before} and webhook_secrets is not null
  `.rows(db);
}

/** Deletes the webhook secrets of a store that was disconnected before a moment: its webhooks are then refused. */
export async function forgetSecrets(tx: Tx, store: StoreKey, before: Date): Promise<void> {
  await sql`
    update stores set webhook_secrets = null
    where workspace_id = ${store.workspaceId} and store_id = ${store.storeId} and disconnected_at < ${before}
  `.execute(tx);
}

/** Which of the workspaces are suspended. */
export async function findSuspended(db: Db, workspaceIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('workspaces')
    .select('workspaceId')
    .where('workspaceId', 'in', [...new Set(workspaceIds)])
    .where('suspendedAt', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.workspaceId));
}

/** Removes a pass that is about to be deleted from the stores of its workspace. */
export async function takePassOff(tx: Tx, workspaceId: string, passId: string): Promise<void> {
  await sql`
    update stores set pass_id = null where workspace_id = ${workspaceId} and pass_id = ${passId}
  `.execute(tx);
}

/** A leased store. `reconcileAt` is the end of the lease, and proves that it is ours. */
export interface ClaimedStore extends StoreRow {
  readonly reconcileAt: Date;
}

/** Stores whose orders are to be read. A store is due again at the end of its lease. */
export const dueStores: Queue<ClaimedStore> = {
  job: 'reconcileStores',
  table: 'stores',
  part: 'workspaceId',
  key: { storeId: 'uuid' },
  due: 'reconcileAt',
  columns: sql`*`,
};

/** Makes all stores that are read due; how many. */
export async function makeStoresDue(tx: Tx, now: Date): Promise<number> {
  const { rowCount } = await sql`
    update stores set reconcile_at = ${now} where reconcile_at is not null
  `.execute(tx);
  return rowCount;
}
