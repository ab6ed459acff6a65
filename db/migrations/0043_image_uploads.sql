-- Images that were uploaded, and wait for a pass that is made of them.
create table image_uploads (
  workspace_id uuid not null references workspaces,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  bytes bytea not null,
  size integer not null,
  width integer not null,
  height integer not null,
  kept_until timestamptz not null,
  primary key (hash, workspace_id)
);
-- What is compressed already is stored as it is.
alter table image_uploads alter column bytes set storage external;
create index image_uploads_of_workspace on image_uploads (workspace_id);
create index image_uploads_by_age on image_uploads (kept_until);
comment on table image_uploads is
  'An image as it was uploaded, for the image parameters of passes, which are made of files of their own. It has no public address.';
comment on column image_uploads.hash is
  'SHA-256 of the bytes, hexadecimal; the workspace calls the image ''upload:'' and this';
comment on column image_uploads.size is 'how many bytes there are';
comment on column image_uploads.width is 'in pixels, as it is to be shown';
comment on column image_uploads.height is 'in pixels, as it is to be shown';
comment on column image_uploads.kept_until is 'from then on it is not taken any more, and removed';
