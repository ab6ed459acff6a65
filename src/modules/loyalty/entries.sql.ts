import { sql } from 'kysely';
import type { Db } from '../../kit/db/database.ts';
import type { EntryKind } from './account.ts';

/** An entry of the ledger as it is read. */
export interface EntryRow {
  readonly workspaceId: string;
  readonly programId: string;
  readonly passId: string;
  readonly accountId: string;
  readonly instanceId: string;
  readonly entryId: string;
  readonly seq: number;
  readonly kind: EntryKind;
  readonly points: number;
  readonly balance: number;
  /** Infinity: never. */
  readonly expiresAt: Date | number | null;
  readonly externalRef: string | null;
  readonly reason: string | null;
  readonly limitedBy: string | null;
  readonly partnerId: string | null;
  readonly orderId: string | null;
  /** The entry that it undoes: its number, and its id. */
  readonly reversalOf: number | null;
  readonly reversedEntryId: string | null;
  readonly occurredAt: Date;
  readonly createdAt: Date;
}

const view = sql`
  e.workspace_id, e.program_id, p.pass_id, e.account_id, e.instance_id, e.entry_id, e.seq, e.kind, e.points, e.balance,
  e.expires_at, e.external_ref, e.reason, e.limited_by, e.partner_id, e.order_id, e.reversal_of,
  r.entry_id as reversed_entry_id, e.occurred_at, e.created_at`;

const source = sql`
  loyalty_entries e
  join programs p on p.workspace_id = e.workspace_id and p.program_id = e.program_id
  left join loyalty_entries r
    on r.workspace_id = e.workspace_id and r.account_id = e.account_id and r.seq = e.reversal_of`;

/** An entry by its id, whatever workspace owns it. */
export async function findEntryAnywhere(db: Db, entryId: string): Promise<EntryRow | undefined> {
  const { rows } = await sql<EntryRow>`select ${view} from ${source} where e.entry_id = ${entryId}`.execute(
    db,
  );
  return rows[0];
}

/** The entries of an account, newest first, below the number `before`. */
export async function listEntriesOfAccount(
  db: Db,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  before: number | null,
  take: number,
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select ${view} from ${source}
    where e.workspace_id = ${workspaceId} and e.account_id = ${accountId}
      and e.seq < ${before ?? Number.MAX_SAFE_INTEGER}
    order by e.seq desc
    limit ${take}
  `.execute(db);
  return rows;
}

/** The entries of a program, newest first, below the id `before`. */
export async function listEntriesOfProgram(
  db: Db,
  { workspaceId, programId }: { readonly workspaceId: string; readonly programId: string },
  before: string | null,
  take: number,
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select ${view} from ${source}
    where e.workspace_id = ${workspaceId} and e.program_id = ${programId}
      and e.entry_id < ${before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}
    order by e.entry_id desc
    limit ${take}
  `.execute(db);
  return rows;
}

/** The points of an account that expire at a moment. */
export async function readLotAt(
  db: Db,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  expiresAt: Date,
): Promise<number> {
  const lot = await db
    .selectFrom('loyaltyLots')
    .select('remaining')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where('expiresAt', '=', expiresAt)
    .executeTakeFirst();
  return lot?.remaining ?? 0;
}
