import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/db/database.ts';

export interface CreditAccountRow {
  readonly balance: number;
  readonly reserved: number;
  readonly spent: number;
}

export interface CreditEntryRow {
  readonly seq: number;
  readonly kind: 'grant';
  readonly amount: number;
  readonly balance: number;
  readonly externalRef: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
}

export async function insertCreditAccount(tx: Tx, workspaceId: string): Promise<void> {
  await tx.insertInto('creditAccounts').values({ workspaceId }).execute();
}

/**
 * Adds to the balance and writes the entry, numbered without a gap under the account's row lock. Undefined, with
 * nothing written, when the balance would exceed 2^53 - 1.
 */
export async function grantCredits(
  tx: Tx,
  workspaceId: string,
  grant: { amount: number; externalRef: string | null; note: string | null; at: Date },
): Promise<CreditAccountRow | undefined> {
  const { rows } = await sql<CreditAccountRow>`
    with account as (
      update credit_accounts
      set balance = balance + ${grant.amount}::bigint, seq = seq + 1
      where workspace_id = ${workspaceId} and balance <= ${Number.MAX_SAFE_INTEGER - grant.amount}
      returning workspace_id, seq, balance, reserved, spent
    ), entry as (
      insert into credit_entries (workspace_id, seq, kind, amount, balance, external_ref, note, created_at)
      select workspace_id, seq, 'grant', ${grant.amount}::bigint, balance, ${grant.externalRef}, ${grant.note}, ${grant.at}
      from account
    )
    select balance, reserved, spent from account
  `.execute(tx);
  return rows[0];
}

export async function findCreditAccount(db: Db, workspaceId: string): Promise<CreditAccountRow> {
  return db
    .selectFrom('creditAccounts')
    .select(['balance', 'reserved', 'spent'])
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirstOrThrow();
}

/** Newest first, below `before`. */
export async function listCreditEntries(
  db: Db,
  workspaceId: string,
  before: number | null,
  take: number,
): Promise<CreditEntryRow[]> {
  let query = db.selectFrom('creditEntries').selectAll().where('workspaceId', '=', workspaceId);
  if (before !== null) query = query.where('seq', '<', before);
  return (await query.orderBy('seq', 'desc').limit(take).execute()) as CreditEntryRow[];
}
