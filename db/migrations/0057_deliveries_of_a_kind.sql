-- With the workspace in it, the list of deliveries of one kind is surely read by it: without, PostgreSQL took the key, and
-- passed over the deliveries of all other kinds.
drop index webhook_deliveries_of_type;
create index webhook_deliveries_of_type on webhook_deliveries (webhook_id, type, workspace_id, delivery_id);
