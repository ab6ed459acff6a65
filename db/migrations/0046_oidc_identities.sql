-- Whom an OpenID Connect provider calls a person here.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  person_id uuid not null references people on delete cascade,
  created_at timestamptz not null,
  primary key (subject, issuer)
);
create unique index oidc_identities_of_person on oidc_identities (person_id, issuer);
comment on table oidc_identities is
  'Whom a provider means, since it first vouched for the address of a person: what becomes of the address there changes nothing.';
comment on column oidc_identities.issuer is 'the provider, as its tokens name it';
comment on column oidc_identities.subject is 'what it calls the person; never given to another one';
