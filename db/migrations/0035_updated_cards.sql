-- Cards say when they were last changed, also where the change is one that they do not show.
alter table instances add column updated_at timestamptz;
comment on column instances.updated_at is 'when it was last changed in a way that it does not show; modified_at or loyalty_accounts.shown_at may be later';
