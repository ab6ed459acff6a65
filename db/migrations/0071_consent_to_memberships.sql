-- Nobody becomes a member of a workspace without having said so, and each workspace has an id of its own for a person.
-- Memberships keep their ids: person_id is the id that the workspace knows, and for those that are here already also that
-- of the account. A former version that serves beside this one adds members as before, and does not see the workspaces
-- that an account has joined meanwhile.

alter table memberships add column account_id uuid, add column pending boolean not null default false;
create index memberships_of_account on memberships ((coalesce(account_id, person_id)));
alter table sign_in_links add column asked boolean not null default false;

comment on column memberships.person_id is
  'the id of the person in this workspace; a workspace that was moved brings its own along';
comment on column memberships.account_id is
  'who it is, of people: the account that has joined the workspace; null: the one whose id is person_id';
comment on column memberships.pending is 'the person was invited, and has not joined the workspace yet';
comment on column sign_in_links.asked is
  'whoever has the address has asked for it: it joins no workspace of several; false: a workspace has sent it, to join it';
