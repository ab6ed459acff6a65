-- Messages that go out later, end, or are taken back. What has not gone out is in a table of its own, so that the version before, which
-- may serve beside this one, sends none of it.

create table planned_messages (
  workspace_id uuid not null,
  message_id uuid not null,
  pass_id uuid not null,
  message text not null,
  audience jsonb,
  send_at timestamptz not null,
  ends_at timestamptz,
  due_at timestamptz,
  state text not null check (state in ('planned', 'cancelled', 'unsent')),
  reason text,
  request_id text not null,
  actor text not null,
  created_at timestamptz not null,
  primary key (message_id, workspace_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
create index planned_messages_of_pass on planned_messages (pass_id, workspace_id, message_id);
create index planned_messages_due on planned_messages (due_at) where due_at is not null;

alter table rollouts
  add column news_id uuid,
  add column send_at timestamptz,
  add column ends_at timestamptz,
  add column ending_at timestamptz,
  add column ending_cursor uuid,
  add column ended_at timestamptz;
create index rollouts_ending on rollouts (ending_at) where ending_at is not null;
create index instances_installed_void on instances (pass_id, workspace_id) where installed and status = 'voided';

comment on table planned_messages is
  'Messages that are to go out later. One that has gone out is a row of rollouts instead, with the same id.';
comment on column planned_messages.audience is 'as rollouts.audience';
comment on column planned_messages.send_at is 'when it is to go out, as it was asked for';
comment on column planned_messages.ends_at is 'when its text leaves the cards again; null: it stays';
comment on column planned_messages.due_at is
  'when to send it; while a worker does, the end of its lease; null: it is not going to be sent';
comment on column planned_messages.state is
  '''planned''; ''cancelled'': by hand, before its time; ''unsent'': it could not be sent when its time had come';
comment on column planned_messages.reason is 'the code of the error for which it was not sent';
comment on column planned_messages.request_id is 'the request that planned it, or changed it last';
comment on column planned_messages.actor is 'who planned it, by the public id';
comment on column rollouts.news_id is
  'by which cards know its text, as passes.message_id and instances.message_id: of the moment when it went out; null: rollout_id';
comment on column rollouts.send_at is 'when the message was to go out; null: at once';
comment on column rollouts.ends_at is 'when the text is to leave the cards; null: it stays';
comment on column rollouts.ending_at is 'when to take the next step of that; null: there is none';
comment on column rollouts.ending_cursor is 'the card from which the text has left last; null: from none yet';
comment on column rollouts.ended_at is 'when the text began to leave the cards, at its end or by hand; null: it is there';
comment on column passes.message is 'the newest message to all holders; null: there was none, or it has ended';
comment on column passes.message_id is 'the rollouts.news_id of message; null where that was not kept';
comment on column instances.message is
  'the newest message to an audience that it was of: it goes before passes.message where it is newer; null: there was none, or it has ended';
comment on column instances.message_id is 'the rollouts.news_id of message';
