-- When and why a card was voided. Cards that were voided before, or by the previous version beside this migration, do not tell.

alter table instances
  add column voided_at timestamptz,
  add column void_reason text;

comment on column instances.voided_at is 'when it was voided; null: it is active, or was voided by a former version';
comment on column instances.void_reason is 'the caller''s own, of a voided card; null: none was given, or the card was erased';
