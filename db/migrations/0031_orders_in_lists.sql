-- Orders are listed: of a workspace, a pass, a store, both, or a card, the newest first, and each by how far they are. Orders
-- can be read, but not written, while these are made, about a second each for a million of them.
create index orders_of_workspace on orders (
  workspace_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, source, order_id
);
create index orders_of_pass on orders (
  pass_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, source, order_id, workspace_id
) where pass_id is not null;
create index orders_of_store on orders (
  source, workspace_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, order_id
) where source <> '00000000-0000-0000-0000-000000000000';
create index orders_of_store_and_pass on orders (
  source, pass_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, order_id, workspace_id
) where source <> '00000000-0000-0000-0000-000000000000' and pass_id is not null;
create index orders_of_card on orders (
  instance_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, source, order_id, workspace_id
) where instance_id is not null;

-- The orders of a card are few, and found by the new index.
drop index orders_that_issued;
drop index orders_with_items;
