-- Cards that a lowered threshold has filled get their rewards in the background: a walk over the accounts of the program. An
-- award has a limit of its own, for all and for roles.

create table unlock_walks (
  workspace_id uuid not null,
  program_id uuid not null,
  pass_id uuid not null,
  cursor uuid,
  actor text,
  request_id text,
  again_at timestamptz,
  due_at timestamptz not null,
  primary key (program_id, workspace_id),
  foreign key (program_id, workspace_id) references programs (program_id, workspace_id) on delete cascade
);
create index unlock_walks_due on unlock_walks (due_at);
comment on table unlock_walks is 'programs whose accounts are looked through for balances that fill a card';
comment on column unlock_walks.cursor is 'the account that was looked at last; null: none yet';
comment on column unlock_walks.actor is 'who has lowered the threshold, by the public id; null: the walk began with an update of the service';
comment on column unlock_walks.request_id is 'the request that has lowered it';
comment on column unlock_walks.again_at is
  'at the end the walk begins again at this moment, since awards that were under way had read the former threshold; null: it is over then';
comment on column unlock_walks.due_at is 'when the next step is due';

-- What a former version has left full. In an hour no process of it lowers a threshold.
insert into unlock_walks (workspace_id, program_id, pass_id, due_at)
select workspace_id, program_id, pass_id, now() + interval '1 hour' from programs where mode = 'STAMPS';

alter table programs add column per_award bigint check (per_award > 0);
alter table programs add column per_award_by_role jsonb not null default '{}';
comment on column programs.per_award is 'points that one award may give; null: any number';
comment on column programs.per_award_by_role is 'the same for people of a role, in the place of it: { role: points }';
