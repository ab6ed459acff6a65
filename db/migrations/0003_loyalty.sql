-- Loyalty: programs, the ledger of points and stamps, rewards, and the partners at which they are earned.

create table partners (
  workspace_id uuid not null references workspaces,
  partner_id uuid not null,
  name text not null,
  -- the number of the partner in the caller's own system
  external_id text,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- a deleted partner keeps its row: entries and cards name it
  deleted_at timestamptz,
  primary key (workspace_id, partner_id)
);
create index partners_by_external_id on partners (workspace_id, external_id) where external_id is not null;

create table programs (
  workspace_id uuid not null,
  program_id uuid not null,
  pass_id uuid not null,
  mode text not null check (mode in ('POINTS', 'STAMPS')),
  status text not null check (status in ('not_launched', 'active', 'paused')),
  reward_title text not null,
  -- what a reward costs in POINTS; how many stamps unlock one in STAMPS
  reward_cost bigint check (reward_cost between 1 and 9007199254740991),
  threshold bigint check (threshold between 1 and 9007199254740991),
  -- what an order earns
  earn jsonb not null,
  -- how long what is earned lasts; null: for ever
  expiry_months integer check (expiry_months > 0),
  -- limits of one card: points in a calendar day, and seconds between two earns
  per_day bigint check (per_day > 0),
  min_seconds_between integer check (min_seconds_between > 0),
  -- what becomes of points that were spent before their earn is undone
  refund_policy text not null check (refund_policy in ('debt', 'within_balance')),
  point_name jsonb not null,
  -- whether a STAMPS card draws its stamps as a picture
  draws_stamps boolean not null,
  -- since then the cards show the program
  launched_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, program_id),
  foreign key (workspace_id, pass_id) references passes on delete cascade,
  check ((mode = 'POINTS') = (reward_cost is not null) and (mode = 'STAMPS') = (threshold is not null))
);
create unique index programs_of_pass on programs (workspace_id, pass_id);
create index programs_by_id on programs (program_id);

-- Which states a program was in, since when, and who changed it.
create table program_states (
  workspace_id uuid not null,
  program_id uuid not null,
  state_id uuid not null,
  status text not null,
  actor text not null,
  changed_at timestamptz not null,
  primary key (workspace_id, program_id, state_id),
  foreign key (workspace_id, program_id) references programs on delete cascade
);

-- The program of the pass, so that whoever has the pass need not look for it.
alter table passes add column program_id uuid;

-- What a holder has in a program. Whoever changes it, or anything below, holds the card that shows it.
create table loyalty_accounts (
  workspace_id uuid not null,
  account_id uuid not null,
  program_id uuid not null,
  -- the card that shows it; the next card of the same holder takes it over
  instance_id uuid not null,
  -- number and balance of its newest entry
  seq bigint not null default 0,
  -- below zero: points that were spent before their earn was undone
  balance bigint not null default 0 check (balance between -9007199254740991 and 9007199254740991),
  -- all that was ever earned, without what was undone; spending and expiry leave it alone
  lifetime_points bigint not null default 0 check (lifetime_points between -9007199254740991 and 9007199254740991),
  pending_rewards integer not null default 0 check (pending_rewards >= 0),
  -- when the next of its points expire
  next_expiry_at timestamptz,
  -- for the limits: when it last earned, the end of that day in the workspace's time zone, and how much on that day
  last_earned_at timestamptz,
  day_ends_at timestamptz,
  earned_that_day bigint not null default 0,
  created_at timestamptz not null,
  primary key (workspace_id, account_id),
  foreign key (workspace_id, program_id) references programs,
  foreign key (workspace_id, instance_id) references instances
) with (fillfactor = 80);
create unique index loyalty_accounts_of_instance on loyalty_accounts (workspace_id, instance_id);
create index loyalty_accounts_of_program on loyalty_accounts (workspace_id, program_id, account_id);
create index loyalty_accounts_expiring on loyalty_accounts (next_expiry_at, program_id) where next_expiry_at is not null;

