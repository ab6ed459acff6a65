-- Workspaces, keys, credits, passes, instances. Every tenant table has workspace_id first in its primary key,
-- its unique indexes and its foreign keys, so that the schema can be distributed by it unchanged.

create function refuse_change() returns trigger language plpgsql as
$$ begin raise exception '% is append-only', tg_table_name; end $$;

-- A tenant of the installation.
create table workspaces (
  workspace_id uuid primary key,
  name text not null,
  plan text not null check (plan in ('entry', 'pro')),
  suspended_at timestamptz,
  timezone text not null default 'UTC',
  locale text not null default 'en',
  currency text not null default 'EUR',
  defaults jsonb not null default '{}',
  created_at timestamptz not null default now()
);

-- What a caller may do. The secrets that open it are in api_key_secrets.
create table api_keys (
  workspace_id uuid not null references workspaces,
  key_id uuid not null,
  name text not null,
  access text not null check (access in ('full', 'read')),
  pass_ids uuid[],
  rate_limit integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key_id)
);
create index api_keys_by_id on api_keys (key_id);

-- The directory from a secret's SHA-256 to its key: the one look-up that does not know its workspace yet.
-- Two rows while a rotation overlaps.
create table api_key_secrets (
  secret_hash bytea primary key,
  workspace_id uuid not null,
  key_id uuid not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, key_id) references api_keys
);
create index api_key_secrets_of_key on api_key_secrets (workspace_id, key_id);

-- One answer per (operation, key), for ever: a retry replays it byte for byte.
create table operation_claims (
  workspace_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  body text,
  request_id text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, operation, key)
);

-- Who changed what, in the transaction that changed it.
create table audit_log (
  workspace_id uuid not null,
  audit_id uuid not null,
  action text not null,
  actor text not null,
  target text not null,
  detail jsonb not null default '{}',
  request_id text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, audit_id)
);
create trigger audit_log_rows before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_all before truncate on audit_log for each statement execute function refuse_change();

-- The cached balance of credit_entries. Its row is the last that a transaction locks.
create table credit_accounts (
  workspace_id uuid primary key references workspaces,
  balance bigint not null default 0 check (balance between 0 and 9007199254740991),
  reserved bigint not null default 0 check (reserved >= 0),
  spent bigint not null default 0 check (spent >= 0),
  seq bigint not null default 0
);

create table credit_entries (
  workspace_id uuid not null references workspaces,
  seq bigint not null,
  kind text not null check (kind in ('grant')),
  amount bigint not null,
  balance bigint not null check (balance >= 0),
  external_ref text,
  note text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, seq)
);
create trigger credit_entries_rows before update or delete on credit_entries
  for each row execute function refuse_change();
create trigger credit_entries_all before truncate on credit_entries
  for each statement execute function refuse_change();

-- A design. modified_at (whole seconds) moves with every change that its cards show.
create table passes (
  workspace_id uuid not null references workspaces,
  pass_id uuid not null,
  title text not null,
  type text not null check (type in ('loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic')),
  status text not null check (status in ('draft', 'published', 'archived')),
  details text,
  terms text,
  expiry jsonb not null,
  fields jsonb not null,
  colors jsonb not null,
  barcode_mode text not null check (barcode_mode in ('simple', 'unique', 'pool', 'none')),
  barcode_format text not null check (barcode_format in ('qr', 'pdf417', 'aztec', 'code128')),
  barcode_value text check ((barcode_mode = 'simple') = (barcode_value is not null)),
  locations jsonb not null,
  metadata jsonb not null,
  revision bigint not null default 1,
  modified_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, pass_id)
);
create index passes_by_id on passes (pass_id);
create index passes_by_status on passes (workspace_id, status, pass_id);
create index passes_by_shared_barcode on passes (workspace_id, barcode_value) where barcode_mode = 'simple';

-- Counts of a pass, spread over shards so that concurrent issues do not queue for one row; the sum counts.
create table pass_counters (
  workspace_id uuid not null,
  pass_id uuid not null,
  shard smallint not null,
  issued bigint not null default 0,
  installed bigint not null default 0,
  voided bigint not null default 0,
  pooled bigint not null default 0,
  assigned bigint not null default 0,
  primary key (workspace_id, pass_id, shard),
  foreign key (workspace_id, pass_id) references passes on delete cascade
);

-- One holder's card.
create table instances (
  workspace_id uuid not null,
  instance_id uuid not null,
  pass_id uuid not null,
  status text not null check (status in ('active', 'voided')),
  -- null where the pass has no barcode, or one value shared by all its instances
  barcode text,
  addressable boolean not null,
  -- whether any wallet holds the card now
  installed boolean not null default false,
  fields jsonb not null,
  expires_at timestamptz,
  partner_id uuid,
  metadata jsonb not null,
  link_secret bytea not null,
  authentication_token text not null,
  revision bigint not null default 1,
  -- the revision that the pass had at modified_at: later ones move Last-Modified on
  pass_revision bigint not null,
  modified_at timestamptz not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (workspace_id, instance_id),
  foreign key (workspace_id, pass_id) references passes
);
create index instances_by_id on instances (instance_id);
create index instances_of_pass on instances (workspace_id, pass_id, instance_id);
create index instances_voided on instances (workspace_id, pass_id, instance_id) where status = 'voided';
create index instances_installed on instances (workspace_id, pass_id, instance_id) where installed;
create unique index instances_by_barcode on instances (workspace_id, barcode, pass_id) where barcode is not null;

-- The person behind a card: all personal data, so that erasing it leaves everything else sound.
create table holders (
  workspace_id uuid not null,
  instance_id uuid not null,
  pass_id uuid not null,
  identifier text,
  name text,
  email text,
  phone text,
  locale text,
  -- true while the card is active, null once it is voided: nulls differ, so an identifier may have many former cards
  current boolean default true check (current),
  primary key (workspace_id, instance_id),
  foreign key (workspace_id, instance_id) references instances
);
create unique index holders_one_card on holders (workspace_id, identifier, pass_id, current)
  where identifier is not null;

-- What happened to a card, oldest first by event_id.
create table instance_events (
  workspace_id uuid not null,
  instance_id uuid not null,
  event_id uuid not null,
  kind text not null,
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (workspace_id, instance_id, event_id)
);

-- Codes uploaded for a pass of barcode mode 'pool'; issued in the order of seq.
create table pool_barcodes (
  workspace_id uuid not null,
  pass_id uuid not null,
  barcode text not null,
  seq bigint generated always as identity,
  instance_id uuid,
  assigned_at timestamptz,
  primary key (workspace_id, pass_id, barcode),
  foreign key (workspace_id, pass_id) references passes on delete cascade
);
create index pool_barcodes_available on pool_barcodes (workspace_id, pass_id, seq) where instance_id is null;
