import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

/** Balances from a figure on, and below another where there is one. */
export interface BalanceRange {
  readonly from: number;
  readonly below: number | null;
}

/** The next accounts of a program, of which some have such a balance. */
export interface ScannedAccounts {
  /** How many were looked at; fewer than asked for: there are no more. */
  readonly looked: number;
  /** The last of them; null where there was none. */
  readonly last: string | null;
  readonly matching: number;
  /** The cards among these that a wallet holds. */
  readonly installed: number;
  /** How often the balances of these hold the lower figure. */
  readonly times: number;
  /** The first of these. */
  readonly accountIds: readonly string[];
}

/**
 * Looks at the next accounts of a program, in the order of their ids, and picks those with a balance in a range: without
 * points whose time is over, whether or not they were taken yet.
 */
export async function scanAccounts(
  db: Db,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
  { from, below }: BalanceRange,
  { after, look, pick, at }: { after: string | null; look: number; pick: number; at: Date },
): Promise<ScannedAccounts> {
  const { rows } = await sql<ScannedAccounts>`
    with looked as materialized (
      select a.account_id, a.instance_id, a.balance - coalesce(over.points, 0) as balance
      from (
        select account_id, instance_id, balance, next_expiry_at from loyalty_accounts
        where program_id = ${programId} and workspace_id = ${workspaceId} and account_id > ${after ?? firstId}::uuid
        order by account_id
        limit ${look}
      ) as a
      left join lateral (
        select sum(remaining)::bigint as points from loyalty_lots
        where account_id = a.account_id and workspace_id = ${workspaceId} and remaining > 0 and expires_at <= ${at}
      ) as over on a.next_expiry_at <= ${at}
    ), matching as materialized (
      select m.account_id, m.balance, i.installed
      from looked m
      cross join lateral (
        select installed from instances where instance_id = m.instance_id and workspace_id = ${workspaceId} limit 1
      ) as i
      where m.balance >= ${from}::bigint and coalesce(m.balance < ${below}::bigint, true)
    )
    select (select count(*)::int from looked) as looked,
      (select account_id from looked order by account_id desc limit 1) as last,
      count(*)::int as matching, count(*) filter (where installed)::int as installed,
      coalesce(sum(balance / ${from}::bigint), 0)::float8 as times,
      array(select account_id from matching order by account_id limit ${pick}) as account_ids
    from matching
  `.execute(db);
  return rows[0] ?? { looked: 0, last: null, matching: 0, installed: 0, times: 0, accountIds: [] };
}