-- The ledger. Its triggers take the place of a foreign key, which would ask for each row alone.
create table loyalty_entries (
  workspace_id uuid not null,
  account_id uuid not null,
  -- contiguous from 1
  seq bigint not null,
  entry_id uuid not null,
  program_id uuid not null,
  -- the card that showed the account
  instance_id uuid not null,
  kind text not null check (kind in
    ('earn', 'redeem', 'unlock', 'cancel', 'expire', 'adjust', 'import', 'reversal')),
  -- what it adds to the balance, and the balance after it
  points bigint not null,
  balance bigint not null,
  -- the lot that its points went into: when they expire; null: into none
  expires_at timestamptz,
  external_ref text,
  reason text,
  -- the limit that made it an earn of nothing
  limited_by text,
  partner_id uuid,
  order_id text,
  -- the entry of the same account that it undoes
  reversal_of bigint,
  -- public id of the key that made it; the name of a job
  actor text not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, account_id, seq)
);
create index loyalty_entries_by_id on loyalty_entries (entry_id);
create index loyalty_entries_of_program on loyalty_entries (workspace_id, program_id, entry_id);
create index loyalty_entries_of_partner on loyalty_entries (workspace_id, partner_id, entry_id)
  where partner_id is not null;
create unique index loyalty_entries_one_reversal on loyalty_entries (workspace_id, account_id, reversal_of)
  where reversal_of is not null;
create trigger loyalty_entries_rows before update or delete on loyalty_entries
  for each row execute function refuse_change();
create trigger loyalty_entries_all before truncate on loyalty_entries
  for each statement execute function refuse_change();

-- Each entry continues the one before it, and belongs to an account. The settings keep the look-ups by key, also where
-- the plan is made while the tables are still small.
create function check_entries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from new_entries n
    left join loyalty_entries p
      on p.workspace_id = n.workspace_id and p.account_id = n.account_id and p.seq = n.seq - 1
    left join loyalty_accounts a on a.workspace_id = n.workspace_id and a.account_id = n.account_id
    where n.balance <> coalesce(p.balance, 0) + n.points
      or (p.seq is null) <> (n.seq = 1)
      or a.seq is null or a.seq < n.seq
  ) then
    raise exception 'an entry does not continue its account';
  end if;
  return null;
end $$;
create trigger loyalty_entries_chain after insert on loyalty_entries referencing new table as new_entries
  for each statement execute function check_entries();

-- An account stands where its newest entry stands.
create function check_accounts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from new_accounts n
    left join loyalty_entries e
      on e.workspace_id = n.workspace_id and e.account_id = n.account_id and e.seq = n.seq
    where n.balance <> coalesce(e.balance, 0) or (e.seq is null) <> (n.seq = 0)
  ) then
    raise exception 'an account does not stand where its newest entry stands';
  end if;
  return null;
end $$;
create trigger loyalty_accounts_inserted after insert on loyalty_accounts referencing new table as new_accounts
  for each statement execute function check_accounts();
create trigger loyalty_accounts_updated after update on loyalty_accounts referencing new table as new_accounts
  for each statement execute function check_accounts();

-- Points of an account that expire together: they are spent in this order, infinity last. What they were earned with is
-- on the entries; a lot per moment of expiry keeps an account small however often it earns.
create table loyalty_lots (
  workspace_id uuid not null,
  account_id uuid not null,
  expires_at timestamptz not null,
  original bigint not null check (original > 0),
  remaining bigint not null check (remaining between 0 and original),
  primary key (workspace_id, account_id, expires_at)
) with (fillfactor = 80);

-- What an entry took from a lot; negative: gave back to it.
create table loyalty_lot_uses (
  workspace_id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  expires_at timestamptz not null,
  amount bigint not null check (amount <> 0),
  primary key (workspace_id, account_id, seq, expires_at)
);
create trigger loyalty_lot_uses_rows before update or delete on loyalty_lot_uses
  for each row execute function refuse_change();
