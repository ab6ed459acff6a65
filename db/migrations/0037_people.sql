-- People: who signs in, what they may do in which workspace, and how they get in.
create table people (
  person_id uuid primary key,
  home_id uuid,
  email text,
  created_at timestamptz not null
);
create unique index people_proved on people (email) where home_id is null;
create unique index people_at_home on people (email, home_id) where home_id is not null;
comment on table people is 'Somebody who signs in.';
comment on column people.home_id is
  'the workspace that has made it, and the only one that it may belong to; null: a mail to its address was answered, so that it may belong to several';
comment on column people.email is 'in lower case; null: signs in by links that a command prints';

create table memberships (
  person_id uuid not null,
  workspace_id uuid not null references workspaces,
  email text,
  name text not null,
  role text not null check (role in ('owner', 'manager', 'staff', 'viewer')),
  partner_id uuid,
  created_at timestamptz not null,
  primary key (person_id, workspace_id)
);
create index memberships_of_workspace on memberships (workspace_id, person_id);
comment on table memberships is 'What a person may do in a workspace, and what they are called there.';
comment on column memberships.person_id is 'of people; a workspace that was moved brings its own along';
comment on column memberships.partner_id is 'the only partner that awards and redeems of a member of the staff are for; null: any';

create table sign_in_links (
  secret_hash bytea primary key,
  person_id uuid not null references people on delete cascade,
  proves text,
  expires_at timestamptz not null
);
create index sign_in_links_of_person on sign_in_links (person_id);
comment on table sign_in_links is 'A link that signs a person in, once: it is deleted as it is used.';
comment on column sign_in_links.proves is 'the address that it was mailed to, which whoever uses it has; null: it was shown';

create table sessions (
  session_id uuid primary key,
  secret_hash bytea not null,
  person_id uuid not null references people on delete cascade,
  user_agent text,
  signed_in_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index sessions_by_secret on sessions (secret_hash);
create index sessions_of_person on sessions (person_id, session_id);
comment on table sessions is 'A browser in which a person is signed in; deleted as it is ended.';
comment on column sessions.secret_hash is 'SHA-256 of what the cookie holds';
comment on column sessions.user_agent is 'what the browser calls itself';
