import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

const names = ['issued', 'redeemed', 'expired', 'reversed', 'adjusted', 'outstanding'] as const;
type TotalName = (typeof names)[number];

/** Some of a program's totals. */
export type Totals = Readonly<Partial<Record<TotalName, bigint>>>;

interface Program {
  readonly workspaceId: string;
  readonly programId: string;
}

/** What a step added up, and the id that it came to; null when nothing is left. */
export interface Step {
  readonly sums: Totals;
  readonly last: string | null;
  /** Accounts of entries that are not there, a hundred at most. */
  readonly orphans: readonly string[];
}

type Row = Readonly<Partial<Record<TotalName | 'last', string | null>>> & {
  readonly orphans: readonly string[] | null;
};

/** Adds up the next entries of a program. */
export async function sumEntries(
  db: Db,
  { workspaceId, programId }: Program,
  after: string | null,
  limit: number,
): Promise<Step> {
  return stepOf(
    db,
    limit,
    sql`
      select entry_id as id, kind, points, account_id from loyalty_entries
      where workspace_id = ${workspaceId} and program_id = ${programId} and entry_id > ${after ?? firstId}::uuid
      order by entry_id limit ${limit}
    `,
    sql`
      sum(points) filter (where kind = 'earn')::text as issued,
      (-sum(points) filter (
        where kind in ('redeem', 'unlock', 'cancel') or (kind = 'reversal' and points > 0)
      ))::text as redeemed,
      (-sum(points) filter (where kind = 'expire'))::text as expired,
      (-sum(points) filter (where kind = 'reversal' and points < 0))::text as reversed,
      sum(points) filter (where kind in ('adjust', 'import'))::text as adjusted,
      array(
        select account_id from (select distinct account_id from next) as n
        where not exists (
          select from loyalty_accounts a where a.account_id = n.account_id and a.workspace_id = ${workspaceId}
        )
        limit 100
      ) as orphans
    `,
  );
}

/** Adds up the balances of the next accounts of a program. */
export async function sumAccounts(
  db: Db,
  { workspaceId, programId }: Program,
  after: string | null,
  limit: number,
): Promise<Step> {
  return stepOf(
    db,
    limit,
    sql`
      select account_id as id, balance from loyalty_accounts
      where workspace_id = ${workspaceId} and program_id = ${programId} and account_id > ${after ?? firstId}::uuid
      order by account_id limit ${limit}
    `,
    sql`sum(balance)::text as outstanding, null as orphans`,
  );
}

async function stepOf(db: Db, limit: number, next: Sql, sums: Sql): Promise<Step> {
  const { rows } = await sql<Row>`
    with next as materialized (${next})
    select ${sums}, (select id from next offset ${limit - 1} limit 1) as last from next
  `.execute(db);
  return { sums: totalsOf(rows[0]), last: rows[0]?.last ?? null, orphans: rows[0]?.orphans ?? [] };
}

/** The rows of the database without what they have beside totals. */
function totalsOf(row: Partial<Row> = {}): Totals {
  return Object.fromEntries(
    names.filter((name) => name in row).map((name) => [name, BigInt(row[name] ?? 0)]),
  );
}
