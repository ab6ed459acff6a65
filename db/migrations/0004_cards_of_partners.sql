-- The cards that were issued at a partner. In a migration of its own: it takes a while on many cards, and what else
-- changes must not wait for locks behind it.
create index instances_of_partner on instances (workspace_id, partner_id, instance_id) where partner_id is not null;
