-- What became of requests, for whoever is given a request id; and the ways into the audit log.
create table request_log (
  workspace_id uuid not null,
  log_id uuid not null,
  request_id text not null,
  method text,
  path text,
  op text,
  status smallint not null,
  code text,
  message text,
  actor text,
  pass_id uuid,
  instance_id uuid,
  ms double precision not null,
  created_at timestamptz not null,
  primary key (log_id, workspace_id)
);
create index request_log_of_workspace on request_log (workspace_id, log_id);
create index request_log_by_request on request_log (request_id, workspace_id, log_id);
create index request_log_of_op on request_log (op, workspace_id, log_id);
create index request_log_of_status on request_log (status, workspace_id, log_id);
create index request_log_of_code on request_log (code, workspace_id, log_id) where code is not null;
create index request_log_of_actor on request_log (actor, workspace_id, log_id) where actor is not null;
create index request_log_of_instance on request_log (instance_id, workspace_id, log_id) where instance_id is not null;
comment on table request_log is 'What became of a request, kept for 30 days, without bodies and secrets. Of reads that succeed only some are kept.';
comment on column request_log.workspace_id is 'whose key was sent; all zeroes where none was known, which the operator alone can see';
comment on column request_log.request_id is 'the caller may have chosen it, and used it twice';
comment on column request_log.method is 'null where not even that could be read';
comment on column request_log.path is 'as the route declares it, with ids in place and nothing else of what was sent; null: no such path';
comment on column request_log.status is '499: the client went away before the answer';
comment on column request_log.code is 'of the refusal; null: it was not refused';
comment on column request_log.message is 'of the refusal, without what names a person';
comment on column request_log.actor is 'as in audit_log; null: nobody who was known';
comment on column request_log.pass_id is 'the pass that path or body name; null: they name none';
comment on column request_log.instance_id is 'the card that path, body or answer name; null: they name none, or several';
comment on column request_log.ms is 'from the request to the end of its answer';

create index audit_log_by_request on audit_log (request_id, workspace_id, audit_id);
create index audit_log_of_actor on audit_log (actor, workspace_id, audit_id);
create index audit_log_of_action on audit_log (action, workspace_id, audit_id);
create index audit_log_of_target on audit_log (target, workspace_id, audit_id);
