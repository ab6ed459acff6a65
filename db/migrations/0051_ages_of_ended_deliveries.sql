-- The index by which old deliveries are found has those alone that have ended: each is written to it once, and not each time
-- that it is taken or tried again.
create index webhook_deliveries_ended on webhook_deliveries (created_at) where due_at is null;
drop index webhook_deliveries_by_age;
