-- The keys that 0012 to 0014 have made take the place of the old ones, and the small tables get theirs. Nothing here reads a
-- large table: it waits for locks, and then it takes moments. They are taken in the order in which the program takes them,
-- so that nobody waits for this who is waited for.
lock table workspaces, api_keys, api_key_secrets, operation_claims, stores, passes, programs, partners, orders, order_refunds,
  instances, holders, loyalty_accounts, loyalty_entries, loyalty_lots, loyalty_lot_uses, rewards, program_states,
  program_totals, pass_counters, pool_barcodes, image_files, instance_events, apple_devices,
  apple_registrations, google_classes, google_objects, web_cards, rollouts, pushes, credit_accounts, store_webhooks,
  privacy_requests, sweeps, sweep_items, sweep_contacts, invites, suppressions in access exclusive mode;

-- With the keys go the foreign keys to them.
alter table operation_claims drop constraint operation_claims_pkey cascade, add constraint operation_claims_pkey primary key using index operation_claims_next;
alter table instances drop constraint instances_pkey cascade, add constraint instances_pkey primary key using index instances_next;
alter table holders drop constraint holders_pkey cascade, add constraint holders_pkey primary key using index holders_next;
alter table instance_events drop constraint instance_events_pkey cascade, add constraint instance_events_pkey primary key using index instance_events_next;
alter table apple_registrations drop constraint apple_registrations_pkey cascade, add constraint apple_registrations_pkey primary key using index apple_registrations_next;
alter table google_objects drop constraint google_objects_pkey cascade, add constraint google_objects_pkey primary key using index google_objects_next;
alter table web_cards drop constraint web_cards_pkey cascade, add constraint web_cards_pkey primary key using index web_cards_next;
alter table loyalty_accounts drop constraint loyalty_accounts_pkey cascade, add constraint loyalty_accounts_pkey primary key using index loyalty_accounts_next;
alter table loyalty_entries drop constraint loyalty_entries_pkey cascade, add constraint loyalty_entries_pkey primary key using index loyalty_entries_next;
alter table loyalty_lots drop constraint loyalty_lots_pkey cascade, add constraint loyalty_lots_pkey primary key using index loyalty_lots_next;
alter table loyalty_lot_uses drop constraint loyalty_lot_uses_pkey cascade, add constraint loyalty_lot_uses_pkey primary key using index loyalty_lot_uses_next;
alter table rewards drop constraint rewards_pkey cascade, add constraint rewards_pkey primary key using index rewards_next;
alter table orders drop constraint orders_pkey cascade, add constraint orders_pkey primary key using index orders_next;
alter table order_refunds drop constraint order_refunds_pkey cascade, add constraint order_refunds_pkey primary key using index order_refunds_next;
alter table pool_barcodes drop constraint pool_barcodes_pkey cascade, add constraint pool_barcodes_pkey primary key using index pool_barcodes_next;
alter table pushes drop constraint pushes_pkey cascade, add constraint pushes_pkey primary key using index pushes_next;
alter table store_webhooks drop constraint store_webhooks_pkey cascade, add constraint store_webhooks_pkey primary key using index store_webhooks_next;
alter table sweep_items drop constraint sweep_items_pkey cascade, add constraint sweep_items_pkey primary key using index sweep_items_next;
alter table sweep_contacts drop constraint sweep_contacts_pkey cascade, add constraint sweep_contacts_pkey primary key using index sweep_contacts_next;
alter table invites drop constraint invites_pkey cascade, add constraint invites_pkey primary key using index invites_next;
alter table suppressions drop constraint suppressions_pkey cascade, add constraint suppressions_pkey primary key using index suppressions_next;
alter table api_keys drop constraint api_keys_pkey cascade, add primary key (key_id, workspace_id);
alter table stores drop constraint stores_pkey cascade, add primary key (store_id, workspace_id);
alter table passes drop constraint passes_pkey cascade, add primary key (pass_id, workspace_id);
alter table programs drop constraint programs_pkey cascade, add primary key (program_id, workspace_id);
alter table program_states drop constraint program_states_pkey cascade, add primary key (program_id, workspace_id, state_id);
alter table program_totals drop constraint program_totals_pkey cascade, add primary key (program_id, workspace_id, shard);
alter table pass_counters drop constraint pass_counters_pkey cascade, add primary key (pass_id, workspace_id, shard);
alter table partners drop constraint partners_pkey cascade, add primary key (partner_id, workspace_id);
alter table google_classes drop constraint google_classes_pkey cascade, add primary key (pass_id, workspace_id);
alter table image_files drop constraint image_files_pkey cascade, add primary key (hash, workspace_id);
alter table rollouts drop constraint rollouts_pkey cascade, add primary key (rollout_id, workspace_id);
alter table privacy_requests drop constraint privacy_requests_pkey cascade, add primary key (request_id, workspace_id);
alter table sweeps drop constraint sweeps_pkey cascade, add primary key (sweep_id, workspace_id);

