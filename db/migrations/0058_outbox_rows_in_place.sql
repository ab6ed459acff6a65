-- A row of the outbox stays for a moment: it lies in its place as long as it has room there, and its lists as they are. To compress
-- them costs more than to write them, and rows of the TOAST table are written, indexed, deleted and vacuumed each by itself.
alter table event_outbox set (toast_tuple_target = 8160);
