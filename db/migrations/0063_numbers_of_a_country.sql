-- Telephone numbers are read with the country of the workspace, once, when they come in. What a store or a former version has
-- brought and is no number is kept as it was given.

alter table workspaces add column country text, add column reread_after uuid;
alter table workspaces add constraint workspaces_country_check check (country ~ '^[A-Z]{2}$');
create index workspaces_to_reread on workspaces (reread_after) where reread_after is not null;

comment on column workspaces.country is
  'how telephone numbers without a country are read, ISO 3166-1; null: by its time zone or locale, where these name one';
comment on column workspaces.reread_after is
  'numbers that could not be read are read again of cards with later ids, for another country; null: none are';

alter table holders add column phone_given text;
comment on column holders.phone is 'in the form of E.164';
comment on column holders.phone_given is
  'the telephone number as a store or a former version has given it, where it is no number or was written otherwise; null: as phone has it';
