-- Where rows live on many nodes (Citus), a worker does not ask all of them four times a second what is due: whoever leaves
-- something to a job notes here in which workspace, and workers look there. Empty on a single PostgreSQL.
create table due_workspaces (
  job text not null,
  workspace_id uuid not null,
  look_at timestamptz not null,
  -- Which note it is: who has looked takes it away, unless it was noted again meanwhile.
  note_id uuid not null,
  primary key (job, workspace_id)
);
create index due_workspaces_due on due_workspaces (job, look_at);
