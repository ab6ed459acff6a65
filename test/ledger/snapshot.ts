import pg from 'pg';
import { encodeId } from '../../src/kit/ids.ts';
import { operationOf } from './operation-of.ts';

/** What the database says of an account; entries are those that were not seen before. */
export interface AccountState {
  readonly accountId: string;
  readonly instanceId: string;
  readonly seq: number;
  readonly balance: number;
  readonly lifetime: number;
  readonly pendingRewards: number;
  /** In ms; null: never. */
  readonly nextExpiryAt: number | null;
  readonly entries: readonly (readonly [
    seq: number,
    id: string,
    kind: string,
    points: number,
    balance: number,
  ])[];
  readonly lots: readonly (readonly [expiresAt: number | null, remaining: number, expired: number])[];
  readonly rewards: readonly (readonly [seq: number, title: string, threshold: number, status: string])[];
}

export interface Snapshot {
  readonly accounts: readonly AccountState[];
  /** The cards that are voided. */
  readonly voided: readonly string[];
  /** The invariants that do not hold. */
  readonly broken: readonly string[];
  /** Changes with any row of the workspace that a refused call must leave alone. */
  readonly digest: string;
}

/** Each finds the accounts, claims or programs of workspace $1 that break an invariant of the ledger. */
const invariants = {
  'I1 the balance is the sum of the entries': `
    select a.account_id::text from loyalty_accounts a
    where a.workspace_id = $1 and a.balance <> (
      select coalesce(sum(e.points), 0) from loyalty_entries e
      where e.workspace_id = $1 and e.account_id = a.account_id)`,
  'I2 entries are numbered without a gap, and each continues the balance': `
    select a.account_id::text from loyalty_accounts a
    cross join lateral (
      select count(*) as count, coalesce(max(seq), 0) as newest,
        bool_and(balance = total and seq = place) as chained
      from (
        select e.seq, e.balance, sum(e.points) over w as total, row_number() over w as place
        from loyalty_entries e where e.workspace_id = $1 and e.account_id = a.account_id
        window w as (order by e.seq)
      ) as running
    ) as chain
    where a.workspace_id = $1 and (chain.count <> a.seq or chain.newest <> a.seq or not chain.chained)`,
  'I3, I4 what is not owed lies in the lots, and who owes has none': `
    select a.account_id::text from loyalty_accounts a
    where a.workspace_id = $1 and greatest(a.balance, 0) <> (
      select coalesce(sum(l.remaining), 0) from loyalty_lots l
      where l.workspace_id = $1 and l.account_id = a.account_id)`,
  'I5 what a lot lacks was taken by entries': `
    select l.account_id || ' ' || l.expires_at from loyalty_lots l
    where l.workspace_id = $1 and l.original - l.remaining <> (
      select coalesce(sum(u.amount), 0) from loyalty_lot_uses u
      where u.workspace_id = $1 and u.account_id = l.account_id and u.expires_at = l.expires_at)`,
  'I5 what has expired of a lot was taken by entries that say so': `
    select l.account_id || ' ' || l.expires_at from loyalty_lots l
    where l.workspace_id = $1 and l.expired <> (
      select coalesce(sum(u.amount), 0) from loyalty_lot_uses u
      join loyalty_entries e
        on e.workspace_id = u.workspace_id and e.account_id = u.account_id and e.seq = u.seq and e.kind = 'expire'
      where u.workspace_id = $1 and u.account_id = l.account_id and u.expires_at = l.expires_at)`,
  'I7 an entry is undone once at most, and undoes an earn or a redeem before it': `
    select r.account_id || ' ' || r.seq from loyalty_entries r
    left join loyalty_entries e
      on e.workspace_id = r.workspace_id and e.account_id = r.account_id and e.seq = r.reversal_of
    where r.workspace_id = $1 and (r.kind = 'reversal' or r.reversal_of is not null)
      -- refunds of an order undo a part of what it has earned
      and (r.reversal_of is not null or r.order_id is null) and (
      r.kind <> 'reversal' or e.seq is null or e.seq > r.seq or e.kind not in ('earn', 'redeem')
      or exists (
        select from loyalty_entries o
        join programs p on p.workspace_id = o.workspace_id and p.program_id = o.program_id
        where o.workspace_id = $1 and o.account_id = r.account_id and o.reversal_of = r.reversal_of
        -- a charge of money may be given back in parts
        having count(*) > 1 and (min(p.currency) is null or sum(o.points) > -e.points)))`,
  'I8 a key has one effect': `
    select e.kind || ' ' || e.external_ref from loyalty_entries e
    where e.workspace_id = $1 and e.external_ref is not null and e.kind <> 'import'
      -- what goes from one card to another is two entries
      and (e.points <= 0 or ${operationOf} <> 'transferValue')
    group by e.kind, e.external_ref having count(*) > 1`,
  'I8 a key has an effect exactly when its answer is kept': `
    select coalesce(c.operation || ' ' || c.key, e.operation || ' ' || e.key) from (
      select * from operation_claims where workspace_id = $1
        and operation in ('earnPoints', 'redeemReward', 'adjustPoints', 'reverseEntry', 'loadValue', 'chargeValue',
          'refundValue', 'transferValue')
        and key not like e'%\\t%'
    ) as c
    full join (
      select ${operationOf} as operation, e.external_ref as key
      from loyalty_entries e
      -- the key of a file is that of all its lines, each of which has a claim of its own
      where e.workspace_id = $1 and e.external_ref is not null and e.kind <> 'import'
        -- the claim of a card that is sold with money is that of its issue
        and ${operationOf} not like 'issue%'
    ) as e on e.operation = c.operation and e.key = c.key
    where c.status is null or e.key is null`,
  'pending rewards are counted': `
    select a.account_id::text from loyalty_accounts a
    where a.workspace_id = $1 and a.pending_rewards <> (
      select count(*) from rewards r
      where r.workspace_id = $1 and r.account_id = a.account_id and r.status = 'pending')`,
  'lifetime points are what was earned, adjusted and imported, without what was undone': `
    select a.account_id::text from loyalty_accounts a
    where a.workspace_id = $1 and a.lifetime_points <> (
      select coalesce(sum(e.points), 0) from loyalty_entries e
      where e.workspace_id = $1 and e.account_id = a.account_id
        and (e.kind in ('earn', 'adjust', 'import') or e.kind = 'reversal' and e.points < 0))`,
  'the next expiry is that of the first open lot': `
    select a.account_id::text from loyalty_accounts a
    where a.workspace_id = $1 and a.next_expiry_at is distinct from (
      select min(l.expires_at) from loyalty_lots l
      where l.workspace_id = $1 and l.account_id = a.account_id and l.remaining > 0 and l.expires_at < 'infinity')`,
  "a program's totals are those of its entries and accounts": `
    select p.program_id::text from programs p
    cross join lateral (
      select coalesce(sum(issued), 0) as issued, coalesce(sum(redeemed), 0) as redeemed,
        coalesce(sum(expired), 0) as expired, coalesce(sum(reversed), 0) as reversed,
        coalesce(sum(adjusted), 0) as adjusted, coalesce(sum(outstanding), 0) as outstanding
      from program_totals t where t.workspace_id = $1 and t.program_id = p.program_id
    ) as t
    cross join lateral (
      select coalesce(sum(points) filter (where kind = 'earn'), 0) as issued,
        coalesce(-sum(points) filter (where kind in ('redeem', 'unlock', 'cancel')
          or kind = 'reversal' and points > 0), 0) as redeemed,
        coalesce(-sum(points) filter (where kind = 'expire'), 0) as expired,
        coalesce(-sum(points) filter (where kind = 'reversal' and points < 0), 0) as reversed,
        coalesce(sum(points) filter (where kind in ('adjust', 'correction', 'import')), 0) as adjusted,
        coalesce(sum(points), 0) as outstanding
      from loyalty_entries e where e.workspace_id = $1 and e.program_id = p.program_id
    ) as e
    where p.workspace_id = $1 and t is distinct from e`,
} as const;

