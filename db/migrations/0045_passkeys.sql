-- Passkeys: what people sign in with in the place of a link or a password.
create table passkeys (
  passkey_id uuid primary key,
  person_id uuid not null references people on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  sign_count bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_of_person on passkeys (person_id, passkey_id);
comment on table passkeys is 'What a person has shown once and signs in with: a key pair of which this is the public half.';
comment on column passkeys.credential_id is 'by which a browser names it';
comment on column passkeys.public_key is 'COSE_Key (RFC 9052)';
comment on column passkeys.sign_count is 'how often it has signed, as it says; one that says less than before was copied';
comment on column passkeys.name is 'what its person calls it';

create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_over on used_challenges (expires_at);
comment on table used_challenges is
  'A sealed challenge that was answered, until it would be too old anyway: none is answered twice.';
comment on column used_challenges.challenge_hash is 'SHA-256 of it';
