import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId, newUuidV7 } from '../kit/ids.ts';
import type { Finding, Recount } from './recount.ts';

/** The workspaces that have a ledger. */
export function listLedgers(db: Db): Promise<{ workspaceId: string; name: string }[]> {
  return sql<{ workspaceId: string; name: string }>`
    select workspace_id, w.name
    from (select distinct workspace_id from programs) as p join workspaces w using (workspace_id)
    order by workspace_id
  `.rows(db);
}

/** A workspace, each of which has a credit account, whose newest audit began before `since`, and that is not recounted now. */
export async function findUncounted(db: Db, since: Date): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id from credit_accounts w
    where exists (select from programs p where p.workspace_id = w.workspace_id)
      and not exists (select from ledger_recounts r where r.workspace_id = w.workspace_id)
      and not exists (
        select from ledger_audits a where a.workspace_id = w.workspace_id and a.started_at >= ${since}
      )
    limit 1
  `.execute(db);
  return rows[0]?.workspaceId;
}

/** Begins a recount; one that is under way goes on. */
export async function insertRecount(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`
    insert into ledger_recounts (workspace_id, stage, started_at, turn_at)
    values (${workspaceId}, 'accounts', ${at}, ${at})
    on conflict do nothing
  `.execute(tx);
}

/** A recount that takes turns with others. */
export interface RecountTurn extends Recount {
  readonly turnAt: Date;
}

/** Recounts take turns. */
export const recountTurns: Queue<RecountTurn> = {
  table: 'ledgerRecounts',
  part: 'workspaceId',
  key: {},
  due: 'turnAt',
  columns: sql`workspace_id, stage, cursor, accounts, entries, findings, ages, started_at, turn_at`,
};

/** Keeps how far a recount has come. */
export async function saveRecount(tx: Tx, recount: Recount): Promise<void> {
  const { workspaceId, stage, cursor, accounts, entries, findings, ages } = recount;
  await tx
    .updateTable('ledgerRecounts')
    .set({ stage, cursor, accounts, entries, findings: JSON.stringify(findings), ages: JSON.stringify(ages) })
    .where('workspaceId', '=', workspaceId)
    .execute();
}

/** Removes a recount that has ended. */
export async function deleteRecount(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('ledgerRecounts').where('workspaceId', '=', workspaceId).execute();
}

/** Keeps what a recount has found. */
export async function insertAudit(tx: Tx, recount: Recount, finishedAt: Date): Promise<void> {
  const { workspaceId, accounts, entries, findings, ages, startedAt } = recount;
  await tx
    .insertInto('ledgerAudits')
    .values({
      workspaceId,
      auditId: newUuidV7(finishedAt.getTime()),
      accounts,
      entries,
      findings: JSON.stringify(findings),
      ages: JSON.stringify(ages),
      startedAt,
      finishedAt,
    })
    .execute();
}

/** Forgets the audits of a workspace below an id. */
export async function deleteOldAudits(tx: Tx, workspaceId: string, firstKept: string): Promise<void> {
  await tx
    .deleteFrom('ledgerAudits')
    .where('workspaceId', '=', workspaceId)
    .where('auditId', '<', firstKept)
    .execute();
}

/** How often the newest audits of all workspaces found each rule broken. */
export function countFindings(db: Db): Promise<{ rule: Finding['rule']; count: number }[]> {
  return sql<{ rule: string; count: number }>`
    select finding ->> 'rule' as rule, count(*) as count
    from (select distinct workspace_id from programs) as w
    cross join lateral (
      select findings from ledger_audits a where a.workspace_id = w.workspace_id order by audit_id desc limit 1
    ) as newest
    cross join lateral jsonb_array_elements(newest.findings) as finding
    group by 1
  `.rows(db);
}

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
      sum(points) filter (where kind in ('adjust', 'correction', 'import'))::text as adjusted,
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

/** The rows of the database without their columns other than totals. */
function totalsOf(row: Partial<Row> = {}): Totals {
  return Object.fromEntries(
    names.filter((name) => name in row).map((name) => [name, BigInt(row[name] ?? 0)]),
  );
}

/** The last recount of the ledger of a workspace, and the number of its findings. */
export interface LastAudit {
  readonly finishedAt: Date;
  readonly findings: number;
}

export function lastAuditOf(db: Db, workspaceId: string): Promise<LastAudit | undefined> {
  return sql<LastAudit>`
    select finished_at, jsonb_array_length(findings) as findings from ledger_audits
    where workspace_id = ${workspaceId}
    order by audit_id desc
    limit 1
  `.first(db);
}
