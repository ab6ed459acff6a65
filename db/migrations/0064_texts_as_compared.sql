-- Texts are compared as the program folds them, whatever the locale of the database: its lower() is no case folding, and knows
-- only ASCII in a database of locale C. Rows of former versions are folded when the program starts, and those that a former
-- version writes beside it by a job.

alter table holders
  add column folded_identifier text,
  add column folded_name text,
  add column folded_email text,
  add column folded_phone text,
  add column folding integer;
alter table instances add column folded_barcode text;

create index holders_found_by_identifier on holders
  ((left(workspace_id::text, 13) || folded_identifier) collate "C", instance_id) where folded_identifier is not null;
create index holders_found_by_name on holders
  ((left(workspace_id::text, 13) || folded_name) collate "C", instance_id) where folded_name is not null;
create index holders_found_by_email on holders
  ((left(workspace_id::text, 13) || folded_email) collate "C", instance_id) where folded_email is not null;
create index holders_found_by_phone on holders
  ((left(workspace_id::text, 13) || folded_phone) collate "C", instance_id) where folded_phone is not null;
create index instances_found_by_barcode on instances
  ((left(workspace_id::text, 13) || folded_barcode) collate "C", instance_id) where folded_barcode is not null;

create index holders_to_fold on holders (instance_id, workspace_id) where folding is null;
create index holders_to_reread on holders (workspace_id, instance_id) where phone is null and phone_given is not null;
create index instances_to_fold on instances (instance_id, workspace_id) where barcode is not null and folded_barcode is null;

-- Only searches of the version before use them. holders_by_email and holders_by_number stay until the next version: its awards
-- go by them.
drop index holders_by_name;
drop index holders_by_address;
drop index holders_by_identifier;
drop index instances_by_code;

comment on column holders.folded_identifier is 'identifier in the form in which it is compared; the others likewise';
comment on column holders.folded_phone is 'phone, else the digits of phone_given';
comment on column holders.folding is 'the program has folded the texts, another number each time, by which a trigger knows what the version before has written; null: it has not yet';
comment on column instances.folded_barcode is 'barcode in the form in which it is compared; null: it has none, or was not folded yet';

-- The version before writes none of these columns. Until its rows are folded they are found as it has found them.
create function fold_for_version_before() returns trigger language plpgsql as $$
begin
  if new.folding is null or tg_op = 'UPDATE' and new.folding = old.folding
      and (new.identifier, new.name, new.email, new.phone) is distinct from (old.identifier, old.name, old.email, old.phone) then
    if tg_op = 'UPDATE' and new.phone is distinct from old.phone and new.phone_given is not distinct from old.phone_given then
      new.phone_given := null;
    end if;
    new.folding := null;
    new.folded_identifier := lower(new.identifier);
    new.folded_name := lower(normalize(new.name));
    new.folded_email := lower(new.email);
    new.folded_phone := regexp_replace(
      regexp_replace(coalesce(new.phone, new.phone_given), '\(0\)|[^0-9+]', '', 'g'), '^00', '+');
  end if;
  return new;
end $$;
create trigger holders_of_version_before before insert or update of identifier, name, email, phone, folding on holders
  for each row execute function fold_for_version_before();

-- ASCII is folded alike everywhere.
create function fold_code_for_version_before() returns trigger language plpgsql as $$
begin
  if new.folded_barcode is null or tg_op = 'UPDATE' and new.barcode is distinct from old.barcode
      and new.folded_barcode is not distinct from old.folded_barcode then
    new.folded_barcode := case when octet_length(new.barcode) = length(new.barcode) then lower(new.barcode collate "C") end;
  end if;
  return new;
end $$;
create trigger instances_of_version_before before insert or update of barcode on instances
  for each row execute function fold_code_for_version_before();
