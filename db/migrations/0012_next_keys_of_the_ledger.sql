-- From here to 0015, keys and indexes come to begin with what tells rows apart, and no longer with the workspace: indexes
-- that begin alike cost the same in the eyes of a planner without statistics, and one that finds all that a workspace has
-- may win. The new keys are made first, one file for what belongs together: its tables can be read, but not written, while
-- that lasts, some seconds for each million rows. Locked at once, so that nothing is made in vain.
lock table loyalty_accounts, loyalty_entries, loyalty_lots, loyalty_lot_uses, rewards in share mode;

create unique index loyalty_accounts_next on loyalty_accounts (account_id, workspace_id);
create unique index loyalty_accounts_of_instance_next on loyalty_accounts (instance_id, workspace_id);
create index loyalty_accounts_of_program_next on loyalty_accounts (program_id, workspace_id, account_id);

create unique index loyalty_entries_next on loyalty_entries (account_id, workspace_id, seq);
create unique index loyalty_entries_one_reversal_next on loyalty_entries (account_id, workspace_id, reversal_of)
  where reversal_of is not null;
create index loyalty_entries_of_program_next on loyalty_entries (program_id, workspace_id, entry_id);
create index loyalty_entries_of_partner_next on loyalty_entries (partner_id, workspace_id, entry_id) where partner_id is not null;

create unique index loyalty_lots_next on loyalty_lots (account_id, workspace_id, expires_at);
create unique index loyalty_lot_uses_next on loyalty_lot_uses (account_id, workspace_id, seq, expires_at);

create unique index rewards_next on rewards (account_id, workspace_id, seq);
create index rewards_pending_next on rewards (account_id, workspace_id, seq) where status = 'pending';
