-- How old the points are that are outstanding: a recount adds it up beside, since it reads every entry anyway.
alter table ledger_recounts add column ages jsonb not null default '{}';
alter table ledger_audits add column ages jsonb;
comment on column ledger_recounts.ages is 'as in ledger_audits, so far';
comment on column ledger_audits.ages is
  '{ programId: [points, …] }: of accounts that have some, as text, by the days since they were credited: below 30, 90, 180, 365, and more; null: of a version that did not tell';
