-- Events get their numbers in the transaction that they are of: the last statement before COMMIT takes them from the counter. What follows
-- the log (webhooks and statistics) reads it behind them.

-- Versions before the event log wrote it.
drop table events;

-- An old process that numbers holds counters and waits for this lock: the migration then fails, and is tried again.
lock table event_outbox in access exclusive mode;

alter table event_counters
  add column follow_at timestamptz,
  add column has_webhooks boolean not null default false;
create index event_counters_to_follow on event_counters (follow_at) where follow_at is not null;
-- It is updated by nearly every transaction: the new version of a row should find room on its page.
alter table event_counters set (fillfactor = 25);

alter table statistics_cursors
  add column sent_seq bigint not null default 0,
  add column counted_at timestamptz not null default '1970-01-01 00:00:00+00';

-- What is numbered has its deliveries.
insert into statistics_cursors as c (workspace_id, sent_seq) select workspace_id, last_seq from event_counters
on conflict (workspace_id) do update set sent_seq = excluded.sent_seq;

-- What waits for its number gets it.
insert into event_counters (workspace_id)
select distinct workspace_id from event_outbox
on conflict (workspace_id) do nothing;

insert into event_log (
  workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at, counts
)
select workspace_id, last_seq + row_number() over (partition by workspace_id order by written_at, outbox_id, place),
  event_id, type, pass_id, instance_id, actor, request_id, data::json, previous::json, created_at,
  case when place = 1 then counts when counts is not null then '' end
from (
  select o.workspace_id, c.last_seq, o.written_at, o.outbox_id, o.counts, e.*
  from event_outbox o
  join event_counters c on c.workspace_id = o.workspace_id
  cross join lateral (
    select * from rows from (
      unnest(o.event_ids), unnest(o.types), unnest(o.pass_ids), unnest(o.instance_ids), unnest(o.actors),
      unnest(o.request_ids), unnest(o.created_ats), string_to_table(o.data, E'\n'), string_to_table(o.previous, E'\n')
    ) with ordinality as by_column(
      event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place
    )
    union all
    select (event ->> 'eventId')::uuid, event ->> 'type', (event ->> 'passId')::uuid, (event ->> 'instanceId')::uuid,
      event ->> 'actor', event ->> 'requestId', (event ->> 'createdAt')::timestamptz, event ->> 'data',
      event ->> 'previous', place
    from json_array_elements(o.events) with ordinality as of_former_version(event, place)
  ) as e
) as waiting;

update event_counters c
set last_seq = c.last_seq + o.events, trim_at = coalesce(c.trim_at, o.first_at + interval '720 hours')
from (
  select workspace_id, sum(coalesce(cardinality(event_ids), json_array_length(events))) as events, min(due_at) as first_at
  from event_outbox group by workspace_id
) as o
where o.workspace_id = c.workspace_id;

delete from event_outbox;
drop index event_outbox_due;
drop index event_outbox_of_workspace;

-- Whether a workspace has webhooks is found when its log is followed next.
update event_counters set follow_at = now() where last_seq > 0;

comment on table event_counters is 'How far the events of a workspace are numbered, and from which on they are kept. Each transaction locks it last, with its COMMIT.';
comment on column event_counters.uncounted_since is 'of the version before; nothing reads it';
comment on column event_counters.follow_at is 'when webhooks and statistics are to be brought up to the last number; null: they are';
comment on column event_counters.has_webhooks is 'whether there were any when the log was followed last: then it is followed at once';
comment on table statistics_cursors is 'How far the events of a workspace are counted and sent. The worker that follows the log locks it.';
comment on column statistics_cursors.sent_seq is 'the number of the last event whose deliveries to webhooks were made; 0: none yet';
comment on column statistics_cursors.counted_at is 'when events were counted last';
comment on table event_outbox is 'Where the version before writes events: they go to the log at once. The next version drops it.';

-- The version before may serve meanwhile, on a single PostgreSQL: a trigger of a shard should reach no other table.
create function number_for_version_before() returns trigger language plpgsql as $$
declare
  events bigint := cardinality(new.event_ids);
  last bigint;
begin
  insert into event_counters as c (workspace_id, last_seq, trim_at, follow_at)
  values (new.workspace_id, events, new.due_at + interval '720 hours', now())
  on conflict (workspace_id) do update
  set last_seq = c.last_seq + events, trim_at = coalesce(c.trim_at, excluded.trim_at),
    follow_at = least(c.follow_at, excluded.follow_at)
  returning last_seq into last;
  insert into event_log (
    workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at, counts
  )
  select new.workspace_id, last - events + place, event_id, type, pass_id, instance_id, actor, request_id, data::json,
    previous::json, created_at, case when place = 1 then new.counts when new.counts is not null then '' end
  from rows from (
    unnest(new.event_ids), unnest(new.types), unnest(new.pass_ids), unnest(new.instance_ids), unnest(new.actors),
    unnest(new.request_ids), unnest(new.created_ats), string_to_table(new.data, E'\n'), string_to_table(new.previous, E'\n')
  ) with ordinality as e(event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place);
  return null;
end $$;
create trigger event_outbox_of_version_before before insert on event_outbox
  for each row execute function number_for_version_before();
