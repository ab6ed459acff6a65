-- Messages to an audience, and what became of each; what credits were held, spent and added for.

alter table rollouts
  add column message text,
  add column audience jsonb,
  add column request_id text;
comment on column rollouts.message is 'the text of a message; null: it is a design, or of before texts were kept';
comment on column rollouts.audience is 'which of the installed cards a message is for, as it was asked for; null: all of them';
comment on column rollouts.request_id is 'the request that began it; null where that was not kept';

create index rollouts_messages on rollouts (pass_id, workspace_id, rollout_id) where kind = 'message';

create table message_deliveries (
  workspace_id uuid not null,
  rollout_id uuid not null,
  delivered bigint not null,
  failed bigint not null,
  primary key (rollout_id, workspace_id),
  foreign key (rollout_id, workspace_id) references rollouts (rollout_id, workspace_id) on delete cascade
);
comment on table message_deliveries is
  'What became of the pushes of a message. Apart from its rollout, which is locked while that walks on.';
comment on column message_deliveries.delivered is 'cards of which a wallet was told';
comment on column message_deliveries.failed is 'cards whose wallets have all failed for good';

-- What was on its way then counts as delivered: its pushes do not name the message.
insert into message_deliveries (workspace_id, rollout_id, delivered, failed)
select workspace_id, rollout_id, done, 0 from rollouts where kind = 'message';

alter table pushes
  add column pass_id uuid,
  add column request_id text,
  add column message_ids uuid[] not null default '{}';
comment on column pushes.pass_id is 'the pass of the card; null where that was not kept';
comment on column pushes.request_id is 'the request of the newest change that it brings; null where that was not kept';
comment on column pushes.message_ids is 'rollouts.rollout_id of the messages that it brings, and that count it once it is settled';

alter table instances
  add column message text,
  add column message_id uuid;
comment on column instances.message is
  'the newest message to an audience that it was of: it goes before passes.message where it is newer; null: there was none';
comment on column instances.message_id is 'the rollouts.rollout_id of message';

alter table passes add column message_id uuid;
comment on column passes.message_id is 'the rollouts.rollout_id of message; null where that was not kept';

alter table google_objects add column message_id uuid;
comment on column google_objects.message_id is
  'the instances.message_id of the message to an audience that Google was sent last; null: none';

alter table credit_accounts
  add column low_at bigint not null default 0,
  add column low_seq bigint;
comment on column credit_accounts.low_at is
  'credits are low once fewer than so many are free: a tenth of what was free after the last top-up, and 1 at least';
comment on column credit_accounts.low_seq is 'the entry with which they became low; null: they have not since the last top-up';
update credit_accounts set low_at = greatest(balance / 10, 1) where balance > 0;

alter table credit_entries
  add column instance_id uuid,
  add column message_id uuid,
  add column rollout_id uuid,
  add column request_id text,
  drop constraint credit_entries_kind_check,
  add constraint credit_entries_kind_check check (kind in ('grant', 'correct', 'reserve', 'settle', 'release'));
comment on column credit_entries.kind is
  '''grant'': a top-up; ''correct'': the operator takes some back; ''reserve'': held for pushes; ''settle'': what was held is spent; ''release'': what was held comes back';
comment on column credit_entries.instance_id is 'the card that it was for; null: several, or none';
comment on column credit_entries.message_id is 'the rollouts.rollout_id of the message that it was for; null: none, or several';
comment on column credit_entries.rollout_id is 'the rollout of a design that it was for; null: none, or several';
comment on column credit_entries.request_id is 'the request that it was for; null: several, or not kept';
