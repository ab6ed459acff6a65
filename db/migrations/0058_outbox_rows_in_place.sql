-- A row of the outbox stays for a moment: its lists are not compressed either, and lie in the row where there is room, since rows
-- of the TOAST table are written, indexed, deleted and vacuumed each by itself.
alter table event_outbox
  alter column event_ids set storage external,
  alter column types set storage external,
  alter column pass_ids set storage external,
  alter column instance_ids set storage external,
  alter column actors set storage external,
  alter column request_ids set storage external,
  alter column created_ats set storage external;
alter table event_outbox set (toast_tuple_target = 8160);
