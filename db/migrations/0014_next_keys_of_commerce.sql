-- See 0012.
lock table operation_claims, orders, order_refunds, pool_barcodes, store_webhooks, sweep_items, sweep_contacts, invites,
  suppressions in share mode;

create unique index operation_claims_next on operation_claims (key, operation, workspace_id);

-- the source is the store, or nothing for all orders that come by the API: only this index finds them
create unique index orders_next on orders (source, workspace_id, order_id);
create index orders_that_issued_next on orders (instance_id, workspace_id) where issued;
create unique index order_refunds_next on order_refunds (source, workspace_id, order_id, refund_id);

create unique index pool_barcodes_next on pool_barcodes (pass_id, workspace_id, barcode);
create index pool_barcodes_available_next on pool_barcodes (pass_id, workspace_id, seq) where instance_id is null;
create index pool_barcodes_assigned_next on pool_barcodes (pass_id, workspace_id, seq) where instance_id is not null;

create unique index store_webhooks_next on store_webhooks (store_id, workspace_id, webhook_id);
create unique index store_webhooks_one_delivery_next on store_webhooks (delivery_id, store_id, workspace_id);
create index store_webhooks_given_up_next on store_webhooks (store_id, workspace_id) where due_at is null and body is not null;

create unique index sweep_items_next on sweep_items (sweep_id, workspace_id, customer_id);
create unique index sweep_contacts_next on sweep_contacts (sweep_id, workspace_id, email_hash);

create unique index invites_next on invites (invite_id, workspace_id);
create unique index invites_one_per_address_next on invites (email_hash, workspace_id, pass_id);
create index invites_of_pass_next on invites (pass_id, workspace_id, invite_id);
create index invites_by_status_next on invites (pass_id, workspace_id, status, invite_id);
create index invites_of_sweep_next on invites (sweep_id, workspace_id, status) where sweep_id is not null;
create index invites_of_store_next on invites (store_id, workspace_id, identifier)
  where store_id is not null and email is not null;
create index invites_of_instance_next on invites (instance_id, workspace_id) where instance_id is not null;

create unique index suppressions_next on suppressions (email_hash, workspace_id);
