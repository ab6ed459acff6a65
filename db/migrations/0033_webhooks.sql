-- Outgoing webhooks: where a workspace wants to hear of its events, and what became of each of them there.
create table webhooks (
  webhook_id uuid not null,
  workspace_id uuid not null references workspaces,
  url text not null,
  types text[] not null,
  pass_ids uuid[],
  description text,
  payload text not null check (payload in ('full', 'thin')),
  status text not null check (status in ('active', 'paused', 'disabled', 'deleted')),
  secrets text not null,
  problem text check (problem in ('failing', 'gone', 'no_success')),
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (webhook_id, workspace_id)
);
create index webhooks_of_workspace on webhooks (workspace_id, webhook_id);
create index webhooks_deleted on webhooks (updated_at) where status = 'deleted';
comment on table webhooks is 'Where a workspace wants to hear of its events.';
comment on column webhooks.types is '''*'', a kind of event, or ''points.*'' for all that begin alike';
comment on column webhooks.pass_ids is 'only events of these passes; null: all, those of no pass among them';
comment on column webhooks.payload is '''thin'': without what an event concerns';
comment on column webhooks.status is
  '''paused'' by its owner, ''disabled'' by us; a deleted one stays as long as what became of its deliveries is kept';
comment on column webhooks.secrets is 'what signs, sealed: a list of { secret, until }; until null: for good';
comment on column webhooks.problem is
  'what its owner is told: a delivery has failed four times in a row, 410 was answered, nothing has succeeded for five days';
comment on column webhooks.failing_since is 'the first failure since something succeeded; null: the last attempt did';

create table webhook_deliveries (
  webhook_id uuid not null,
  delivery_id uuid not null,
  workspace_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null check (status in ('waiting', 'delivered', 'failed')),
  due_at timestamptz,
  is_retry boolean not null,
  is_single boolean not null,
  tries smallint not null,
  attempts jsonb not null,
  created_at timestamptz not null,
  primary key (webhook_id, delivery_id, workspace_id)
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, workspace_id, is_retry, due_at)
  where due_at is not null;
create index webhook_deliveries_by_due on webhook_deliveries (due_at) where due_at is not null;
create index webhook_deliveries_undelivered on webhook_deliveries (webhook_id, status, delivery_id)
  where status <> 'delivered';
create index webhook_deliveries_of_type on webhook_deliveries (webhook_id, type, delivery_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
comment on table webhook_deliveries is 'An event on its way to a webhook, and what became of it; kept for 30 days.';
comment on column webhook_deliveries.delivery_id is
  'made of event_id, whose first half it begins with, and webhook_id: an event has one at a webhook';
comment on column webhook_deliveries.due_at is
  'when it is sent or tried again; while a worker has it, the end of its lease; null: delivered, or given up';
comment on column webhook_deliveries.is_retry is 'false until it was tried: what is new has its own places';
comment on column webhook_deliveries.is_single is 'sent once, by hand: whatever the status of the webhook, and not again';
comment on column webhook_deliveries.tries is 'attempts of the schedule that have failed';
comment on column webhook_deliveries.attempts is
  'the last ones: { at, status, milliseconds, answer, problem }, the answer cut to its first bytes';
comment on column webhook_deliveries.created_at is 'when the event was made';
