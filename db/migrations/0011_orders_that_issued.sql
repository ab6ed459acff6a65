-- The orders that a guest's card was issued for: what a store demands for somebody's privacy looks for them by the card.
-- In a migration of its own: orders cannot be written while it is made, about a second for each million of them.
create index orders_that_issued on orders (workspace_id, instance_id) where issued;
