-- Shared tills: devices that a manager pairs, on which staff sign in with a PIN.
create table devices (
  device_id uuid not null,
  workspace_id uuid not null references workspaces,
  name text not null,
  partner_id uuid,
  pairing_hash bytea,
  pairing_until timestamptz,
  secret_hash bytea,
  created_at timestamptz not null,
  primary key (device_id, workspace_id)
);
create index devices_of_workspace on devices (workspace_id, device_id);
create index devices_by_pairing on devices (pairing_hash) where pairing_hash is not null;
create index devices_by_secret on devices (secret_hash) where secret_hash is not null;
comment on table devices is 'A till that several people share; deleted as it is revoked.';
comment on column devices.partner_id is 'the partner that all awards and redeems at it are for; null: that of who signs in';
comment on column devices.pairing_hash is 'SHA-256 of the code that pairs it, once; null: it is paired, or nobody came in time';
comment on column devices.secret_hash is 'SHA-256 of what the cookie of the till holds; null: it is not paired yet';

alter table memberships add column pin text;
comment on column memberships.pin is 'scrypt of what signs the person in at a till; null: nothing does';

alter table sessions add column device_id uuid;
create index sessions_of_device on sessions (device_id) where device_id is not null;
comment on column sessions.device_id is 'the till at which its person signed in, as staff of its workspace; null: at a browser of their own';
