-- People enrol by themselves: a pass says what its page asks for, what somebody agreed to is kept, an address is proven
-- by mail before anybody gets a card for it, and a day has a limit.

alter table passes add column join_form jsonb;
comment on column passes.join_form is
  '{ enabled, fields, headline, text, image, consents, proof, limitPerDay, domainAllow }: how people enrol by themselves; null: they do not';

create table consents (
  workspace_id uuid not null references workspaces,
  consent_id uuid not null,
  instance_id uuid not null,
  key text not null,
  text text not null,
  agreed boolean not null,
  created_at timestamptz not null,
  primary key (consent_id, workspace_id),
  foreign key (instance_id, workspace_id) references instances (instance_id, workspace_id)
);
create index consents_of_instance on consents (instance_id, workspace_id, consent_id);
comment on table consents is 'what the holder of a card was asked to agree to on joining, and what they answered';
comment on column consents.key is 'of the consent in the form of its pass';
comment on column consents.text is 'word for word as they read it';

create table join_proofs (
  workspace_id uuid not null references workspaces,
  proof_id uuid not null,
  pass_id uuid not null,
  link_secret bytea not null,
  email_hash bytea not null,
  person jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (proof_id, workspace_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
create index join_proofs_by_address on join_proofs (email_hash, workspace_id, pass_id);
create index join_proofs_by_end on join_proofs (expires_at);
comment on table join_proofs is 'an enrolment that waits for a button behind a link that was mailed; gone once it was pressed, or has expired';
comment on column join_proofs.link_secret is '128 random bits, of which its link is made';
comment on column join_proofs.email_hash is 'keyed hash of workspace and address, by which addresses are compared';
comment on column join_proofs.person is '{ name, email, phone, locale, fields, consents }: what was entered';

create table join_days (
  workspace_id uuid not null references workspaces,
  pass_id uuid not null,
  day date not null,
  joined integer not null,
  primary key (pass_id, day, workspace_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
create index join_days_by_day on join_days (day);
comment on table join_days is 'how many have joined on a day, of a pass that limits it';
comment on column join_days.day is 'in the time zone of its workspace';
