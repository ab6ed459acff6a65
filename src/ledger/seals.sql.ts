import type { Queue } from '../engine/queue.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { SealContents, SealedEntry } from './seal-bytes.ts';
import { fieldTexts, hashedText } from './seal-fields.sql.ts';

/** How far the sealing of a workspace has come. */
export interface SealTurn {
  readonly workspaceId: string;
  /** When it had its last turn. */
  readonly turnAt: Date;
  readonly seenUntil: Date;
  readonly cursor: string | null;
}

/** An account with entries that no seal covers: those after `after`, up to `through`. */
export interface Unsealed {
  readonly accountId: string;
  readonly after: number;
  /** The hash over those before, in hex; null where there are none. */
  readonly before: string | null;
  readonly through: number;
}

/** Entries that are looked at for accounts to seal: of more, the walk over all accounts finds the rest. */
const mostNewEntries = 200_000;

/** Workspaces that have got a ledger and take no turns yet. */
export async function listUnturned(db: Db): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select distinct workspace_id from programs
    where not exists (select from ledger_seal_turns t where t.workspace_id = programs.workspace_id)
  `.execute(db);
  return rows.map(({ workspaceId }) => workspaceId);
}

/** Lets a workspace take turns from now on, the first at once. */
export async function insertTurn(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await tx
    .insertInto('ledgerSealTurns')
    .values({ workspaceId, turnAt: new Date(0), seenUntil: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Workspaces take turns in being sealed, a while after their last one. */
export const sealTurns: Queue<SealTurn> = {
  table: 'ledgerSealTurns',
  part: 'workspaceId',
  key: {},
  due: 'turnAt',
  columns: sql`workspace_id, turn_at, seen_until, cursor`,
};

/** Keeps how far the sealing came. */
export async function saveTurn(tx: Tx, turn: SealTurn): Promise<void> {
  const { workspaceId, seenUntil, cursor, turnAt } = turn;
  await tx
    .updateTable('ledgerSealTurns')
    .set({ seenUntil, cursor, turnAt })
    .where('workspaceId', '=', workspaceId)
    .execute();
}

/** Accounts that have entries with ids from one to another, and are not sealed as far as they stand. */
export async function listNewAccounts(
  tx: Tx,
  workspaceId: string,
  ids: { readonly from: string; readonly until: string },
  limit: number,
): Promise<Unsealed[]> {
  const { rows } = await sql<Unsealed>`
    select a.account_id, coalesce(s.seq, 0) as after, encode(s.hash, 'hex') as before, a.seq as through
    from (
      select distinct account_id from (
        select e.account_id
        from programs p cross join lateral (
          select account_id from loyalty_entries
          where program_id = p.program_id and workspace_id = ${workspaceId}
            and entry_id >= ${ids.from}::uuid and entry_id < ${ids.until}::uuid
          offset 0
        ) as e
        where p.workspace_id = ${workspaceId}
        limit ${mostNewEntries}
      ) as entries
    ) as newer
    cross join lateral (
      select account_id, seq from loyalty_accounts
      where account_id = newer.account_id and workspace_id = ${workspaceId}
      limit 1
    ) as a
    left join lateral (
      select seq, hash from ledger_seal_accounts s
      where s.workspace_id = ${workspaceId} and s.account_id = a.account_id
      order by seal desc limit 1
    ) as s on true
    where a.seq > coalesce(s.seq, 0)
    order by account_id limit ${limit}
  `.execute(tx);
  return rows;
}

/** The next accounts of the slow walk: where they end, null at the end, and those that are not sealed as they stand. */
export async function listOverlooked(
  tx: Tx,
  { workspaceId, cursor }: SealTurn,
  limit: number,
): Promise<{ last: string | null; accounts: Unsealed[] }> {
  const { rows } = await sql<Unsealed>`
    select a.account_id, coalesce(s.seq, 0) as after, encode(s.hash, 'hex') as before, a.seq as through
    from (
      select own.account_id, own.seq
      from programs p cross join lateral (
        select account_id, seq from loyalty_accounts
        where program_id = p.program_id and workspace_id = ${workspaceId} and account_id > ${cursor ?? firstId}::uuid
        order by account_id limit ${limit}
      ) as own
      where p.workspace_id = ${workspaceId}
      order by own.account_id limit ${limit}
    ) as a
    left join lateral (
      select seq, hash from ledger_seal_accounts s
      where s.workspace_id = ${workspaceId} and s.account_id = a.account_id
      order by seal desc limit 1
    ) as s on true
    order by account_id
  `.execute(tx);
  const last = rows.length < limit ? null : (rows.at(-1)?.accountId ?? null);
  return { last, accounts: rows.filter(({ after, through }) => through > after) };
}

/** The entries that a seal is to cover, account by account, in their order. */
export async function listUnsealed(
  db: Db,
  workspaceId: string,
  accounts: readonly Unsealed[],
): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    select ${fieldTexts('e')}
    from unnest(
      ${accounts.map(({ accountId }) => accountId)}::uuid[],
      ${accounts.map(({ after }) => after)}::bigint[],
      ${accounts.map(({ through }) => through)}::bigint[]
    ) as a(account_id, after, through)
    cross join lateral (
      select * from loyalty_entries
      where account_id = a.account_id and seq > a.after and seq <= a.through and workspace_id = ${workspaceId}
      offset 0
    ) as e
    order by e.account_id, e.seq
  `.execute(db);
  return rows;
}

