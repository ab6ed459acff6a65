import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';

/** An account that breaks a rule. */
export interface WrongAccount {
  readonly rule: string;
  readonly accountId: string;
  /** The card that shows it; null where neither account nor entry says so. */
  readonly instanceId: string | null;
  readonly expected: string;
  readonly found: string;
}

interface Accounts {
  readonly workspaceId: string;
  readonly accountIds: readonly string[];
}

/** The most findings of one check and step: more add nothing. */
const most = 100;

/**
 * The accounts that the next step counts: so many at most, and no more than have about so many entries together.
 * `through` is null when they are the last.
 */
export async function nextAccounts(
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: { readonly accounts: number; readonly entries: number },
): Promise<{ accountIds: string[]; through: string | null }> {
  const { rows } = await sql<{ accountId: string; isTaken: boolean }>`
    select account_id,
      sum(greatest(seq, 0)) over (order by account_id) - greatest(seq, 0) < ${limit.entries} as is_taken
    from (
      select a.account_id, a.seq
      from programs p cross join lateral (
        select account_id, seq from loyalty_accounts
        where program_id = p.program_id and workspace_id = ${workspaceId} and account_id > ${after ?? firstId}::uuid
        order by account_id limit ${limit.accounts}
      ) as a
      where p.workspace_id = ${workspaceId}
      order by a.account_id limit ${limit.accounts}
    ) as next
    order by account_id
  `.execute(db);
  const accountIds = rows.filter((row) => row.isTaken).map((row) => row.accountId);
  const isLast = rows.length < limit.accounts && accountIds.length === rows.length;
  return { accountIds, through: isLast ? null : (accountIds.at(-1) ?? null) };
}

/** The first program after another. */
export async function nextProgram(
  db: Db,
  workspaceId: string,
  after: string | null,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('programs')
    .select('programId')
    .where('workspaceId', '=', workspaceId)
    .where('programId', '>', after ?? firstId)
    .orderBy('programId')
    .limit(1)
    .executeTakeFirst();
  return row?.programId;
}

/** How many entries the accounts have, and where these do not add up to them. */
export async function checkEntries(
  db: Db,
  accounts: Accounts,
): Promise<{ entries: number; wrong: WrongAccount[] }> {
  const { rows } = await sql<{ entries: number; wrong: WrongAccount[] }>`
    with entries as (
      select account_id, program_id, seq, kind, points, balance, row_number() over account as number,
        lag(balance, 1, 0::bigint) over account::numeric + points as sum
      from loyalty_entries where ${within(accounts)}
      window account as (partition by account_id order by seq)
    ),
    counted as (
      select account_id, count(*) as entries, sum(points) as points,
        coalesce(sum(points) filter (
          where kind in ('earn', 'adjust', 'import') or (kind = 'reversal' and points < 0)
        ), 0) as lifetime,
        (array_agg(format('entry %s with balance %s', number, sum) order by seq)
          filter (where seq <> number or balance <> sum))[1] as expected,
        (array_agg(format('entry %s with balance %s', seq, balance) order by seq)
          filter (where seq <> number or balance <> sum))[1] as found,
        count(distinct program_id) as programs
      from entries group by account_id
    ),
    wrong as (
      select checked.*, account_id, coalesce(a.instance_id, (
          select instance_id from loyalty_entries e
          where e.workspace_id = ${accounts.workspaceId} and e.account_id = c.account_id limit 1
        )) as instance_id
      from (select * from loyalty_accounts where ${within(accounts)}) as a
      full join counted c using (account_id)
      cross join lateral (values
        ('account_missing', a.seq is null, 'an account', format('%s entries of none', c.entries)),
        ('balance', a.balance <> coalesce(c.points, 0), coalesce(c.points, 0)::text, a.balance::text),
        ('seq', a.seq <> coalesce(c.entries, 0), coalesce(c.entries, 0)::text, a.seq::text),
        ('chain', c.expected is not null, c.expected, c.found),
        ('lifetime_points', a.lifetime_points <> coalesce(c.lifetime, 0), coalesce(c.lifetime, 0)::text,
          a.lifetime_points::text),
        ('program', c.programs > 1 or a.program_id <> (
            select program_id from loyalty_entries e
            where e.workspace_id = ${accounts.workspaceId} and e.account_id = a.account_id limit 1
          ), 'entries of its program', 'entries of another')
      ) as checked(rule, is_wrong, expected, found)
      where is_wrong
      order by account_id limit ${most}
    )
    select (select coalesce(sum(entries), 0)::bigint from counted) as entries,
      (select coalesce(jsonb_agg(jsonb_build_object('rule', rule, 'accountId', account_id, 'instanceId', instance_id,
        'expected', expected, 'found', found)), '[]') from wrong) as wrong
  `.execute(db);
  return rows[0] ?? { entries: 0, wrong: [] };
}

