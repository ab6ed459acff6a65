-- Images of passes, fetched once and stored re-encoded; what a pool of barcodes has left; what happened, for the event log.

alter table passes
  -- by parameter (iconUrl, logoUrl, …): the URL that was sent, and the files made of it (name → hash, width, height)
  add column images jsonb not null default '{}',
  -- the pool is low once no more than so many codes are left
  add column pool_low_at integer not null default 100 check (pool_low_at between 0 and 1000000),
  -- whoever issues this code, or a later one, finds the pool low; null: no more than pool_low_at are left
  add column pool_low_seq bigint,
  -- since when it is; null while it is not
  add column pool_low_since timestamptz;

-- The bytes of an image, once a workspace however many passes show it. They never change.
create table image_files (
  workspace_id uuid not null references workspaces,
  -- SHA-256 of the bytes, hexadecimal
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  bytes bytea not null,
  width integer not null,
  height integer not null,
  -- when a pass last took it up; a file that no pass names is removed long after
  kept_at timestamptz not null,
  primary key (workspace_id, hash)
);
-- an image does not get smaller
alter table image_files alter column bytes set storage external;
-- its public address names the hash alone
create index image_files_by_hash on image_files (hash);
create index image_files_by_age on image_files (kept_at);

create table events (
  workspace_id uuid not null references workspaces,
  event_id uuid not null,
  kind text not null,
  pass_id uuid,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, event_id)
);
