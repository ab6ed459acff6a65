-- Cards are found by what begins a name, an address, a number or a code, and say more of themselves. Both change the same
-- tables, so these are locked at once, in the order in which the program takes them: some seconds for each million cards.
lock table instances, holders in access exclusive mode;
lock table instance_events in share mode;

-- In bytes, whatever the order of the database: what begins alike stands together. Each text comes after the time in the id of
-- its workspace, so that these are searched alone; in one expression, since of indexes that begin with the workspace a planner
-- without statistics takes any.
create index holders_by_name on holders
  ((left(workspace_id::text, 13) || lower(normalize(name))) collate "C", instance_id) where name is not null;
create index holders_by_address on holders
  ((left(workspace_id::text, 13) || lower(email)) collate "C", instance_id) where email is not null;
create index holders_by_number on holders (
  (left(workspace_id::text, 13) || regexp_replace(regexp_replace(phone, '\(0\)|[^0-9+]', '', 'g'), '^00', '+')) collate "C",
  instance_id
) where phone is not null;
create index holders_by_identifier on holders
  ((left(workspace_id::text, 13) || lower(identifier)) collate "C", instance_id) where identifier is not null;
create index instances_by_code on instances
  ((left(workspace_id::text, 13) || lower(barcode)) collate "C", instance_id) where barcode is not null;

alter table instances
  add column external_ref text,
  add column installed_at timestamptz;
comment on column instances.external_ref is 'the caller''s own reference of its issue; null: none was given';
comment on column instances.installed_at is 'when a wallet took it for the first time; null: none has, or that was before this was kept';

-- What became of the last push of a card, in the words of former versions too.
create index instance_events_of_pushes on instance_events (instance_id, workspace_id, event_id)
  where kind in ('push.delivered', 'push.skipped', 'push.failed', 'pushed', 'push skipped', 'push failed');