/** Reversals of what was reversed before, or cannot be. A redeem of money may be given back in parts, up to the whole. */
export async function checkReversals(db: Db, accounts: Accounts): Promise<WrongAccount[]> {
  return found(
    db,
    sql`
      select 'one_reversal' as rule, r.account_id, (array_agg(r.instance_id))[1] as instance_id,
        format('at most one reversal of entry %s', r.reversal_of) as expected,
        case when count(*) > 1 then format('%s of them', count(*))
          else format('entry %s reverses %s', min(r.seq), coalesce(min(undone.kind), 'nothing')) end as found
      from (select * from loyalty_entries where ${within(accounts)} and reversal_of is not null) as r
      left join loyalty_entries undone on undone.workspace_id = ${accounts.workspaceId}
        and undone.account_id = r.account_id and undone.seq = r.reversal_of and undone.seq < r.seq
      join programs p on p.workspace_id = ${accounts.workspaceId} and p.program_id = r.program_id
      group by r.account_id, r.reversal_of
      having coalesce(min(undone.kind), '') not in ('earn', 'redeem')
        or count(*) > 1 and (min(p.currency) is null or min(r.points) <= 0 or sum(r.points) > -min(undone.points))
    `,
    'r.account_id',
  );
}

/** What the lots hold is what the balance covers, and the account knows when the first of them expires. */
export async function checkLots(db: Db, accounts: Accounts): Promise<WrongAccount[]> {
  return found(
    db,
    sql`
      select rule, account_id, a.instance_id, expected, found
      from (select * from loyalty_accounts where ${within(accounts)}) as a
      full join (
        select account_id, sum(remaining) as remaining,
          min(expires_at) filter (where remaining > 0 and expires_at < 'infinity') as next
        from loyalty_lots where ${within(accounts)} group by account_id
      ) as l using (account_id)
      cross join lateral (values
        ('lots', coalesce(greatest(a.balance, 0), 0) <> coalesce(l.remaining, 0),
          coalesce(greatest(a.balance, 0), 0)::text, coalesce(l.remaining, 0)::text),
        ('next_expiry', a.next_expiry_at is distinct from l.next, coalesce(${momentText('l.next')}, 'none'),
          coalesce(${momentText('a.next_expiry_at')}, 'none'))
      ) as checked(rule, is_wrong, expected, found)
      where is_wrong
    `,
    'account_id',
  );
}

/** What a lot has lost is what entries have taken from it. */
export async function checkLotUses(db: Db, accounts: Accounts): Promise<WrongAccount[]> {
  return checkLost(db, accounts, {
    rule: 'lot_uses',
    what: '%s taken from the lot of %s',
    lost: sql`l.original - l.remaining`,
    uses: sql`loyalty_lot_uses where ${within(accounts)}`,
  });
}

/** What has expired of a lot is what entries have let expire of it, and have given back. */
export async function checkExpired(db: Db, accounts: Accounts): Promise<WrongAccount[]> {
  return checkLost(db, accounts, {
    rule: 'lot_expired',
    what: '%s expired of the lot of %s',
    lost: sql`l.expired`,
    uses: sql`
      (select * from loyalty_lot_uses where ${within(accounts)}) as used
      join (
        select account_id, seq from loyalty_entries where ${within(accounts)} and kind = 'expire'
      ) as expiries using (account_id, seq)`,
  });
}

interface LotRule {
  readonly rule: string;
  /** What is expected, as a format of the amount and the lot. */
  readonly what: string;
  /** What the lot says, and what the entries say that it was. */
  readonly lost: Sql;
  readonly uses: Sql;
}

function checkLost(db: Db, accounts: Accounts, { rule, what, lost, uses }: LotRule): Promise<WrongAccount[]> {
  return found(
    db,
    sql`
      select ${rule}::text as rule, account_id, (
          select instance_id from loyalty_accounts a
          where a.workspace_id = ${accounts.workspaceId} and a.account_id = coalesce(l.account_id, u.account_id)
        ) as instance_id,
        format(${what}::text, coalesce(u.used, 0), ${momentText('expires_at')}) as expected,
        coalesce(${lost}, 0)::text as found
      from (select * from loyalty_lots where ${within(accounts)}) as l
      full join (
        select account_id, expires_at, sum(amount) as used
        from ${uses}
        group by account_id, expires_at
      ) as u using (account_id, expires_at)
      where coalesce(${lost}, 0) <> coalesce(u.used, 0)
    `,
    'account_id',
  );
}

/** An account counts its unused rewards. */
export async function checkRewards(db: Db, accounts: Accounts): Promise<WrongAccount[]> {
  return found(
    db,
    sql`
      select 'pending_rewards' as rule, account_id, a.instance_id,
        coalesce(r.pending, 0)::text as expected, coalesce(a.pending_rewards, 0)::text as found
      from (select * from loyalty_accounts where ${within(accounts)}) as a
      full join (
        select account_id, count(*) as pending
        from rewards where ${within(accounts)} and status = 'pending' group by account_id
      ) as r using (account_id)
      where coalesce(r.pending, 0) <> coalesce(a.pending_rewards, 0)
    `,
    'account_id',
  );
}

function within({ workspaceId, accountIds }: Accounts): Sql {
  return sql`workspace_id = ${workspaceId} and account_id = any(${accountIds}::uuid[])`;
}

/** The first of the accounts that a check finds. */
function found(db: Db, check: Sql, order: string): Promise<WrongAccount[]> {
  return sql<WrongAccount>`${check} order by ${sql.raw(order)} limit ${most}`.rows(db);
}

/** A moment of a column as findings show it: UTC with microseconds, or infinity. */
function momentText(column: string): Sql {
  return sql.raw(`case when ${column} = 'infinity' then 'infinity'
    else to_char(timestamp 'epoch' + (${column} - timestamptz 'epoch'), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`);
}
