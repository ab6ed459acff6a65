import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassRow } from './pass-row.ts';
import type { IsOnCard } from './pool.sql.ts';

type Pool = Pick<PassRow, 'workspaceId' | 'passId'>;

/** Any constant that no other advisory lock of two numbers begins with. */
const turnSpace = 7_052_020;

/** Keeps other uploads from the pool until the end of the transaction, unless one is at it: false. */
export async function takeUploadTurn(tx: Tx, passId: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${turnSpace}, hashtext(${passId})) as taken
  `.execute(tx);
  return rows[0]?.taken === true;
}

/** Waits for an upload that is at work, and keeps others out until the end of the transaction. */
export async function awaitUploads(tx: Tx, passId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${turnSpace}, hashtext(${passId}))`.execute(tx);
}

/**
 * Adds codes, which differ, to the pool in their order. Returns those that are not added: they are in the pool already
 * or, where `isOnCard` is said, on a card.
 */
export async function insertCodes(
  tx: Tx,
  { workspaceId, passId }: Pool,
  codes: readonly string[],
  isOnCard: IsOnCard | null,
): Promise<string[]> {
  if (codes.length === 0) return [];
  const onNoCard = isOnCard === null ? sql`` : sql`where not (${isOnCard(sql`asked.code`)})`;
  // One text instead of an array: the driver would quote each element. No code holds a line break.
  const { rows } = await sql<{ code: string }>`
    with asked as materialized (
      select code, place from unnest(string_to_array(${codes.join('\n')}, E'\n')) with ordinality as c(code, place)
    ), added as (
      insert into pool_barcodes (workspace_id, pass_id, barcode)
      select ${workspaceId}, ${passId}, code from asked ${onNoCard} order by place
      on conflict do nothing
      returning barcode
    )
    select code from asked where code not in (select barcode from added)
  `.execute(tx);
  return rows.map(({ code }) => code);
}

/** Those of the codes that are in the pool and wait for a card. */
export async function findAvailable(
  db: Db,
  { workspaceId, passId }: Pool,
  codes: readonly string[],
): Promise<Set<string>> {
  if (codes.length === 0) return new Set();
  const { rows } = await sql<{ barcode: string }>`
    select b.barcode
    from unnest(string_to_array(${codes.join('\n')}, E'\n')) as asked(code)
    cross join lateral (
      select barcode, instance_id from pool_barcodes
      where pass_id = ${passId} and barcode = asked.code and workspace_id = ${workspaceId}
      limit 1
    ) as b
    where b.instance_id is null
  `.execute(db);
  return new Set(rows.map(({ barcode }) => barcode));
}

/** The newest code of a pool. */
export async function findLastSeq(db: Db, { workspaceId, passId }: Pool): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select greatest(
      (select max(seq) from pool_barcodes
        where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id is null),
      (select max(seq) from pool_barcodes
        where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id is not null),
      0
    ) as seq
  `.execute(db);
  return rows[0]?.seq ?? 0;
}

/** Removes those codes from the pool that were added after `afterSeq` and have come on a card since. */
export async function withdrawCarried(
  tx: Tx,
  { workspaceId, passId }: Pool,
  afterSeq: number,
  isOnCard: IsOnCard,
): Promise<string[]> {
  const { rows } = await sql<{ barcode: string }>`
    delete from pool_barcodes b
    where b.workspace_id = ${workspaceId} and b.pass_id = ${passId} and b.instance_id is null and b.seq > ${afterSeq}
      and ${isOnCard(sql`b.barcode`)}
    returning barcode
  `.execute(tx);
  return rows.map(({ barcode }) => barcode);
}