drop index loyalty_accounts_of_instance, loyalty_accounts_of_program, loyalty_entries_one_reversal, loyalty_entries_of_program, loyalty_entries_of_partner, rewards_pending, instances_by_barcode, instances_of_pass, instances_installed, instances_voided, instances_of_partner, holders_one_card, holders_by_email, apple_registrations_of_device, orders_that_issued, pool_barcodes_available, pool_barcodes_assigned, store_webhooks_one_delivery, store_webhooks_given_up, invites_one_per_address, invites_of_pass, invites_by_status, invites_of_sweep, invites_of_store, invites_of_instance;
alter index loyalty_accounts_of_instance_next rename to loyalty_accounts_of_instance;
alter index loyalty_accounts_of_program_next rename to loyalty_accounts_of_program;
alter index loyalty_entries_one_reversal_next rename to loyalty_entries_one_reversal;
alter index loyalty_entries_of_program_next rename to loyalty_entries_of_program;
alter index loyalty_entries_of_partner_next rename to loyalty_entries_of_partner;
alter index rewards_pending_next rename to rewards_pending;
alter index instances_by_barcode_next rename to instances_by_barcode;
alter index instances_of_pass_next rename to instances_of_pass;
alter index instances_installed_next rename to instances_installed;
alter index instances_voided_next rename to instances_voided;
alter index instances_of_partner_next rename to instances_of_partner;
alter index holders_one_card_next rename to holders_one_card;
alter index holders_by_email_next rename to holders_by_email;
alter index apple_registrations_of_device_next rename to apple_registrations_of_device;
alter index orders_that_issued_next rename to orders_that_issued;
alter index pool_barcodes_available_next rename to pool_barcodes_available;
alter index pool_barcodes_assigned_next rename to pool_barcodes_assigned;
alter index store_webhooks_one_delivery_next rename to store_webhooks_one_delivery;
alter index store_webhooks_given_up_next rename to store_webhooks_given_up;
alter index invites_one_per_address_next rename to invites_one_per_address;
alter index invites_of_pass_next rename to invites_of_pass;
alter index invites_by_status_next rename to invites_by_status;
alter index invites_of_sweep_next rename to invites_of_sweep;
alter index invites_of_store_next rename to invites_of_store;
alter index invites_of_instance_next rename to invites_of_instance;

-- A key finds them now.
drop index api_keys_by_id, stores_by_id, passes_by_id, programs_by_id, instances_by_id, image_files_by_hash;

-- What a workspace has made by hand is listed.
create index api_keys_of_workspace on api_keys (workspace_id, key_id);
create index stores_of_workspace on stores (workspace_id, store_id);
create index passes_of_workspace on passes (workspace_id, pass_id);
create index programs_of_workspace on programs (workspace_id, program_id);
create index partners_of_workspace on partners (workspace_id, partner_id);

drop index api_key_secrets_of_key, stores_one_domain, passes_by_shared_barcode, programs_of_pass, partners_by_external_id,
  rollouts_of_pass, rollouts_open_design, privacy_requests_of_store, privacy_requests_of_customer, sweeps_of_pass,
  sweeps_one_running;