/** Number and hash of the newest seal. */
export async function newestSeal(
  db: Db,
  workspaceId: string,
): Promise<{ seal: number; hash: string } | undefined> {
  const { rows } = await sql<{ seal: number; hash: string }>`
    select seal, encode(hash, 'hex') as hash from ledger_seals
    where workspace_id = ${workspaceId} order by seal desc limit 1
  `.execute(db);
  return rows[0];
}

/** Writes a seal, and how far it covers its accounts. */
export async function insertSeal(tx: Tx, contents: SealContents, hash: string): Promise<void> {
  const { workspaceId, seal, sealedAt, entries, accounts } = contents;
  await sql`
    insert into ledger_seals (workspace_id, seal, entries, hash, sealed_at)
    values (${workspaceId}, ${seal}, ${entries}, decode(${hash}, 'hex'), ${sealedAt}::timestamptz)
  `.execute(tx);
  await sql`
    insert into ledger_seal_accounts (workspace_id, seal, account_id, seq, hash)
    select ${workspaceId}, ${seal}, account_id, seq, decode(hash, 'hex')
    from unnest(
      ${accounts.map(({ accountId }) => accountId)}::uuid[],
      ${accounts.map(({ seq }) => seq)}::bigint[],
      ${accounts.map((account) => account.hash)}::text[]
    ) as a(account_id, seq, hash)
  `.execute(tx);
}

/** The seals after one, so many and about so many entries at most, and what each covers: accounts in their order. */
export async function listSeals(
  db: Db,
  workspaceId: string,
  after: number,
  limit: { readonly seals: number; readonly entries: number },
): Promise<(Omit<SealContents, 'accounts'> & { readonly hash: string })[]> {
  const { rows } = await sql<Omit<SealContents, 'accounts'> & { hash: string; isTaken: boolean }>`
    select workspace_id, seal, entries, encode(hash, 'hex') as hash, ${hashedText('sealed_at')} as sealed_at,
      sum(entries) over (order by seal) - entries < ${limit.entries} as is_taken
    from (
      select * from ledger_seals where workspace_id = ${workspaceId} and seal > ${after} order by seal limit ${limit.seals}
    ) as next
    order by seal
  `.execute(db);
  return rows.filter((row) => row.isTaken);
}

/** How far some seals cover their accounts: seal by seal, account by account. */
export async function listSealAccounts(
  db: Db,
  workspaceId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<(Unsealed & { readonly seal: number; readonly hash: string })[]> {
  const { rows } = await sql<Unsealed & { seal: number; hash: string }>`
    select seal, account_id, seq as through, encode(hash, 'hex') as hash, null as before, coalesce((
        select seq from ledger_seal_accounts p
        where p.workspace_id = ${workspaceId} and p.account_id = s.account_id and p.seal < s.seal
        order by p.seal desc limit 1
      ), 0) as after
    from ledger_seal_accounts s
    where workspace_id = ${workspaceId} and seal between ${first} and ${last}
    order by seal, account_id
  `.execute(db);
  return rows;
}
