-- What statistics count of the events of a transaction is told beside them, by whoever writes them and has it at hand: to take it
-- out of their JSON again cost more than all the rest of counting. Rows of former versions, which may still write beside this
-- migration, are counted from their JSON.

alter table event_outbox add column counts text;
alter table event_log add column counts text;

-- It stays where it is, as it is.
alter table event_outbox alter column counts set storage external;
alter table event_log alter column counts set storage external;

comment on column event_outbox.counts is 'what statistics count of all of them, as JSON; null: of former versions, which did not tell';
comment on column event_log.counts is
  'what statistics count of all events of the transaction, as JSON, at its first one; empty at its others; null: of former versions, which did not tell';
