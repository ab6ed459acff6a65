-- The codes of a pool that cards carry, in the order of their upload. In a migration of its own: it takes a while on
-- many codes, and what else changes must not wait for locks behind it.
create index pool_barcodes_assigned on pool_barcodes (workspace_id, pass_id, seq) where instance_id is not null;
