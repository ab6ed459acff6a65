-- Who was added, who came, and who gave what at which till.

-- A browser that has a web card open is a wallet, and has not added the card.
alter table web_cards add column added boolean not null default true;
comment on column web_cards.added is 'whether the timeline says that it was added; a browser that only has the card open was not. The version before says it of all';

create table statistics_visitors (
  workspace_id uuid not null,
  pass_id uuid not null,
  visit text not null check (visit in ('first', 'last')),
  day date not null,
  cards bigint not null,
  primary key (pass_id, visit, day, workspace_id)
);
comment on table statistics_visitors is 'How many cards of a pass were awarded or redeemed for the first time on a day, and how many for the last time so far: statistics_cards, counted. What the version before counts after the migration stays on the earlier day.';

insert into statistics_visitors (workspace_id, pass_id, visit, day, cards)
select c.workspace_id, i.pass_id, v.visit, v.day, count(*)
from statistics_cards c
join instances i on i.instance_id = c.instance_id and i.workspace_id = c.workspace_id
cross join lateral (values ('first', c.first_day), ('last', c.last_day)) as v(visit, day)
group by c.workspace_id, i.pass_id, v.visit, v.day;

create index loyalty_accounts_rewarded on loyalty_accounts (program_id, workspace_id) where pending_rewards > 0;

alter table loyalty_entries add column device_id uuid;
comment on column loyalty_entries.device_id is 'the shared till at which its person was signed in; null: none, or the version before wrote it';
create index loyalty_entries_of_person on loyalty_entries (program_id, workspace_id, actor, entry_id)
  where actor like 'person\_%';
create index loyalty_entries_of_device on loyalty_entries (program_id, workspace_id, device_id, entry_id)
  where device_id is not null;
