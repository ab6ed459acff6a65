-- The wallets that hold cards, what is on its way to them, and the credits it costs.

-- An entry moves credits between the free balance (amount) and what is held for pushes under way (reserved);
-- a settled push takes them from the latter.
alter table credit_entries drop constraint credit_entries_kind_check;
alter table credit_entries add constraint credit_entries_kind_check
  check (kind in ('grant', 'reserve', 'settle', 'release'));
alter table credit_entries add column reserved bigint not null default 0;

-- A top-up that has yet to pay for pushes that were skipped.
create table credit_flushes (
  workspace_id uuid primary key references workspaces,
  requested_at timestamptz not null,
  -- the one that waited longest is next
  walked_at timestamptz not null
);

-- The newest message to all holders of the pass.
alter table passes add column message text;

alter table instances
  -- how many of each hold the card now; installed is whether any does
  add column apple_wallets integer not null default 0 check (apple_wallets >= 0),
  add column google_wallets integer not null default 0 check (google_wallets >= 0),
  add column web_wallets integer not null default 0 check (web_wallets >= 0),
  -- the Last-Modified of the pass file that was handed out last
  add column served_modified_at timestamptz;

-- A change of a design, or a message, on its way to all installed cards of a pass. It walks them by instance_id, then
-- lets go of the devices that it held back, so that each gets one push however many of its cards have changed.
create table rollouts (
  workspace_id uuid not null,
  rollout_id uuid not null,
  pass_id uuid not null,
  kind text not null check (kind in ('design', 'message')),
  -- installed cards when it began; those that were reached; those of them that no credit was left for
  cards bigint not null,
  done bigint not null default 0,
  skipped bigint not null default 0,
  -- paid for ahead and not yet handed to a card
  credits bigint not null default 0 check (credits >= 0),
  stage text not null check (stage in ('cards', 'devices', 'finished')),
  cursor uuid,
  -- when the next of the devices that it held back may be pushed to
  release_at timestamptz not null,
  -- the one that waited longest is next
  walked_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (workspace_id, rollout_id),
  foreign key (workspace_id, pass_id) references passes on delete cascade
);
create index rollouts_of_pass on rollouts (workspace_id, pass_id, rollout_id);
create index rollouts_open on rollouts (walked_at) where stage <> 'finished';
-- Changing a design again starts its walk anew: one of the kind at a time.
create unique index rollouts_open_design on rollouts (workspace_id, pass_id)
  where kind = 'design' and stage <> 'finished';

-- What a card owes its wallets: one row, whatever has changed and how often. The wallets read the newest state.
create table pushes (
  workspace_id uuid not null,
  instance_id uuid not null,
  -- held for it until it is delivered or has failed for good
  credits integer not null check (credits >= 0),
  -- since when it waits for credits; nothing is on its way then
  skipped_at timestamptz,
  -- a top-up paid for it: the caller's re-send is free
  repaid boolean not null default false,
  -- it comes from a rollout alone, which stands on the timeline of all its cards as it is
  rolled_out boolean not null,
  -- the wallets that have not been told yet, and whether any has
  apple boolean not null,
  google boolean not null,
  web boolean not null,
  delivered boolean not null default false,
  created_at timestamptz not null,
  primary key (workspace_id, instance_id)
);
create index pushes_skipped on pushes (workspace_id, skipped_at) where skipped_at is not null;
create index pushes_waiting on pushes (created_at) where apple or google or web;

-- A device with cards of a pass type in Apple Wallet. It belongs to no workspace: cards of several lie on it, and it
-- asks for the changes of all with one request that names none.
create table apple_devices (
  device_id bigint generated always as identity primary key,
  device_library_identifier text not null,
  pass_type_identifier text not null,
  push_token text not null,
  -- when the push token was told last
  registered_at timestamptz not null,
  -- grows with each change of a card on it; a registration has that of its card's last change
  tag bigint not null,
  -- when to push next; null when the device has been told everything
  due_at timestamptz,
  -- waits for the end of that rollout
  rollout_id uuid,
  attempts smallint not null default 0,
  -- the theoretical arrival time of the pacing: devices punish those who push too often
  paced_until timestamptz not null,
  -- when Apple took a push last
  pushed_at timestamptz,
  unique (device_library_identifier, pass_type_identifier)
);
-- Without those that a rollout holds back: they may be all but a few.
create index apple_devices_due on apple_devices (pass_type_identifier, due_at)
  where due_at is not null and rollout_id is null;
create index apple_devices_held on apple_devices (rollout_id, device_id) where rollout_id is not null;

create table apple_registrations (
  workspace_id uuid not null,
  instance_id uuid not null,
  device_id bigint not null,
  tag bigint not null default 0,
  created_at timestamptz not null,
  primary key (workspace_id, instance_id, device_id),
  foreign key (workspace_id, instance_id) references instances
);
-- With all that a device asks for: its cards lie scattered over the table.
create index apple_registrations_of_device on apple_registrations (device_id)
  include (workspace_id, instance_id, tag);

-- What devices report and no card of ours is named in.
create table apple_logs (
  log_id uuid primary key,
  message text not null,
  created_at timestamptz not null
);

-- What Google Wallet knows of a pass.
create table google_classes (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- SHA-256 of what Google was told last
  content bytea,
  -- the rollout of the message that it was told last
  message_rollout_id uuid,
  -- its notifying updates of the last 24 hours
  notified_at timestamptz[] not null default '{}',
  primary key (workspace_id, pass_id),
  foreign key (workspace_id, pass_id) references passes on delete cascade
);

-- What Google Wallet knows of a card.
create table google_objects (
  workspace_id uuid not null,
  instance_id uuid not null,
  content bytea,
  -- whether a holder keeps it, as of the call-back that expires at event_at
  saved boolean not null default false,
  event_at timestamptz,
  notified_at timestamptz[] not null default '{}',
  tag bigint not null default 0,
  due_at timestamptz,
  attempts smallint not null default 0,
  primary key (workspace_id, instance_id),
  foreign key (workspace_id, instance_id) references instances
);
create index google_objects_due on google_objects (due_at) where due_at is not null;

-- Call-backs that were seen, until they expire.
create table google_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index google_nonces_by_end on google_nonces (expires_at);

-- When the next request to Google may be sent, over all processes.
create table google_pace (
  issuer_id text primary key,
  next_at timestamptz not null
);

-- A web card that is open or installed somewhere. It counts as a wallet until it expires.
create table web_cards (
  workspace_id uuid not null,
  instance_id uuid not null,
  viewer_id uuid not null,
  -- the address of the browser's push service, where the holder allowed it
  push_endpoint text,
  expires_at timestamptz not null,
  tag bigint not null default 0,
  due_at timestamptz,
  attempts smallint not null default 0,
  primary key (workspace_id, instance_id, viewer_id),
  foreign key (workspace_id, instance_id) references instances
);
create index web_cards_due_shown on web_cards (due_at) where due_at is not null and push_endpoint is null;
create index web_cards_due_pushed on web_cards (due_at) where due_at is not null and push_endpoint is not null;
create index web_cards_by_end on web_cards (expires_at);

-- A wallet that refuses what we are, not what we send: nothing is sent to it until retry_at.
create table wallet_stops (
  wallet text not null check (wallet in ('apple', 'google')),
  -- the pass type identifier, or the issuer id
  scope text not null,
  reason text not null,
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (wallet, scope)
);
