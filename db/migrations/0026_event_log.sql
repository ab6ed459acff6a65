-- The event log: what a transaction tells is written with it, numbered after its commit, and read by its number.
create table event_outbox (
  workspace_id uuid not null,
  outbox_id uuid not null,
  written_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  events json not null,
  primary key (outbox_id, workspace_id)
);
create index event_outbox_of_workspace on event_outbox (workspace_id, written_at, outbox_id);
create index event_outbox_due on event_outbox (due_at);
comment on table event_outbox is 'The events of one transaction, until they are numbered.';
comment on column event_outbox.written_at is 'by the clock of the database, while the transaction held what the events are about: its order is theirs';
comment on column event_outbox.due_at is 'when they can be numbered: at once';
comment on column event_outbox.events is 'a list, in their order, with the columns of event_log as properties';

create table event_counters (
  workspace_id uuid not null references workspaces (workspace_id),
  first_seq bigint not null default 1,
  last_seq bigint not null default 0,
  trim_at timestamptz,
  primary key (workspace_id)
);
create index event_counters_to_trim on event_counters (trim_at) where trim_at is not null;
comment on table event_counters is 'How far the events of a workspace are numbered, and from which on they are kept. Whoever numbers them locks it.';
comment on column event_counters.first_seq is 'what came before was deleted';
comment on column event_counters.last_seq is '0: none yet';
comment on column event_counters.trim_at is 'when the oldest has been kept for long enough; null: there is none';

create table event_log (
  workspace_id uuid not null,
  seq bigint not null,
  event_id uuid not null,
  type text not null,
  pass_id uuid,
  instance_id uuid,
  actor text not null,
  request_id text not null,
  data json not null,
  previous json not null,
  created_at timestamptz not null,
  primary key (workspace_id, seq)
);
create unique index event_log_by_id on event_log (event_id, workspace_id);
create index event_log_of_instance on event_log (instance_id, workspace_id, seq) where instance_id is not null;
create index event_log_of_pass on event_log (pass_id, type, workspace_id, seq) where pass_id is not null;
create index event_log_of_type on event_log (type, workspace_id, seq);
create index event_log_of_request on event_log (request_id);
comment on table event_log is 'Something that has happened in a workspace, kept for 30 days.';
comment on column event_log.seq is 'without a gap in its workspace, in an order in which the events were committed';
comment on column event_log.actor is 'as the audit log names it; ''holder'' or ''system'' where nobody with a key did it';
comment on column event_log.data is 'what it concerns, as the API showed it then; empty once the card was erased';
comment on column event_log.previous is 'the changed properties as they were before';
comment on table events is 'What versions before the event log have noted; nothing is written to it any more.';
