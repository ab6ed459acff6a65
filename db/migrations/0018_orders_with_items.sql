-- Erasing a card finds its orders that name what was bought. The table can be read, but not written, while this reads
-- through it once.
create index orders_with_items on orders (instance_id, workspace_id) where items is not null and instance_id is not null;
