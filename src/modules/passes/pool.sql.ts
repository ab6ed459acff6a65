import { sql } from 'kysely';
import type { Tx } from '../../kit/db/database.ts';

export interface AssignedCode {
  readonly instanceId: string;
  readonly barcode: string;
}

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
export async function assignCodes(
  tx: Tx,
  workspaceId: string,
  passId: string,
  instanceIds: readonly string[],
  at: Date,
  wait: boolean,
): Promise<AssignedCode[]> {
  const { rows } = await sql<AssignedCode>`
    with free as (
      select barcode, seq
      from pool_barcodes
      where workspace_id = ${workspaceId} and pass_id = ${passId} and instance_id is null
        -- a subquery with a limit is looked up code by code, never joined with all cards
        and (
          select i.instance_id from instances i
          where i.workspace_id = ${workspaceId} and i.pass_id = ${passId} and i.barcode = pool_barcodes.barcode
          limit 1
        ) is null
      order by seq
      limit ${instanceIds.length}
      for update ${wait ? sql`` : sql`skip locked`}
    ), pairs as (
      select free.barcode, asked.instance_id
      from (select barcode, row_number() over (order by seq) as place from free) free
      join unnest(${instanceIds}::uuid[]) with ordinality as asked(instance_id, place) using (place)
    )
    update pool_barcodes p
    set instance_id = pairs.instance_id, assigned_at = ${at}
    from pairs
    where p.workspace_id = ${workspaceId} and p.pass_id = ${passId} and p.barcode = pairs.barcode
    returning p.instance_id, p.barcode
  `.execute(tx);
  return rows;
}

/** Takes codes out of the pool that a card issued elsewhere carries already; answers those that were in it, free. */
export async function assignKnownCodes(
  tx: Tx,
  workspaceId: string,
  passId: string,
  codes: readonly AssignedCode[],
  at: Date,
): Promise<AssignedCode[]> {
  const { rows } = await sql<AssignedCode>`
    update pool_barcodes p
    set instance_id = asked.instance_id, assigned_at = ${at}
    from unnest(${codes.map((code) => code.instanceId)}::uuid[], ${codes.map((code) => code.barcode)}::text[])
      as asked(instance_id, barcode)
    where p.workspace_id = ${workspaceId} and p.pass_id = ${passId} and p.barcode = asked.barcode
      and p.instance_id is null
    returning p.instance_id, p.barcode
  `.execute(tx);
  return rows;
}
