-- The first attempts that a process makes of events that it has just numbered have no rows before they have ended: one claim
-- stands for all of them.
create table webhook_claims (
  workspace_id uuid not null,
  from_seq bigint not null,
  webhook_ids uuid[] not null,
  to_seqs bigint[] not null,
  due_at timestamptz not null,
  primary key (workspace_id, from_seq)
);
create index webhook_claims_due on webhook_claims (due_at);
comment on table webhook_claims is
  'Events that the process that numbered them is sending to webhooks for the first time; what has ended has a row among the deliveries.';
comment on column webhook_claims.from_seq is 'the first of the events';
comment on column webhook_claims.to_seqs is 'the last event for each of the webhooks';
comment on column webhook_claims.due_at is 'the end of the lease: then another process makes the rows that are missing';
