import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { PassKey, PassRow } from './pass-row.ts';

export interface AssignedCode {
  readonly instanceId: string;
  readonly barcode: string;
}

/** A code that has left the pool, and its place in the order of upload. */
export interface TakenCode extends AssignedCode {
  readonly seq: number;
}

/** Says in SQL whether a card of the pool's pass carries a code. */
export type IsOnCard = (code: Sql) => Sql<boolean>;

type Pool = Pick<PassRow, 'workspaceId' | 'passId' | 'poolFromSeq'>;

/** Marks where `returnCodes` goes back to. */
export async function beforeCodes(tx: Tx): Promise<void> {
  await sql`savepoint codes`.execute(tx);
}

/** Gives back, locks included, the codes assigned since the mark. */
export async function returnCodes(tx: Tx): Promise<void> {
  await sql`rollback to savepoint codes`.execute(tx);
}

/**
 * Gives each instance the next unused code of the pool, oldest upload first; those left over get none. A code that
 * a card brought with it before it was uploaded is passed over. With `wait` it also waits for codes that a
 * transaction under way has taken and may yet give back.
 */
export function assignCodes(
  tx: Tx,
  { workspaceId, passId, poolFromSeq }: Pool,
  instanceIds: readonly string[],
  { at, wait, isOnCard }: { readonly at: Date; readonly wait: boolean; readonly isOnCard: IsOnCard },
): Promise<TakenCode[]> {
  return sql<TakenCode>`
    with free as (
      select pass_id, barcode, seq
      from pool_barcodes
      where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id is null and seq >= ${poolFromSeq}
        and not (${isOnCard(sql`pool_barcodes.barcode`)})
      order by seq
      limit ${instanceIds.length}
      for update ${wait ? sql`` : sql`skip locked`}
    ), pairs as (
      select free.*, asked.instance_id
      from (select *, row_number() over (order by seq) as place from free) free
      join unnest(${instanceIds}::uuid[]) with ordinality as asked(instance_id, place) using (place)
      limit ${instanceIds.length}
    )
    update pool_barcodes p
    set instance_id = pairs.instance_id, assigned_at = ${at}
    from pairs
    -- by a column, not by the pass that is known: one without statistics would be read through, as if it had a few codes
    where p.workspace_id = ${workspaceId} and p.pass_id = pairs.pass_id and p.barcode = pairs.barcode
    returning p.instance_id, p.barcode, p.seq
  `.rows(tx);
}

/** Takes codes out of the pool that a card issued elsewhere carries already; answers those that were in it, free. */
export function assignKnownCodes(
  tx: Tx,
  { workspaceId, passId }: Pool,
  codes: readonly AssignedCode[],
  at: Date,
): Promise<TakenCode[]> {
  return sql<TakenCode>`
    with asked as materialized (
      select ${passId}::uuid as pass_id, c.*
      from unnest(${codes.map((code) => code.instanceId)}::uuid[], ${codes.map((code) => code.barcode)}::text[])
        as c(instance_id, barcode)
      limit ${codes.length}
    )
    update pool_barcodes p
    set instance_id = asked.instance_id, assigned_at = ${at}
    from asked
    where p.workspace_id = ${workspaceId} and p.pass_id = asked.pass_id and p.barcode = asked.barcode
      -- said so that no index of all free codes can serve it
      and (p.instance_id is null) is true
    returning p.instance_id, p.barcode, p.seq
  `.rows(tx);
}

/** Puts another code in the place of one that a card has from the pool; where it has none, nothing happens. */
export async function replaceCode(
  tx: Tx,
  { workspaceId, passId }: PassKey,
  { instanceId, barcode }: AssignedCode,
  other: string,
): Promise<void> {
  await sql`
    update pool_barcodes set barcode = ${other}
    where pass_id = ${passId} and workspace_id = ${workspaceId} and barcode = ${barcode} and instance_id = ${instanceId}
  `.execute(tx);
}

/** The code with which no more than `poolLowAt` are left; null where there are no more than that. */
export async function findMark(db: Db, pool: Pool & Pick<PassRow, 'poolLowAt'>): Promise<number | null> {
  const { rows } = await markOf(pool).execute(db);
  return rows[0]?.seq ?? null;
}

function markOf({ workspaceId, passId, poolFromSeq, poolLowAt }: Pool & Pick<PassRow, 'poolLowAt'>) {
  return sql<{ seq: number }>`
    select seq
    from pool_barcodes
    where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id is null and seq >= ${poolFromSeq}
    order by seq desc
    offset ${poolLowAt}
    limit 1
  `;
}

/** Waits for others who change the pass, and keeps it from them. */
export async function lockMark(tx: Tx, { workspaceId, passId }: Pool): Promise<void> {
  await sql`
    select 1 from passes where workspace_id = ${workspaceId} and pass_id = ${passId} for no key update
  `.execute(tx);
}

/** A pool that may have become low. */
type LowPool = Pool & Pick<PassRow, 'poolLowAt'>;

/** The codes of a pool that has become low. */
export interface LowCounts {
  readonly pooled: number;
  readonly assigned: number;
}

/**
 * Marks a pool as low in which this code was the last to go, or, without one, none was left; not where it is marked already,
 * or not low. Its codes where it has become so now. The caller holds the mark.
 */
