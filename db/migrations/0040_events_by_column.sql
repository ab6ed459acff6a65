-- The events of a transaction lie in the outbox as they will in the log, property by property: to take them apart from JSON
-- cost more than all of their indexes. Rows of the previous version, which may still write beside this migration, have them
-- in `events`.

alter table event_outbox
  alter column events drop not null,
  add column event_ids uuid[],
  add column types text[],
  add column pass_ids uuid[],
  add column instance_ids uuid[],
  add column actors text[],
  add column request_ids text[],
  add column created_ats timestamptz[],
  add column data text,
  add column previous text;

-- They stay for a moment: to compress them costs more than to write them.
alter table event_outbox alter column data set storage external, alter column previous set storage external;

comment on column event_outbox.events is 'null: the version that wrote it has them in the columns below';
comment on column event_outbox.event_ids is 'in the order of the events, as all of these lists';
comment on column event_outbox.data is 'a line of JSON for each event';
comment on column event_outbox.previous is 'a line of JSON for each event';
