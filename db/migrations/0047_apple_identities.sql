-- Workspaces may sign their Apple passes with a certificate of their own, and push with it.
create table apple_identities (
  workspace_id uuid not null references workspaces,
  pass_type_identifier text not null,
  team_identifier text not null,
  certificate text not null,
  intermediate text not null,
  private_key text not null,
  expires_at timestamptz not null,
  told_days smallint,
  retired_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (pass_type_identifier, workspace_id)
);
create index apple_identities_of_workspace on apple_identities (workspace_id, pass_type_identifier);
create index apple_identities_by_end on apple_identities (expires_at) where retired_at is null;
create index apple_identities_retired on apple_identities (retired_at) where retired_at is not null;
comment on table apple_identities is
  'A certificate of a workspace''s own, for one pass type: it signs the passes and pushes their changes.';
comment on column apple_identities.certificate is 'PEM';
comment on column apple_identities.intermediate is 'PEM of the certificate that issued it';
comment on column apple_identities.private_key is 'PEM, sealed';
comment on column apple_identities.told_days is
  'how many days before its end the workspace was told of that last; null: not yet';
comment on column apple_identities.retired_at is
  'since when another signs new passes; it stays for those in wallets as long as a device holds one; null: it signs them';

create table apple_signing_keys (
  workspace_id uuid not null references workspaces,
  key_hash bytea not null,
  private_key text not null,
  created_at timestamptz not null,
  primary key (key_hash, workspace_id)
);
create index apple_signing_keys_of_workspace on apple_signing_keys (workspace_id, created_at);
comment on table apple_signing_keys is
  'The key of a signing request: the certificate that Apple issues for it comes without one. A workspace has its newest few.';
comment on column apple_signing_keys.key_hash is 'SHA-256 of the public key, as certificates encode it';
comment on column apple_signing_keys.private_key is 'PEM, sealed';

alter table workspaces add column apple_pass_type_identifier text;
comment on column workspaces.apple_pass_type_identifier is
  'the pass type of its own that signs new passes; null: that of the installation does';

alter table apple_devices add column is_own boolean not null default false;
create index apple_devices_due_own on apple_devices (due_at)
  where due_at is not null and rollout_id is null and is_own;
create index apple_devices_own on apple_devices (pass_type_identifier, workspace_id) where is_own;
comment on column apple_devices.is_own is
  'whether the pass type is the workspace''s own, and its certificate pushes; that of the installation else';