export function markLow(
  tx: Tx,
  { workspaceId, passId }: LowPool,
  at: Date,
  lastSeq: number | null,
): Promise<LowCounts | undefined> {
  return sql<LowCounts>`
    with low as (
      update passes
      set pool_low_since = ${at}, pool_low_seq = null
      where workspace_id = ${workspaceId} and pass_id = ${passId} and pool_low_since is null
        and (pool_low_seq is null or ${lastSeq}::bigint is null or pool_low_seq <= ${lastSeq})
      returning true
    )
    ${countsIfLow(workspaceId, passId)}
  `.first(tx);
}

/**
 * Moves the mark of a pool that is not low to where it lies now, or marks the pool as low; its codes where it has become so
 * now. The caller holds the mark.
 */
export function moveMarkOn(tx: Tx, pool: LowPool, at: Date): Promise<LowCounts | undefined> {
  const { workspaceId, passId } = pool;
  return sql<LowCounts>`
    with mark as materialized (select (${markOf(pool)}) as seq), moved as (
      update passes
      set pool_low_seq = mark.seq, pool_low_since = case when mark.seq is null then ${at}::timestamptz end
      from mark
      where workspace_id = ${workspaceId} and pass_id = ${passId} and pool_low_since is null
      returning pool_low_since
    ), low as (select from moved where pool_low_since is not null)
    ${countsIfLow(workspaceId, passId)}
  `.first(tx);
}

/** The codes of a pool, where a row of `low` says that it has become low. */
function countsIfLow(workspaceId: string, passId: string): Sql {
  return sql`
    select coalesce(sum(pooled), 0)::bigint as pooled, coalesce(sum(assigned), 0)::bigint as assigned
    from pass_counters
    where workspace_id = ${workspaceId} and pass_id = ${passId}
    having exists (select from low)
  `;
}

/** Writes where the mark of a pool lies. */
export async function keepMark(
  tx: Tx,
  { workspaceId, passId }: Pool,
  mark: Pick<PassRow, 'poolLowSeq' | 'poolLowSince'>,
): Promise<void> {
  await tx
    .updateTable('passes')
    .set(mark)
    .where('workspaceId', '=', workspaceId)
    .where('passId', '=', passId)
    .execute();
}

/**
 * Moves the front of a pool on to its first unused code, those counted that a transaction under way has taken; behind
 * `lastSeq`, which the caller has just taken, where there is none. Left to others when they are at it.
 */
export async function advancePool(tx: Tx, { workspaceId, passId }: Pool, lastSeq: number): Promise<void> {
  await sql`
    update passes p
    set pool_from_seq = coalesce((
      select b.seq from pool_barcodes b
      where b.workspace_id = ${workspaceId} and b.pass_id = ${passId} and b.instance_id is null
        and b.seq >= free.pool_from_seq
      order by b.seq
      limit 1
    ), ${lastSeq})
    from (
      select pool_from_seq from passes where workspace_id = ${workspaceId} and pass_id = ${passId}
      for no key update skip locked
    ) as free
    where p.workspace_id = ${workspaceId} and p.pass_id = ${passId}
  `.execute(tx);
}

/**
 * Has the pools of a workspace that was moved here look for free codes from the last that they have on: new ones are numbered
 * behind those that came along, which may lie before codes that were deleted there.
 */
export async function clampArrived(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    update passes p
    set pool_from_seq = least(pool_from_seq, (
      select coalesce(max(b.seq), 0) from pool_barcodes b
      where b.workspace_id = ${workspaceId} and b.pass_id = p.pass_id
    ))
    where p.workspace_id = ${workspaceId} and p.pool_from_seq > 0
  `.execute(tx);
}

/** A code of a pool; `instanceId` and `assignedAt` once it is on a card. */
export interface PoolCode {
  readonly barcode: string;
  readonly seq: number;
  readonly instanceId: string | null;
  readonly assignedAt: Date | null;
}

export function findCode(
  db: Db,
  { workspaceId, passId }: Pool,
  barcode: string,
): Promise<PoolCode | undefined> {
  return sql<PoolCode>`
    select barcode, seq, instance_id, assigned_at from pool_barcodes
    where workspace_id = ${workspaceId} and pass_id = ${passId} and barcode = ${barcode}
  `.first(db);
}

/** Lists codes in the order of their upload; `state` limits the list to codes that wait for a card, or are on one. */
export function listCodes(
  db: Db,
  { workspaceId, passId, poolFromSeq }: Pool,
  state: 'available' | 'assigned' | undefined,
  after: number,
  take: number,
): Promise<PoolCode[]> {
  const some = (which: Sql) => sql`(
    select barcode, seq, instance_id, assigned_at
    from pool_barcodes
    where workspace_id = ${workspaceId} and pass_id = ${passId} and seq > ${after} and ${which}
    order by seq
    limit ${take}
  )`;
  const available = some(sql`instance_id is null and seq >= ${poolFromSeq}`);
  const assigned = some(sql`instance_id is not null`);
  return sql<PoolCode>`
    select * from (
      ${state === 'assigned' ? sql`` : available}
      ${state === undefined ? sql`union all` : sql``}
      ${state === 'available' ? sql`` : assigned}
    ) as codes
    order by seq
    limit ${take}
  `.rows(db);
}

export async function deleteCode(tx: Tx, { workspaceId, passId }: Pool, barcode: string): Promise<void> {
  await sql`
    delete from pool_barcodes
    where workspace_id = ${workspaceId} and pass_id = ${passId} and barcode = ${barcode}
  `.execute(tx);
}
