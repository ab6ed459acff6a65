-- See 0012.
lock table instances, holders, instance_events, apple_registrations, google_objects, web_cards, pushes in share mode;

create unique index instances_next on instances (instance_id, workspace_id);
-- a code is looked for in one pass, or in all of a workspace
create unique index instances_by_barcode_next on instances (barcode, workspace_id, pass_id) where barcode is not null;
create index instances_of_pass_next on instances (pass_id, workspace_id, instance_id);
create index instances_installed_next on instances (pass_id, workspace_id, instance_id) where installed;
create index instances_voided_next on instances (pass_id, workspace_id, instance_id) where status = 'voided';
create index instances_of_partner_next on instances (partner_id, workspace_id, instance_id) where partner_id is not null;

create unique index holders_next on holders (instance_id, workspace_id);
-- likewise an identifier, and an address
create unique index holders_one_card_next on holders (identifier, workspace_id, pass_id, current)
  where identifier is not null;
create index holders_by_email_next on holders (lower(email), workspace_id, pass_id)
  where email is not null and current;

create unique index instance_events_next on instance_events (instance_id, workspace_id, event_id);

create unique index apple_registrations_next on apple_registrations (instance_id, workspace_id, device_id);
-- without the tag, which each push changes: a row whose indexed columns stay is updated in place
create index apple_registrations_of_device_next on apple_registrations (device_id);

create unique index google_objects_next on google_objects (instance_id, workspace_id);
create unique index web_cards_next on web_cards (instance_id, workspace_id, viewer_id);
create unique index pushes_next on pushes (instance_id, workspace_id);