create trigger loyalty_lot_uses_all before truncate on loyalty_lot_uses
  for each statement execute function refuse_change();

-- A reward that stamps have unlocked. It keeps what it was unlocked with: a program may change later.
create table rewards (
  workspace_id uuid not null,
  account_id uuid not null,
  -- the entry that unlocked it
  seq bigint not null,
  title text not null,
  threshold bigint not null,
  status text not null check (status in ('pending', 'redeemed', 'cancelled')),
  -- the entry that redeemed or cancelled it
  closed_seq bigint,
  primary key (workspace_id, account_id, seq),
  check ((status = 'pending') = (closed_seq is null))
);
create index rewards_pending on rewards (workspace_id, account_id, seq) where status = 'pending';

-- A sixteenth of a program's totals. The first five are added up from entries, outstanding from the accounts' balances:
-- issued + adjusted - redeemed - expired - reversed = outstanding.
create table program_totals (
  workspace_id uuid not null,
  program_id uuid not null,
  shard smallint not null,
  issued bigint not null default 0,
  redeemed bigint not null default 0,
  expired bigint not null default 0,
  reversed bigint not null default 0,
  adjusted bigint not null default 0,
  outstanding bigint not null default 0,
  primary key (workspace_id, program_id, shard),
  foreign key (workspace_id, program_id) references programs on delete cascade
);

-- What a recount of a workspace's ledger has found.
create table ledger_audits (
  workspace_id uuid not null references workspaces,
  audit_id uuid not null,
  accounts bigint not null,
  entries bigint not null,
  -- [{ rule, id, … }]: empty when everything agrees
  findings jsonb not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  primary key (workspace_id, audit_id)
);

-- A recount that is under way, and how far it has come. When it has ended it is a row of ledger_audits.
create table ledger_recounts (
  workspace_id uuid primary key references workspaces,
  stage text not null check (stage in ('accounts', 'programs')),
  -- the account or program that was counted last
  cursor uuid,
  accounts bigint not null default 0,
  entries bigint not null default 0,
  findings jsonb not null default '[]',
  started_at timestamptz not null,
  -- when its last turn began: whoever waited longest is next
  turn_at timestamptz not null
);

-- A seal covers the entries that its accounts gained since the seal before, and that seal: whoever changes an entry
-- behind it changes every hash after it.
create table ledger_seals (
  workspace_id uuid not null references workspaces,
  seal bigint not null,
  entries bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null,
  primary key (workspace_id, seal)
);
create table ledger_seal_accounts (
  workspace_id uuid not null,
  seal bigint not null,
  account_id uuid not null,
  -- the newest entry that it covers, and the hash over all entries of the account up to it
  seq bigint not null,
  hash bytea not null,
  primary key (workspace_id, account_id, seal),
  foreign key (workspace_id, seal) references ledger_seals
);
create index ledger_seal_accounts_of_seal on ledger_seal_accounts (workspace_id, seal, account_id);

-- How far the sealing of a workspace has come.
create table ledger_seal_turns (
  workspace_id uuid primary key references workspaces,
  -- when its last turn began: whoever waited longest is next
  turn_at timestamptz not null,
  -- accounts with entries up to here were sealed
  seen_until timestamptz not null,
  -- where the slow walk over all accounts stands, which finds what was overlooked
  cursor uuid
);
create trigger ledger_seals_rows before update or delete on ledger_seals
  for each row execute function refuse_change();
create trigger ledger_seals_all before truncate on ledger_seals
  for each statement execute function refuse_change();
create trigger ledger_seal_accounts_rows before update or delete on ledger_seal_accounts
  for each row execute function refuse_change();
create trigger ledger_seal_accounts_all before truncate on ledger_seal_accounts
  for each statement execute function refuse_change();