const text = `
  select
    (select coalesce(json_agg(json_build_object(
      'accountId', a.account_id, 'instanceId', a.instance_id, 'seq', a.seq, 'balance', a.balance,
      'lifetime', a.lifetime_points, 'pendingRewards', a.pending_rewards,
      'nextExpiryAt', extract(epoch from a.next_expiry_at) * 1000,
      'entries', (select coalesce(json_agg(json_build_array(e.seq, e.entry_id, e.kind, e.points, e.balance)
        order by e.seq), '[]') from loyalty_entries e where e.workspace_id = $1
        and e.account_id = a.account_id and e.seq > coalesce(($2::jsonb ->> a.account_id::text)::bigint, 0)),
      'lots', (select coalesce(json_agg(json_build_array(
        case when l.expires_at < 'infinity' then extract(epoch from l.expires_at) * 1000 end,
        l.remaining, l.expired) order by l.expires_at), '[]')
        from loyalty_lots l where l.workspace_id = $1 and l.account_id = a.account_id),
      'rewards', (select coalesce(json_agg(json_build_array(r.seq, r.title, r.threshold, r.status)
        order by r.seq), '[]') from rewards r where r.workspace_id = $1 and r.account_id = a.account_id)
    )), '[]') from loyalty_accounts a where a.workspace_id = $1) as accounts,
    array(select instance_id::text from instances where workspace_id = $1 and status = 'voided') as voided,
    array(${Object.entries(invariants)
      .map(([rule, found]) => `select '${rule.replaceAll("'", "''")}: ' || id from (${found}) as f (id)`)
      .join(' union all ')}) as broken,
    md5(concat_ws('/',
      (select string_agg(t::text, ';' order by account_id) from loyalty_accounts t where workspace_id = $1),
      (select string_agg(t::text, ';' order by account_id, expires_at) from loyalty_lots t where workspace_id = $1),
      (select string_agg(t::text, ';' order by account_id, seq) from rewards t where workspace_id = $1),
      (select string_agg(t::text, ';' order by program_id, shard) from program_totals t where workspace_id = $1),
      (select string_agg(t::text, ';' order by program_id) from programs t where workspace_id = $1),
      (select string_agg(t::text, ';' order by instance_id) from instances t where workspace_id = $1),
      (select string_agg(t::text, ';' order by instance_id) from pushes t where workspace_id = $1),
      (select t::text from credit_accounts t where workspace_id = $1),
      -- Rows of these are never changed.
      (select count(*) from loyalty_entries where workspace_id = $1),
      (select count(*) from loyalty_lot_uses where workspace_id = $1),
      (select count(*) from operation_claims where workspace_id = $1),
      (select count(*) from credit_entries where workspace_id = $1),
      (select count(*) from instance_events where workspace_id = $1),
      (select count(*) from audit_log where workspace_id = $1)
    )) as digest`;

/** Looks at one workspace again and again; the statement is planned once for the connection. */
export class LedgerReader {
  readonly #connection: pg.Client;

  constructor(databaseUrl: string) {
    this.#connection = new pg.Client({ connectionString: databaseUrl });
  }

  open(): Promise<unknown> {
    return this.#connection.connect();
  }

  close(): Promise<void> {
    return this.#connection.end();
  }

  /** `seen`: how many entries of each account are known. */
  async read(workspaceId: string, seen: Readonly<Record<string, number>>): Promise<Snapshot> {
    const values = [workspaceId, JSON.stringify(seen)];
    const { rows } = await this.#connection.query<Snapshot>({ name: 'ledger', text, values });
    const [found] = rows;
    if (found === undefined) throw new Error('nothing was read');
    const voided = found.voided.map((id) => encodeId('inst', id));
    return { ...found, accounts: found.accounts.map(withPublicIds), voided };
  }
}

function withPublicIds(state: AccountState): AccountState {
  return {
    ...state,
    instanceId: encodeId('inst', state.instanceId),
    entries: state.entries.map(([seq, id, ...rest]) => [seq, encodeId('entry', id), ...rest]),
  };
}
