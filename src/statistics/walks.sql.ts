import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

/** How far a pass was counted of the time before events were. */
export interface StatisticsWalk {
  readonly workspaceId: string;
  readonly passId: string;
  readonly stage: 'cards' | 'accounts';
  /** The card or account that was counted last. */
  readonly cursor: string | null;
  readonly dueAt: Date;
}

/** The walks that are not at their ends. */
export const statisticsWalks: Queue<StatisticsWalk> = {
  table: 'statisticsWalks',
  part: 'workspaceId',
  key: { passId: 'uuid' },
  due: 'dueAt',
  columns: sql`workspace_id, pass_id, stage, cursor, due_at`,
};

/** The card that ends the next step over so many, and whether it is the last of all; undefined where there is none. */
export async function findStepEnd(
  db: Db,
  { workspaceId, passId, cursor }: StatisticsWalk,
  most: number,
): Promise<{ through: string; isLast: boolean } | undefined> {
  const { rows } = await sql<{ instanceId: string }>`
    select instance_id from instances
    where pass_id = ${passId} and workspace_id = ${workspaceId} and instance_id > ${cursor ?? firstId}::uuid
    order by instance_id limit ${most}
  `.execute(db);
  const through = rows.at(-1)?.instanceId;
  return through === undefined ? undefined : { through, isLast: rows.length < most };
}

/** The next accounts of the pass: so many at most, and no more than have about so many entries together. */
export async function listNextAccounts(
  db: Db,
  { workspaceId, passId, cursor }: StatisticsWalk,
  most: { readonly accounts: number; readonly entries: number },
): Promise<{ accountIds: string[]; isLast: boolean }> {
  const { rows } = await sql<{ accountId: string; isTaken: boolean }>`
    select account_id, sum(seq) over (order by account_id) - seq < ${most.entries} as is_taken
    from (
      select a.account_id, a.seq
      from (
        select program_id from programs where pass_id = ${passId} and workspace_id = ${workspaceId} limit 1
      ) as p
      cross join lateral (
        select account_id, seq from loyalty_accounts
        where program_id = p.program_id and workspace_id = ${workspaceId} and account_id > ${cursor ?? firstId}::uuid
        order by account_id limit ${most.accounts}
      ) as a
    ) as next
    order by account_id
  `.execute(db);
  const taken = rows.filter(({ isTaken }) => isTaken);
  const isLast = rows.length < most.accounts && taken.length === rows.length;
  return { accountIds: taken.map(({ accountId }) => accountId), isLast };
}

/** Forgets a walk that is at its end. */
export async function deleteWalk(tx: Tx, { workspaceId, passId }: StatisticsWalk): Promise<void> {
  await sql`
    delete from statistics_walks where pass_id = ${passId} and workspace_id = ${workspaceId}
  `.execute(tx);
}
