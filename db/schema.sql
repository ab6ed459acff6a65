CREATE OR REPLACE FUNCTION public.forget_detail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.detail = old.detail - 'reason'
    and to_jsonb(new) - 'detail' = to_jsonb(old) - 'detail' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_reason()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.reason is not null and new.reason is null
    and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    new.reason_seal := case when old.reason_seal is null then ''::bytea
      else sha256(old.reason_seal || convert_to(old.reason, 'UTF8')) end;
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception '% is append-only', tg_table_name; end $function$;

create table api_key_secrets (
  secret_hash bytea not null,
  workspace_id uuid not null,
  key_id uuid not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (secret_hash),
  FOREIGN KEY (key_id, workspace_id) REFERENCES api_keys(key_id, workspace_id)
);
CREATE INDEX api_key_secrets_of_key ON public.api_key_secrets USING btree (key_id, workspace_id);

create table api_keys (
  workspace_id uuid not null,
  key_id uuid not null,
  name text not null,
  access text not null,
  pass_ids uuid[],
  rate_limit integer,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (key_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((access = ANY (ARRAY['full'::text, 'read'::text])))
);
CREATE INDEX api_keys_of_workspace ON public.api_keys USING btree (workspace_id, key_id);

create table apple_devices (
  device_id bigint not null generated always as identity,
  device_library_identifier text not null,
  pass_type_identifier text not null,
  push_token text not null,
  registered_at timestamp with time zone not null,
  tag bigint not null,
  due_at timestamp with time zone,
  rollout_id uuid,
  attempts smallint not null default 0,
  paced_until timestamp with time zone not null,
  pushed_at timestamp with time zone,
  PRIMARY KEY (device_id),
  UNIQUE (device_library_identifier, pass_type_identifier)
);
CREATE INDEX apple_devices_due ON public.apple_devices USING btree (pass_type_identifier, due_at) WHERE ((due_at IS NOT NULL) AND (rollout_id IS NULL));
CREATE INDEX apple_devices_held ON public.apple_devices USING btree (rollout_id, device_id) WHERE (rollout_id IS NOT NULL);

create table apple_logs (
  log_id uuid not null,
  message text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (log_id)
);

create table apple_registrations (
  workspace_id uuid not null,
  instance_id uuid not null,
  device_id bigint not null,
  tag bigint not null default 0,
  created_at timestamp with time zone not null,
  PRIMARY KEY (instance_id, workspace_id, device_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX apple_registrations_of_device ON public.apple_registrations USING btree (device_id);

create table audit_log (
  workspace_id uuid not null,
  audit_id uuid not null,
  action text not null,
  actor text not null,
  target text not null,
  detail jsonb not null default '{}'::jsonb,
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (workspace_id, audit_id)
);
CREATE TRIGGER audit_log_all BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_rows BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION forget_detail();

create table credit_accounts (
  workspace_id uuid not null,
  balance bigint not null default 0,
  reserved bigint not null default 0,
  spent bigint not null default 0,
  seq bigint not null default 0,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK (((balance >= 0) AND (balance <= '9007199254740991'::bigint))),
  CHECK ((reserved >= 0)),
  CHECK ((spent >= 0))
);

create table credit_entries (
  workspace_id uuid not null,
  seq bigint not null,
  kind text not null,
  amount bigint not null,
  balance bigint not null,
  external_ref text,
  note text,
  created_at timestamp with time zone not null default now(),
  reserved bigint not null default 0,
  PRIMARY KEY (workspace_id, seq),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((balance >= 0)),
  CHECK ((kind = ANY (ARRAY['grant'::text, 'reserve'::text, 'settle'::text, 'release'::text])))
);
CREATE TRIGGER credit_entries_all BEFORE TRUNCATE ON public.credit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_entries_rows BEFORE DELETE OR UPDATE ON public.credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table credit_flushes (
  workspace_id uuid not null,
  requested_at timestamp with time zone not null,
  walked_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX credit_flushes_by_turn ON public.credit_flushes USING btree (walked_at);

create table erasure_walks (
  workspace_id uuid not null,
  pass_id uuid not null,
  erased_before timestamp with time zone not null,
  cursor uuid,
  due_at timestamp with time zone not null,
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX erasure_walks_due ON public.erasure_walks USING btree (due_at);

create table events (
  workspace_id uuid not null,
  event_id uuid not null,
  kind text not null,
  pass_id uuid,
  data jsonb not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id, event_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

create table google_classes (
  workspace_id uuid not null,
  pass_id uuid not null,
  content bytea,
  message_rollout_id uuid,
  notified_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

create table google_nonces (
  nonce text not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (nonce)
);
CREATE INDEX google_nonces_by_end ON public.google_nonces USING btree (expires_at);

create table google_objects (
  workspace_id uuid not null,
  instance_id uuid not null,
  content bytea,
  saved boolean not null default false,
  event_at timestamp with time zone,
  notified_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  tag bigint not null default 0,
  due_at timestamp with time zone,
  attempts smallint not null default 0,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX google_objects_due ON public.google_objects USING btree (due_at) WHERE (due_at IS NOT NULL);

create table google_pace (
  issuer_id text not null,
  next_at timestamp with time zone not null,
  PRIMARY KEY (issuer_id)
);

create table holders (
  workspace_id uuid not null,
  instance_id uuid not null,
  pass_id uuid not null,
  identifier text,
  name text,
  email text,
  phone text,
  locale text,
  current boolean default true,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id),
  CHECK (current)
);
CREATE INDEX holders_by_email ON public.holders USING btree (lower(email), workspace_id, pass_id) WHERE ((email IS NOT NULL) AND current);
CREATE UNIQUE INDEX holders_one_card ON public.holders USING btree (identifier, workspace_id, pass_id, current) WHERE (identifier IS NOT NULL);

create table image_files (
  workspace_id uuid not null,
  hash text not null,
  bytes bytea not null,
  width integer not null,
  height integer not null,
  kept_at timestamp with time zone not null,
  PRIMARY KEY (hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX image_files_by_age ON public.image_files USING btree (kept_at);

create table instance_events (
  workspace_id uuid not null,
  instance_id uuid not null,
  event_id uuid not null,
  kind text not null,
  detail jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  PRIMARY KEY (instance_id, workspace_id, event_id)
);

create table instances (
  workspace_id uuid not null,
  instance_id uuid not null,
  pass_id uuid not null,
  status text not null,
  barcode text,
  addressable boolean not null,
  installed boolean not null default false,
  fields jsonb not null,
  expires_at timestamp with time zone,
  partner_id uuid,
  metadata jsonb not null,
  link_secret bytea not null,
  authentication_token text not null,
  revision bigint not null default 1,
  pass_revision bigint not null,
  modified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  erased_at timestamp with time zone,
  apple_wallets integer not null default 0,
  google_wallets integer not null default 0,
  web_wallets integer not null default 0,
  served_modified_at timestamp with time zone,
  served_change_at timestamp with time zone,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id),
  CHECK ((apple_wallets >= 0)),
  CHECK ((google_wallets >= 0)),
  CHECK ((status = ANY (ARRAY['active'::text, 'voided'::text]))),
  CHECK ((web_wallets >= 0))
);
CREATE UNIQUE INDEX instances_by_barcode ON public.instances USING btree (barcode, workspace_id, pass_id) WHERE (barcode IS NOT NULL);
CREATE INDEX instances_installed ON public.instances USING btree (pass_id, workspace_id, instance_id) WHERE installed;
CREATE INDEX instances_of_partner ON public.instances USING btree (partner_id, workspace_id, instance_id) WHERE (partner_id IS NOT NULL);
CREATE INDEX instances_of_pass ON public.instances USING btree (pass_id, workspace_id, instance_id);
CREATE INDEX instances_voided ON public.instances USING btree (pass_id, workspace_id, instance_id) WHERE (status = 'voided'::text);

create table invites (
  workspace_id uuid not null,
  invite_id uuid not null,
  pass_id uuid not null,
  sweep_id uuid,
  store_id uuid,
  email text,
  name text,
  locale text,
  identifier text,
  email_hash bytea not null,
  link_secret bytea not null,
  status text not null,
  due_at timestamp with time zone,
  attempts integer not null default 0,
  problem text,
  claims jsonb not null default '[]'::jsonb,
  instance_id uuid,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  accepted_at timestamp with time zone,
  PRIMARY KEY (invite_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'unknown'::text, 'failed'::text, 'suppressed'::text, 'already_holder'::text, 'cancelled'::text])))
);
CREATE INDEX invites_by_due ON public.invites USING btree (due_at) WHERE (status = 'queued'::text);
CREATE INDEX invites_by_status ON public.invites USING btree (pass_id, workspace_id, status, invite_id);
CREATE INDEX invites_due ON public.invites USING btree (workspace_id, COALESCE(sweep_id, pass_id), due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX invites_in_flight ON public.invites USING btree (due_at) WHERE (status = 'sending'::text);
CREATE INDEX invites_of_instance ON public.invites USING btree (instance_id, workspace_id) WHERE (instance_id IS NOT NULL);
CREATE INDEX invites_of_pass ON public.invites USING btree (pass_id, workspace_id, invite_id);
CREATE INDEX invites_of_store ON public.invites USING btree (store_id, workspace_id, identifier) WHERE ((store_id IS NOT NULL) AND (email IS NOT NULL));
CREATE INDEX invites_of_sweep ON public.invites USING btree (sweep_id, workspace_id, status) WHERE (sweep_id IS NOT NULL);
CREATE UNIQUE INDEX invites_one_per_address ON public.invites USING btree (email_hash, workspace_id, pass_id);

create table ledger_audits (
  workspace_id uuid not null,
  audit_id uuid not null,
  accounts bigint not null,
  entries bigint not null,
  findings jsonb not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id, audit_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

create table ledger_recounts (
  workspace_id uuid not null,
  stage text not null,
  cursor uuid,
  accounts bigint not null default 0,
  entries bigint not null default 0,
  findings jsonb not null default '[]'::jsonb,
  started_at timestamp with time zone not null,
  turn_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((stage = ANY (ARRAY['accounts'::text, 'programs'::text])))
);
CREATE INDEX ledger_recounts_by_turn ON public.ledger_recounts USING btree (turn_at);

create table ledger_seal_accounts (
  workspace_id uuid not null,
  seal bigint not null,
  account_id uuid not null,
  seq bigint not null,
  hash bytea not null,
  PRIMARY KEY (workspace_id, account_id, seal),
  FOREIGN KEY (workspace_id, seal) REFERENCES ledger_seals(workspace_id, seal)
);
CREATE INDEX ledger_seal_accounts_of_seal ON public.ledger_seal_accounts USING btree (workspace_id, seal, account_id);
CREATE TRIGGER ledger_seal_accounts_all BEFORE TRUNCATE ON public.ledger_seal_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seal_accounts_rows BEFORE DELETE OR UPDATE ON public.ledger_seal_accounts FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table ledger_seal_turns (
  workspace_id uuid not null,
  turn_at timestamp with time zone not null,
  seen_until timestamp with time zone not null,
  cursor uuid,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX ledger_seal_turns_by_turn ON public.ledger_seal_turns USING btree (turn_at);

create table ledger_seals (
  workspace_id uuid not null,
  seal bigint not null,
  entries bigint not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id, seal),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE TRIGGER ledger_seals_all BEFORE TRUNCATE ON public.ledger_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seals_rows BEFORE DELETE OR UPDATE ON public.ledger_seals FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table loyalty_accounts (
  workspace_id uuid not null,
  account_id uuid not null,
  program_id uuid not null,
  instance_id uuid not null,
  seq bigint not null default 0,
  balance bigint not null default 0,
  lifetime_points bigint not null default 0,
  pending_rewards integer not null default 0,
  next_expiry_at timestamp with time zone,
  last_earned_at timestamp with time zone,
  day_ends_at timestamp with time zone,
  earned_that_day bigint not null default 0,
  created_at timestamp with time zone not null,
  shown_at timestamp with time zone,
  shown_pass_revision bigint not null default 0,
  PRIMARY KEY (account_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id),
  CHECK (((balance >= '-9007199254740991'::bigint) AND (balance <= '9007199254740991'::bigint))),
  CHECK (((lifetime_points >= '-9007199254740991'::bigint) AND (lifetime_points <= '9007199254740991'::bigint))),
  CHECK ((pending_rewards >= 0))
);
CREATE INDEX loyalty_accounts_expiring ON public.loyalty_accounts USING btree (next_expiry_at, program_id) WHERE (next_expiry_at IS NOT NULL);
CREATE UNIQUE INDEX loyalty_accounts_of_instance ON public.loyalty_accounts USING btree (instance_id, workspace_id);
CREATE INDEX loyalty_accounts_of_program ON public.loyalty_accounts USING btree (program_id, workspace_id, account_id);

create table loyalty_entries (
  workspace_id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  program_id uuid not null,
  instance_id uuid not null,
  kind text not null,
  points bigint not null,
  balance bigint not null,
  expires_at timestamp with time zone,
  external_ref text,
  reason text,
  limited_by text,
  partner_id uuid,
  order_id text,
  reversal_of bigint,
  actor text not null,
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  reason_seal bytea,
  PRIMARY KEY (account_id, workspace_id, seq),
  CHECK ((kind = ANY (ARRAY['earn'::text, 'redeem'::text, 'unlock'::text, 'cancel'::text, 'expire'::text, 'adjust'::text, 'import'::text, 'reversal'::text])))
);
CREATE INDEX loyalty_entries_by_id ON public.loyalty_entries USING btree (entry_id);
CREATE INDEX loyalty_entries_of_partner ON public.loyalty_entries USING btree (partner_id, workspace_id, entry_id) WHERE (partner_id IS NOT NULL);
CREATE INDEX loyalty_entries_of_program ON public.loyalty_entries USING btree (program_id, workspace_id, entry_id);
CREATE UNIQUE INDEX loyalty_entries_one_reversal ON public.loyalty_entries USING btree (account_id, workspace_id, reversal_of) WHERE (reversal_of IS NOT NULL);
CREATE TRIGGER loyalty_entries_all BEFORE TRUNCATE ON public.loyalty_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER loyalty_entries_rows BEFORE DELETE OR UPDATE ON public.loyalty_entries FOR EACH ROW EXECUTE FUNCTION forget_reason();

create table loyalty_lot_uses (
  workspace_id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  expires_at timestamp with time zone not null,
  amount bigint not null,
  PRIMARY KEY (account_id, workspace_id, seq, expires_at),
  CHECK ((amount <> 0))
);
CREATE TRIGGER loyalty_lot_uses_all BEFORE TRUNCATE ON public.loyalty_lot_uses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER loyalty_lot_uses_rows BEFORE DELETE OR UPDATE ON public.loyalty_lot_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();

create table loyalty_lots (
  workspace_id uuid not null,
  account_id uuid not null,
  expires_at timestamp with time zone not null,
  original bigint not null,
  remaining bigint not null,
  expired bigint not null default 0,
  PRIMARY KEY (account_id, workspace_id, expires_at),
  CHECK (((remaining >= 0) AND (remaining <= original))),
  CHECK ((expired >= 0)),
  CHECK ((original > 0))
);

create table operation_claims (
  workspace_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  body text,
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (key, operation, workspace_id)
);

create table order_refunds (
  workspace_id uuid not null,
  source uuid not null,
  order_id text not null,
  refund_id text not null,
  amount bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (source, workspace_id, order_id, refund_id),
  FOREIGN KEY (source, workspace_id, order_id) REFERENCES orders(source, workspace_id, order_id),
  CHECK ((amount >= 0))
);

create table orders (
  workspace_id uuid not null,
  source uuid not null,
  order_id text not null,
  pass_id uuid,
  currency text,
  paid_version bigint,
  paid_total bigint,
  latest_version bigint,
  latest_total bigint,
  cancelled boolean not null default false,
  placed_at timestamp with time zone,
  partner_id uuid,
  items jsonb,
  instance_id uuid,
  issued boolean not null default false,
  account_id uuid,
  rule jsonb,
  points_expire_at timestamp with time zone,
  limited_by text,
  points bigint not null default 0,
  credited bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (source, workspace_id, order_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX orders_that_issued ON public.orders USING btree (instance_id, workspace_id) WHERE issued;
CREATE INDEX orders_with_items ON public.orders USING btree (instance_id, workspace_id) WHERE ((items IS NOT NULL) AND (instance_id IS NOT NULL));

create table partners (
  workspace_id uuid not null,
  partner_id uuid not null,
  name text not null,
  external_id text,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  PRIMARY KEY (partner_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX partners_by_external_id ON public.partners USING btree (external_id, workspace_id, partner_id) WHERE (external_id IS NOT NULL);
CREATE INDEX partners_of_workspace ON public.partners USING btree (workspace_id, partner_id);

create table pass_counters (
  workspace_id uuid not null,
  pass_id uuid not null,
  shard smallint not null,
  issued bigint not null default 0,
  installed bigint not null default 0,
  voided bigint not null default 0,
  pooled bigint not null default 0,
  assigned bigint not null default 0,
  PRIMARY KEY (pass_id, workspace_id, shard),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

create table passes (
  workspace_id uuid not null,
  pass_id uuid not null,
  title text not null,
  type text not null,
  status text not null,
  details text,
  terms text,
  expiry jsonb not null,
  fields jsonb not null,
  colors jsonb not null,
  barcode_mode text not null,
  barcode_format text not null,
  barcode_value text,
  locations jsonb not null,
  metadata jsonb not null,
  revision bigint not null default 1,
  modified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  message text,
  program_id uuid,
  images jsonb not null default '{}'::jsonb,
  pool_low_at integer not null default 100,
  pool_low_seq bigint,
  pool_low_since timestamp with time zone,
  pool_from_seq bigint not null default 0,
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK (((barcode_mode = 'simple'::text) = (barcode_value IS NOT NULL))),
  CHECK (((pool_low_at >= 0) AND (pool_low_at <= 1000000))),
  CHECK ((barcode_format = ANY (ARRAY['qr'::text, 'pdf417'::text, 'aztec'::text, 'code128'::text]))),
  CHECK ((barcode_mode = ANY (ARRAY['simple'::text, 'unique'::text, 'pool'::text, 'none'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))),
  CHECK ((type = ANY (ARRAY['loyalty'::text, 'coupon'::text, 'eventTicket'::text, 'giftCard'::text, 'generic'::text])))
);
CREATE INDEX passes_by_shared_barcode ON public.passes USING btree (barcode_value, workspace_id) WHERE (barcode_mode = 'simple'::text);
CREATE INDEX passes_by_status ON public.passes USING btree (workspace_id, status, pass_id);
CREATE INDEX passes_of_workspace ON public.passes USING btree (workspace_id, pass_id);

create table pool_barcodes (
  workspace_id uuid not null,
  pass_id uuid not null,
  barcode text not null,
  seq bigint not null generated always as identity,
  instance_id uuid,
  assigned_at timestamp with time zone,
  PRIMARY KEY (pass_id, workspace_id, barcode),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX pool_barcodes_assigned ON public.pool_barcodes USING btree (pass_id, workspace_id, seq) WHERE (instance_id IS NOT NULL);
CREATE INDEX pool_barcodes_available ON public.pool_barcodes USING btree (pass_id, workspace_id, seq) WHERE (instance_id IS NULL);

create table privacy_requests (
  workspace_id uuid not null,
  request_id uuid not null,
  store_id uuid not null,
  topic text not null,
  subject jsonb not null,
  cursor text,
  instance_ids uuid[] not null default '{}'::uuid[],
  received_at timestamp with time zone not null,
  due_at timestamp with time zone,
  done_at timestamp with time zone,
  PRIMARY KEY (request_id, workspace_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id)
);
CREATE INDEX privacy_requests_due ON public.privacy_requests USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX privacy_requests_of_customer ON public.privacy_requests USING btree (store_id, workspace_id, ((subject ->> 'customerId'::text))) WHERE (topic = 'customer_redact'::text);
CREATE INDEX privacy_requests_of_store ON public.privacy_requests USING btree (store_id, workspace_id, request_id);

create table program_states (
  workspace_id uuid not null,
  program_id uuid not null,
  state_id uuid not null,
  status text not null,
  actor text not null,
  changed_at timestamp with time zone not null,
  PRIMARY KEY (program_id, workspace_id, state_id),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id) ON DELETE CASCADE
);

create table program_totals (
  workspace_id uuid not null,
  program_id uuid not null,
  shard smallint not null,
  issued bigint not null default 0,
  redeemed bigint not null default 0,
  expired bigint not null default 0,
  reversed bigint not null default 0,
  adjusted bigint not null default 0,
  outstanding bigint not null default 0,
  PRIMARY KEY (program_id, workspace_id, shard),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id) ON DELETE CASCADE
);

create table programs (
  workspace_id uuid not null,
  program_id uuid not null,
  pass_id uuid not null,
  mode text not null,
  status text not null,
  reward_title text not null,
  reward_cost bigint,
  threshold bigint,
  earn jsonb not null,
  expiry_months integer,
  per_day bigint,
  min_seconds_between integer,
  refund_policy text not null,
  point_name jsonb not null,
  draws_stamps boolean not null,
  launched_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (program_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  CHECK ((((mode = 'POINTS'::text) = (reward_cost IS NOT NULL)) AND ((mode = 'STAMPS'::text) = (threshold IS NOT NULL)))),
  CHECK (((reward_cost >= 1) AND (reward_cost <= '9007199254740991'::bigint))),
  CHECK (((threshold >= 1) AND (threshold <= '9007199254740991'::bigint))),
  CHECK ((expiry_months > 0)),
  CHECK ((min_seconds_between > 0)),
  CHECK ((mode = ANY (ARRAY['POINTS'::text, 'STAMPS'::text]))),
  CHECK ((per_day > 0)),
  CHECK ((refund_policy = ANY (ARRAY['debt'::text, 'within_balance'::text]))),
  CHECK ((status = ANY (ARRAY['not_launched'::text, 'active'::text, 'paused'::text])))
);
CREATE UNIQUE INDEX programs_of_pass ON public.programs USING btree (pass_id, workspace_id);
CREATE INDEX programs_of_workspace ON public.programs USING btree (workspace_id, program_id);

create table pushes (
  workspace_id uuid not null,
  instance_id uuid not null,
  credits integer not null,
  skipped_at timestamp with time zone,
  repaid boolean not null default false,
  rolled_out boolean not null,
  apple boolean not null,
  google boolean not null,
  web boolean not null,
  delivered boolean not null default false,
  created_at timestamp with time zone not null,
  PRIMARY KEY (instance_id, workspace_id),
  CHECK ((credits >= 0))
);
CREATE INDEX pushes_skipped ON public.pushes USING btree (workspace_id, skipped_at) WHERE (skipped_at IS NOT NULL);
CREATE INDEX pushes_waiting ON public.pushes USING btree (created_at) WHERE (apple OR google OR web);

create table rewards (
  workspace_id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  title text not null,
  threshold bigint not null,
  status text not null,
  closed_seq bigint,
  PRIMARY KEY (account_id, workspace_id, seq),
  CHECK (((status = 'pending'::text) = (closed_seq IS NULL))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'redeemed'::text, 'cancelled'::text])))
);
CREATE INDEX rewards_pending ON public.rewards USING btree (account_id, workspace_id, seq) WHERE (status = 'pending'::text);

create table rollouts (
  workspace_id uuid not null,
  rollout_id uuid not null,
  pass_id uuid not null,
  kind text not null,
  cards bigint not null,
  done bigint not null default 0,
  skipped bigint not null default 0,
  credits bigint not null default 0,
  stage text not null,
  cursor uuid,
  release_at timestamp with time zone not null,
  walked_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  PRIMARY KEY (rollout_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  CHECK ((credits >= 0)),
  CHECK ((kind = ANY (ARRAY['design'::text, 'message'::text]))),
  CHECK ((stage = ANY (ARRAY['cards'::text, 'devices'::text, 'finished'::text])))
);
CREATE INDEX rollouts_of_pass ON public.rollouts USING btree (pass_id, workspace_id, rollout_id);
CREATE INDEX rollouts_open ON public.rollouts USING btree (walked_at) WHERE (stage <> 'finished'::text);
CREATE UNIQUE INDEX rollouts_open_design ON public.rollouts USING btree (pass_id, workspace_id) WHERE ((kind = 'design'::text) AND (stage <> 'finished'::text));

create table store_webhooks (
  workspace_id uuid not null,
  store_id uuid not null,
  webhook_id uuid not null,
  delivery_id text not null,
  topic text not null,
  body bytea,
  received_at timestamp with time zone not null,
  due_at timestamp with time zone,
  attempts integer not null default 0,
  refused text,
  PRIMARY KEY (store_id, workspace_id, webhook_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id)
);
CREATE INDEX store_webhooks_by_age ON public.store_webhooks USING btree (received_at);
CREATE INDEX store_webhooks_by_due ON public.store_webhooks USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX store_webhooks_due ON public.store_webhooks USING btree (workspace_id, store_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX store_webhooks_given_up ON public.store_webhooks USING btree (store_id, workspace_id) WHERE ((due_at IS NULL) AND (body IS NOT NULL));
CREATE UNIQUE INDEX store_webhooks_one_delivery ON public.store_webhooks USING btree (delivery_id, store_id, workspace_id);

create table stores (
  workspace_id uuid not null,
  store_id uuid not null,
  platform text not null,
  domain text not null,
  pass_id uuid,
  credentials text,
  webhook_secrets text,
  consent jsonb,
  follows_edits boolean not null,
  connected_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  watermark timestamp with time zone not null,
  reconcile_at timestamp with time zone,
  reconciled_at timestamp with time zone,
  failures integer not null default 0,
  problem text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (store_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE SET NULL (pass_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX stores_due ON public.stores USING btree (reconcile_at) WHERE (reconcile_at IS NOT NULL);
CREATE INDEX stores_of_workspace ON public.stores USING btree (workspace_id, store_id);
CREATE UNIQUE INDEX stores_one_domain ON public.stores USING btree (domain, platform, workspace_id) WHERE (disconnected_at IS NULL);

create table suppressions (
  workspace_id uuid not null,
  email_hash bytea not null,
  reason text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (email_hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'bounced'::text, 'redacted'::text])))
);

create table sweep_contacts (
  workspace_id uuid not null,
  sweep_id uuid not null,
  email_hash bytea not null,
  PRIMARY KEY (sweep_id, workspace_id, email_hash)
);

create table sweep_items (
  workspace_id uuid not null,
  sweep_id uuid not null,
  customer_id text not null,
  outcome text not null,
  invite_id uuid,
  decided_at timestamp with time zone not null,
  PRIMARY KEY (sweep_id, workspace_id, customer_id)
);

create table sweeps (
  workspace_id uuid not null,
  sweep_id uuid not null,
  pass_id uuid not null,
  store_id uuid not null,
  status text not null,
  dry_run boolean not null,
  most integer,
  cursor text,
  lease_owner uuid,
  lease_until timestamp with time zone,
  fence bigint not null default 0,
  counts jsonb not null,
  failures integer not null default 0,
  unreadable integer not null default 0,
  problem text,
  actor text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  trimmed_at timestamp with time zone,
  PRIMARY KEY (sweep_id, workspace_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id),
  CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX sweeps_by_age ON public.sweeps USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (trimmed_at IS NULL));
CREATE INDEX sweeps_due ON public.sweeps USING btree (lease_until) WHERE (status = 'running'::text);
CREATE INDEX sweeps_of_pass ON public.sweeps USING btree (pass_id, workspace_id, sweep_id);
CREATE UNIQUE INDEX sweeps_one_running ON public.sweeps USING btree (pass_id, workspace_id) WHERE (status = 'running'::text);

create table wallet_stops (
  wallet text not null,
  scope text not null,
  reason text not null,
  since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  PRIMARY KEY (wallet, scope),
  CHECK ((wallet = ANY (ARRAY['apple'::text, 'google'::text])))
);

create table web_cards (
  workspace_id uuid not null,
  instance_id uuid not null,
  viewer_id uuid not null,
  push_endpoint text,
  expires_at timestamp with time zone not null,
  tag bigint not null default 0,
  due_at timestamp with time zone,
  attempts smallint not null default 0,
  PRIMARY KEY (instance_id, workspace_id, viewer_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX web_cards_by_end ON public.web_cards USING btree (expires_at);
CREATE INDEX web_cards_due_pushed ON public.web_cards USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (push_endpoint IS NOT NULL));
CREATE INDEX web_cards_due_shown ON public.web_cards USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (push_endpoint IS NULL));

create table workspaces (
  workspace_id uuid not null,
  name text not null,
  plan text not null,
  suspended_at timestamp with time zone,
  timezone text not null default 'UTC'::text,
  locale text not null default 'en'::text,
  currency text not null default 'EUR'::text,
  defaults jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (workspace_id),
  CHECK ((plan = ANY (ARRAY['entry'::text, 'pro'::text])))
);