create index api_key_secrets_of_key on api_key_secrets (key_id, workspace_id);
create unique index stores_one_domain on stores (domain, platform, workspace_id) where disconnected_at is null;
create index passes_by_shared_barcode on passes (barcode_value, workspace_id) where barcode_mode = 'simple';
create unique index programs_of_pass on programs (pass_id, workspace_id);
create index partners_by_external_id on partners (external_id, workspace_id, partner_id) where external_id is not null;
create index rollouts_of_pass on rollouts (pass_id, workspace_id, rollout_id);
create unique index rollouts_open_design on rollouts (pass_id, workspace_id)
  where kind = 'design' and stage <> 'finished';
create index privacy_requests_of_store on privacy_requests (store_id, workspace_id, request_id);
create index privacy_requests_of_customer on privacy_requests (store_id, workspace_id, (subject ->> 'customerId'))
  where topic = 'customer_redact';
create index sweeps_of_pass on sweeps (pass_id, workspace_id, sweep_id);
create unique index sweeps_one_running on sweeps (pass_id, workspace_id) where status = 'running';

-- New rows are held to them at once, old ones in 0016.
alter table api_key_secrets add foreign key (key_id, workspace_id) references api_keys not valid;
alter table privacy_requests add foreign key (store_id, workspace_id) references stores not valid;
alter table store_webhooks add foreign key (store_id, workspace_id) references stores not valid;
alter table sweeps add foreign key (store_id, workspace_id) references stores not valid;
alter table google_classes add foreign key (pass_id, workspace_id) references passes on delete cascade not valid;
alter table pass_counters add foreign key (pass_id, workspace_id) references passes on delete cascade not valid;
alter table pool_barcodes add foreign key (pass_id, workspace_id) references passes on delete cascade not valid;
alter table programs add foreign key (pass_id, workspace_id) references passes on delete cascade not valid;
alter table rollouts add foreign key (pass_id, workspace_id) references passes on delete cascade not valid;
alter table stores add foreign key (pass_id, workspace_id) references passes on delete set null (pass_id) not valid;
alter table instances add foreign key (pass_id, workspace_id) references passes not valid;
alter table program_states add foreign key (program_id, workspace_id) references programs on delete cascade not valid;
alter table program_totals add foreign key (program_id, workspace_id) references programs on delete cascade not valid;
alter table loyalty_accounts add foreign key (program_id, workspace_id) references programs not valid;
alter table loyalty_accounts add foreign key (instance_id, workspace_id) references instances not valid;
alter table holders add foreign key (instance_id, workspace_id) references instances not valid;
alter table apple_registrations add foreign key (instance_id, workspace_id) references instances not valid;
alter table google_objects add foreign key (instance_id, workspace_id) references instances not valid;
alter table web_cards add foreign key (instance_id, workspace_id) references instances not valid;
alter table order_refunds add foreign key (source, workspace_id, order_id) references orders not valid;

-- The statement that posts to the ledger holds it to the same itself: it moves an account from the entry that it has read
-- to the one that it adds, and only by the points of what it adds.
drop trigger loyalty_entries_chain on loyalty_entries;
drop trigger loyalty_accounts_inserted on loyalty_accounts;
drop trigger loyalty_accounts_updated on loyalty_accounts;
drop function check_entries();
drop function check_accounts();

-- When the card last began to show a change of its account, and which revision of its pass it had then; null: never.
-- Here, so that whoever moves points need not write the card, which is a wide row.
alter table loyalty_accounts
  add column shown_at timestamptz,
  add column shown_pass_revision bigint not null default 0;

-- Room for the next version of a row on its own page, where it is changed over and over.
alter table instances set (fillfactor = 85);
alter table loyalty_accounts set (fillfactor = 70);
alter table loyalty_lots set (fillfactor = 70);
alter table program_totals set (fillfactor = 50);
alter table pass_counters set (fillfactor = 50);
alter table credit_accounts set (fillfactor = 50);
alter table orders set (fillfactor = 85);
alter table pushes set (fillfactor = 70);
alter table apple_devices set (fillfactor = 70);
alter table apple_registrations set (fillfactor = 80);
alter table google_objects set (fillfactor = 80);
alter table web_cards set (fillfactor = 80);
