import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

/** What a card has, for a table of them. */
export interface BalanceRow {
  readonly accountId: string;
  readonly instanceId: string;
  readonly identifier: string | null;
  /** The card's own code, or the one that all cards of the pass share. */
  readonly barcode: string | null;
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
  readonly nextExpiryAt: Date | null;
}

/** The accounts of a program after one, in the order of their ids. */
export function listBalances(
  db: Db,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
  after: string | null,
  take: number,
): Promise<BalanceRow[]> {
  return sql<BalanceRow>`
    select a.account_id, a.instance_id, h.identifier, coalesce(i.barcode, p.barcode_value) as barcode,
      a.balance, a.lifetime_points, a.pending_rewards, a.next_expiry_at
    from (
      select * from loyalty_accounts
      where workspace_id = ${workspaceId} and program_id = ${programId}
        and account_id > ${after ?? firstId}
      order by account_id
      limit ${take}
    ) as a
    join instances i on i.workspace_id = ${workspaceId} and i.instance_id = a.instance_id
    join passes p on p.workspace_id = ${workspaceId} and p.pass_id = i.pass_id
    left join holders h on h.workspace_id = ${workspaceId} and h.instance_id = a.instance_id
    order by a.account_id
  `.rows(db);
}

/** Marks where `undoTrial` goes back to. */
export async function beginTrial(tx: Tx): Promise<void> {
  await sql`savepoint trial`.execute(tx);
}

/** Undoes the writes since the mark, and releases the locks. */
export async function undoTrial(tx: Tx): Promise<void> {
  await sql`rollback to savepoint trial`.execute(tx);
}
