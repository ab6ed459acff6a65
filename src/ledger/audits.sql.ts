import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { newUuidV7 } from '../kit/ids.ts';
import type { Finding, Recount } from './recount.ts';

/** The workspaces that have a ledger. */
export async function listLedgers(db: Db): Promise<{ workspaceId: string; name: string }[]> {
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    select workspace_id, w.name
    from (select distinct workspace_id from programs) as p join workspaces w using (workspace_id)
    order by workspace_id
  `.execute(db);
  return rows;
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
  columns: sql`workspace_id, stage, cursor, accounts, entries, findings, started_at, turn_at`,
};

/** Keeps how far a recount has come. */
export async function saveRecount(tx: Tx, recount: Recount): Promise<void> {
  const { workspaceId, stage, cursor, accounts, entries, findings } = recount;
  await tx
    .updateTable('ledgerRecounts')
    .set({ stage, cursor, accounts, entries, findings: JSON.stringify(findings) })
    .where('workspaceId', '=', workspaceId)
    .execute();
}

/** Removes a recount that has ended. */
export async function deleteRecount(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('ledgerRecounts').where('workspaceId', '=', workspaceId).execute();
}

/** Keeps what a recount has found. */
export async function insertAudit(tx: Tx, recount: Recount, finishedAt: Date): Promise<void> {
  const { workspaceId, accounts, entries, findings, startedAt } = recount;
  await tx
    .insertInto('ledgerAudits')
    .values({
      workspaceId,
      auditId: newUuidV7(finishedAt.getTime()),
      accounts,
      entries,
      findings: JSON.stringify(findings),
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
export async function countFindings(db: Db): Promise<{ rule: Finding['rule']; count: number }[]> {
  const { rows } = await sql<{ rule: string; count: number }>`
    select finding ->> 'rule' as rule, count(*) as count
    from (select distinct workspace_id from programs) as w
    cross join lateral (
      select findings from ledger_audits a where a.workspace_id = w.workspace_id order by audit_id desc limit 1
    ) as newest
    cross join lateral jsonb_array_elements(newest.findings) as finding
    group by 1
  `.execute(db);
  return rows;
}
