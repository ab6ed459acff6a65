-- Programs that hold money: the ledger of points in the smallest unit of one currency. A charge may be given back in parts, so
-- that several entries may undo one; the lock of its card guards their sum.

alter table programs
  drop constraint programs_mode_check,
  add constraint programs_mode_check check (mode in ('POINTS', 'STAMPS', 'MONEY')),
  add column currency text,
  add column max_balance bigint,
  add constraint programs_currency_check check ((mode = 'MONEY') = (currency is not null)),
  add constraint programs_max_balance_check check (max_balance is null or max_balance > 0 and currency is not null);
comment on column programs.mode is
  '''POINTS'': a reward costs points; ''STAMPS'': a number of stamps unlocks one, and they are counted as points; ''MONEY'': points are the smallest unit of a currency';
comment on column programs.currency is 'of ''MONEY'': the code of ISO 4217; null in other programs';
comment on column programs.max_balance is 'of ''MONEY'': what a card may hold, in the smallest unit; null: any amount';

create index loyalty_entries_reversals on loyalty_entries (account_id, workspace_id, reversal_of)
  where reversal_of is not null;
drop index loyalty_entries_one_reversal;
