-- Statistics: what the event log tells, counted by pass, partner and day. What was before this migration is counted by a walk
-- over cards and accounts; the moment that stands with the cursor of a workspace parts the two.

create table statistics_cursors (
  workspace_id uuid not null,
  counted_seq bigint not null default 0,
  counts_from timestamptz,
  primary key (workspace_id)
);
comment on table statistics_cursors is 'How far the events of a workspace are counted. Whoever counts them locks it.';
comment on column statistics_cursors.counted_seq is 'the number of the last event that was counted; 0: none yet';
comment on column statistics_cursors.counts_from is
  'what happened before is counted by statistics_walks, whatever the event log tells of it; null: nothing was before';

create table statistics_walks (
  workspace_id uuid not null,
  pass_id uuid not null,
  stage text not null check (stage in ('cards', 'accounts')),
  cursor uuid,
  due_at timestamptz not null,
  primary key (pass_id, workspace_id)
);
create index statistics_walks_due on statistics_walks (due_at);
comment on table statistics_walks is
  'How far the cards and the ledger of a pass were counted, of the time before statistics_cursors.counts_from. Gone at the end.';
comment on column statistics_walks.cursor is 'the card or account that was counted last; null: none of the stage yet';
comment on column statistics_walks.due_at is 'of the next step; while a worker takes it, the end of its lease';

create table statistics_days (
  workspace_id uuid not null,
  pass_id uuid not null,
  partner_id uuid not null,
  day date not null,
  kind text not null,
  happened bigint not null,
  points_in numeric not null,
  points_out numeric not null,
  primary key (pass_id, partner_id, day, kind, workspace_id)
);
comment on table statistics_days is 'How often something happened on a day to the cards of a pass, and to their points.';
comment on column statistics_days.partner_id is
  'all bytes 0: wherever it was; else what is attributed to the partner, which is counted there as well';
comment on column statistics_days.day is 'in the time zone that the workspace had when it was counted';
comment on column statistics_days.kind is
  'of an entry of the ledger, as the API shows it; or what happened to a card: ''issued'', ''installed'' and so on';
comment on column statistics_days.points_in is 'what entries have added to balances';
comment on column statistics_days.points_out is 'what entries have taken from balances; zero or less';

create table statistics_active (
  workspace_id uuid not null,
  pass_id uuid not null,
  unit text not null check (unit in ('day', 'week', 'month')),
  begins date not null,
  cards bigint not null,
  primary key (pass_id, unit, begins, workspace_id)
);
comment on table statistics_active is
  'How many cards of a pass were awarded or redeemed in a day, week or month; those of a month are not the sum of its days.';
comment on column statistics_active.begins is 'its first day; weeks begin on Mondays';

create table statistics_cards (
  workspace_id uuid not null,
  instance_id uuid not null,
  first_day date not null,
  last_day date not null,
  primary key (instance_id, workspace_id)
);
comment on table statistics_cards is
  'From which day to which a card was counted as active: a day, week or month that is not within is new to it.';

-- What is numbered is to be counted. The previous version, which may number beside this migration, does not note it: the next
-- event does.
alter table event_counters add column uncounted_since timestamptz;
create index event_counters_uncounted on event_counters (uncounted_since) where uncounted_since is not null;
comment on column event_counters.uncounted_since is
  'when the oldest event was numbered that statistics may not have counted; null: there is none';

insert into statistics_cursors (workspace_id, counts_from)
select workspace_id, date_trunc('milliseconds', now()) from workspaces;
-- Whatever is under way is committed by then.
insert into statistics_walks (workspace_id, pass_id, stage, due_at)
select workspace_id, pass_id, 'cards', now() + interval '5 minutes' from passes;
update event_counters set uncounted_since = now() where last_seq > 0;
