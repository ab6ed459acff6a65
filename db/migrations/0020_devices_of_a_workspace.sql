-- A device gets a row, a push and a tag in each workspace that it has cards of, so that a change, a push and what becomes of
-- it concern one workspace. Devices and registrations are written anew and take the place of the old ones. Locks are taken
-- in the order in which the program takes them; that of the cards goes with the foreign key to them.
lock table instances, apple_devices, apple_registrations in access exclusive mode;

-- In which workspaces a device has cards: it asks for the changes of all with one request that names none. A workspace
-- keeps its place as long as the device has any card, and nobody else gets it; null: the device has none of it any more.
-- A row belongs to no workspace, and is joined with nothing.
create table apple_device_workspaces (
  device_library_identifier text not null,
  pass_type_identifier text not null,
  workspace_ids uuid[] not null,
  constraint apple_device_workspaces_pkey primary key (device_library_identifier, pass_type_identifier)
);
insert into apple_device_workspaces (device_library_identifier, pass_type_identifier, workspace_ids)
select d.device_library_identifier, d.pass_type_identifier, r.workspace_ids
from apple_devices d
join (
  select device_id, array_agg(distinct workspace_id) as workspace_ids from apple_registrations group by device_id
) as r using (device_id);

create table apple_devices_next (
  workspace_id uuid not null,
  device_id uuid not null,
  device_library_identifier text not null,
  pass_type_identifier text not null,
  push_token text not null,
  -- when the push token was told last
  registered_at timestamptz not null,
  -- grows with each change of a card of the workspace; a registration has that of its card's last change
  tag bigint not null,
  -- when to push next; null when the device has been told everything
  due_at timestamptz,
  -- waits for the end of that rollout
  rollout_id uuid,
  attempts smallint not null default 0,
  -- no push before: devices punish those who push too often
  push_from timestamptz not null,
  -- when Apple took a push last
  pushed_at timestamptz,
  former_id bigint
) with (fillfactor = 70);
-- Whatever waits for a rollout of another workspace need not wait for it any more.
insert into apple_devices_next (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token,
  registered_at, tag, due_at, rollout_id, attempts, push_from, pushed_at, former_id)
select r.workspace_id, gen_random_uuid(), d.device_library_identifier, d.pass_type_identifier, d.push_token,
  d.registered_at, d.tag, d.due_at, o.rollout_id, d.attempts, d.paced_until - interval '4 minutes', d.pushed_at,
  d.device_id
from apple_devices d
join (select distinct device_id, workspace_id from apple_registrations) as r using (device_id)
left join rollouts o on o.rollout_id = d.rollout_id and o.workspace_id = r.workspace_id;

create table apple_registrations_next (
  workspace_id uuid not null,
  instance_id uuid not null,
  device_id uuid not null,
  tag bigint not null default 0,
  created_at timestamptz not null
) with (fillfactor = 80);
insert into apple_registrations_next (workspace_id, instance_id, device_id, tag, created_at)
select r.workspace_id, r.instance_id, d.device_id, r.tag, r.created_at
from apple_registrations r
join apple_devices_next d on d.former_id = r.device_id and d.workspace_id = r.workspace_id;

drop table apple_registrations;
drop table apple_devices;
alter table apple_devices_next drop column former_id;
alter table apple_devices_next rename to apple_devices;
alter table apple_registrations_next rename to apple_registrations;

alter table apple_devices add constraint apple_devices_pkey primary key (device_id, workspace_id);
alter table apple_devices add constraint apple_devices_by_name
  unique (device_library_identifier, workspace_id, pass_type_identifier);
-- Without those that a rollout holds back: they may be all but a few.
create index apple_devices_due on apple_devices (pass_type_identifier, due_at)
  where due_at is not null and rollout_id is null;
create index apple_devices_held on apple_devices (rollout_id, workspace_id, device_id) where rollout_id is not null;
alter table apple_registrations add constraint apple_registrations_pkey
  primary key (instance_id, workspace_id, device_id);
alter table apple_registrations add constraint apple_registrations_instance_id_workspace_id_fkey
  foreign key (instance_id, workspace_id) references instances;
-- Without the tag, which each push changes: a row whose indexed columns stay is updated in place.
create index apple_registrations_of_device on apple_registrations (device_id);
