-- A password, for who wants to sign in without waiting for a mail.
alter table people add column password text;
comment on column people.password is 'scrypt of it, with its salt and its cost; null: signs in by links';
