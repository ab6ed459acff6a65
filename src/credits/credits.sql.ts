import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

export interface CreditAccountRow {
  readonly balance: number;
  readonly reserved: number;
  readonly spent: number;
}

/** What an entry was for, as far as it was one thing: a card, a message or the rollout of a design, a request. */
export interface CreditCause {
  readonly instanceId: string | null;
  readonly messageId: string | null;
  readonly rolloutId: string | null;
  readonly requestId: string | null;
}

export interface CreditEntryRow extends CreditCause {
  readonly seq: number;
  readonly kind: 'grant' | 'correct' | 'reserve' | 'settle' | 'release';
  readonly amount: number;
  readonly reserved: number;
  readonly balance: number;
  readonly externalRef: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** What an entry moves: into the free balance, and into what is held for pushes under way. */
export interface CreditMove {
  readonly kind: CreditEntryRow['kind'];
  readonly amount: number;
  readonly reserved: number;
  readonly externalRef?: string | null;
  readonly note?: string | null;
  readonly cause: CreditCause;
  readonly at: Date;
}

/** An account after an entry. */
export interface MovedCredits extends CreditAccountRow {
  /** Whether the credits have become low with this entry, for the first time since the last top-up. */
  readonly isLow: boolean;
  readonly lowAt: number;
}

export async function insertCreditAccount(tx: Tx, workspaceId: string): Promise<void> {
  await tx.insertInto('creditAccounts').values({ workspaceId }).execute();
}

/**
 * Moves credits and writes the entry, numbered without a gap under the account's row lock. What leaves the reserve
 * and does not return to the balance is spent. A grant says anew when they are low: once fewer than a tenth of what is free
 * then are left. Undefined, with nothing written, when the balance would fall below zero, or a grant would make more than
 * 2^53 - 1 of it.
 */
export function moveCredits(
  tx: Tx,
  workspaceId: string,
  move: CreditMove,
): Promise<MovedCredits | undefined> {
  const { kind, amount, reserved, externalRef = null, note = null, cause, at } = move;
  const spent = kind === 'settle' ? -reserved : 0;
  const isGrant = kind === 'grant';
  return prepared<MovedCredits>`
    with account as (
      update credit_accounts
      set balance = balance + ${amount}::bigint, reserved = reserved + ${reserved}::bigint,
        spent = spent + ${spent}::bigint, seq = seq + 1,
        low_at = case when ${isGrant} then greatest((balance + ${amount}::bigint) / 10, 1) else low_at end,
        low_seq = case
          when ${isGrant} then null
          when low_seq is null and balance + ${amount}::bigint < low_at then seq + 1
          else low_seq
        end
      where workspace_id = ${workspaceId} and balance >= ${-amount}::bigint
        and balance + reserved <= ${Number.MAX_SAFE_INTEGER - Math.max(amount + reserved, 0)}::bigint
      returning workspace_id, seq, balance, reserved, spent, low_at, low_seq
    ), entry as (
      insert into credit_entries (workspace_id, seq, kind, amount, reserved, balance, external_ref, note,
        instance_id, message_id, rollout_id, request_id, created_at)
      select workspace_id, seq, ${kind}, ${amount}::bigint, ${reserved}::bigint, balance, ${externalRef}, ${note},
        ${cause.instanceId}::uuid, ${cause.messageId}::uuid, ${cause.rolloutId}::uuid, ${cause.requestId}, ${at}
      from account
    )
    select balance, reserved, spent, low_at, coalesce(low_seq = seq, false) as is_low from account
  `.first(tx);
}

export async function findCreditAccount(db: Db, workspaceId: string): Promise<CreditAccountRow> {
  const { rows } = await prepared<CreditAccountRow>`
    select balance, reserved, spent from credit_accounts where workspace_id = ${workspaceId}
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a workspace has no credit account');
  return row;
}

/** Newest first, from `since` on and below `before`. */
export async function listCreditEntries(
  db: Db,
  workspaceId: string,
  { since, before }: { readonly since: number | null; readonly before: number | null },
  take: number,
): Promise<CreditEntryRow[]> {
  let query = db.selectFrom('creditEntries').selectAll().where('workspaceId', '=', workspaceId);
  if (since !== null) query = query.where('seq', '>=', since);
  if (before !== null) query = query.where('seq', '<', before);
  return (await query.orderBy('seq', 'desc').limit(take).execute()) as CreditEntryRow[];
}

/** The number of the first entry that was made at `moment` or later, or that the next one will have. It is searched for by halves. */
export async function firstEntrySince(db: Db, workspaceId: string, moment: Date): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    with recursive search (first, behind) as (
      select 1::bigint, seq + 1 from credit_accounts where workspace_id = ${workspaceId}
      union all
      select case when e.created_at < ${moment} then e.seq + 1 else s.first end,
        case when e.created_at < ${moment} then s.behind else e.seq end
      from search s
      cross join lateral (
        select seq, created_at from credit_entries
        where workspace_id = ${workspaceId} and seq = (s.first + s.behind) / 2
        limit 1
      ) as e
      where s.first < s.behind
    )
    select first as seq from search where first >= behind
  `.execute(db);
  return rows[0]?.seq ?? 1;
}

/** Asks for the pushes to be delivered that were skipped for lack of credits. */
export async function requestFlush(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await tx
    .insertInto('creditFlushes')
    .values({ workspaceId, requestedAt: at, walkedAt: at })
    .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet({ requestedAt: at }))
    .execute();
}

/** A workspace whose top-up has yet to pay for skipped pushes. */
export interface FlushRow {
  readonly workspaceId: string;
  readonly walkedAt: Date;
}

/** Flushes take turns. */
export const flushTurns: Queue<FlushRow> = {
  job: 'flushSkipped',
  table: 'creditFlushes',
  part: 'workspaceId',
  key: {},
  due: 'walkedAt',
  columns: sql`workspace_id, walked_at`,
};

export async function deleteFlush(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('creditFlushes').where('workspaceId', '=', workspaceId).execute();
}

export async function deleteAllFlushes(tx: Tx): Promise<void> {
  await tx.deleteFrom('creditFlushes').execute();
}
