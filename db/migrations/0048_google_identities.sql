-- Workspaces may issue their cards at Google by an account of their own.
create table google_identities (
  workspace_id uuid not null references workspaces,
  issuer_id text not null,
  client_email text not null,
  service_account text not null,
  retired_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (issuer_id, workspace_id)
);
create index google_identities_of_workspace on google_identities (workspace_id, issuer_id);
create index google_identities_retired on google_identities (retired_at) where retired_at is not null;
comment on table google_identities is 'An account of a workspace''s own at Google Wallet.';
comment on column google_identities.issuer_id is 'what Google knows the account by; ids of its classes and objects begin with it';
comment on column google_identities.client_email is 'the service account that acts for it';
comment on column google_identities.service_account is 'the key file of the service account, sealed';
comment on column google_identities.retired_at is
  'since when new cards are another''s; it stays for those that it has made; null: new cards are its';

alter table workspaces add column google_issuer_id text;
comment on column workspaces.google_issuer_id is
  'the issuer of its own that new cards at Google are of; null: that of the installation';

alter table google_objects add column issuer_id text, add column is_own boolean not null default false;
comment on column google_objects.issuer_id is
  'the issuer of the workspace''s own that it is of; null: that of the installation';
comment on column google_objects.is_own is
  'whether issuer_id says one: what is null a planner without statistics takes for rare';
create index google_objects_due_own on google_objects (due_at)
  where due_at is not null and is_own;
create index google_objects_due_of_workspace on google_objects (workspace_id, due_at, instance_id)
  where due_at is not null and is_own;
create index google_objects_of_issuer on google_objects (issuer_id, workspace_id) where issuer_id is not null;
create index google_objects_due_shared on google_objects (due_at) where due_at is not null and not is_own;
drop index google_objects_due;

create table google_own_classes (
  workspace_id uuid not null,
  pass_id uuid not null,
  issuer_id text not null,
  content bytea,
  message_rollout_id uuid,
  notified_at timestamptz[] not null default '{}',
  primary key (pass_id, workspace_id, issuer_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
comment on table google_own_classes is
  'What an issuer of a workspace''s own has at Google of a pass: as google_classes, which are the installation''s.';
