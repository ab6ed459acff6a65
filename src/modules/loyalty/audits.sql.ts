import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import type { Finding, Recount } from './recount.ts';

/** The workspaces that have a ledger. */
export async function listLedgers(db: Db): Promise<{ workspaceId: string; name: string }[]> {
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    select workspace_id, name from workspaces w
    where exists (select from programs p where p.workspace_id = w.workspace_id)
    order by workspace_id
  `.execute(db);
  return rows;
}

/** Begins the recount of one workspace whose newest audit began before `since`. False when there is none. */
export async function insertRecount(tx: Tx, at: Date, since: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into ledger_recounts (workspace_id, stage, started_at, turn_at)
    select workspace_id, 'accounts', ${at}, ${at} from workspaces w
    where exists (select from programs p where p.workspace_id = w.workspace_id)
      and not exists (select from ledger_recounts r where r.workspace_id = w.workspace_id)
      and coalesce((
        select started_at from ledger_audits a where a.workspace_id = w.workspace_id order by audit_id desc limit 1
      ), '-infinity') < ${since}
    limit 1
    on conflict do nothing
    returning 1
  `.execute(tx);
  return rows.length > 0;
}

/** Gives the turn to the recount that waited longest for it, and puts it behind all others. */
export async function nextRecount(tx: Tx, at: Date): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    update ledger_recounts set turn_at = ${at}
    where workspace_id = (
      select workspace_id from ledger_recounts order by turn_at limit 1 for update skip locked
    )
    returning workspace_id
  `.execute(tx);
  return rows[0]?.workspaceId;
}

/** A recount, kept from other workers until the transaction ends; undefined where one of them has it, or it has ended. */
export async function takeRecount(tx: Tx, workspaceId: string): Promise<Recount | undefined> {
  return (await tx
    .selectFrom('ledgerRecounts')
    .select(['workspaceId', 'stage', 'cursor', 'accounts', 'entries', 'findings', 'startedAt'])
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()) as Recount | undefined;
}

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
