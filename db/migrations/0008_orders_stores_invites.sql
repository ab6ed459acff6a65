-- Orders, the stores that they are placed in, and invitations to the customers of a store.

-- What has expired of a lot, without what was given back because its earn was undone: it is not taken twice.
alter table loyalty_lots add column expired bigint not null default 0 check (expired >= 0);
update loyalty_lots l
set expired = e.amount
from (
  select u.workspace_id, u.account_id, u.expires_at, sum(u.amount) as amount
  from loyalty_lot_uses u
  join loyalty_entries n on n.workspace_id = u.workspace_id and n.account_id = u.account_id and n.seq = u.seq
  where n.kind = 'expire'
  group by u.workspace_id, u.account_id, u.expires_at
) e
where l.workspace_id = e.workspace_id and l.account_id = e.account_id and l.expires_at = e.expires_at;

create table stores (
  workspace_id uuid not null references workspaces,
  store_id uuid not null,
  platform text not null,
  -- a host, with its port where that is not 443
  domain text not null,
  -- the pass whose cards its orders earn on; null: they earn nothing
  pass_id uuid,
  -- sealed JSON; null where the platform has none, and once the store is disconnected
  credentials text,
  -- sealed JSON: [{ secret, until }], the newest first; kept for three months when the store is disconnected, since
  -- privacy requests follow
  webhook_secrets text,
  -- what counts as consent to being mailed, where the platform does not say
  consent jsonb,
  -- whether an order that was edited after it was paid earns by its newest total
  follows_edits boolean not null,
  -- orders that were placed before are none of ours
  connected_at timestamptz not null,
  disconnected_at timestamptz,
  -- reconciliation: every order that was changed before this moment was read; when the next turn is due
  watermark timestamptz not null,
  reconcile_at timestamptz,
  reconciled_at timestamptz,
  -- failed turns in a row, and what the last one has met
  failures integer not null default 0,
  problem text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, store_id),
  foreign key (workspace_id, pass_id) references passes on delete set null (pass_id)
);
create index stores_by_id on stores (store_id);
create unique index stores_one_domain on stores (workspace_id, platform, domain) where disconnected_at is null;
create index stores_due on stores (reconcile_at) where reconcile_at is not null;

-- What a store has sent. It is answered before anything is done with it.
create table store_webhooks (
  workspace_id uuid not null,
  store_id uuid not null,
  webhook_id uuid not null,
  -- the platform's name of the delivery; the hash of the body where it gives none
  delivery_id text not null,
  topic text not null,
  -- as it came; null once it was worked off, since it holds personal data
  body bytea,
  received_at timestamptz not null,
  -- null: worked off, or given up
  due_at timestamptz,
  attempts integer not null default 0,
  -- the code of the refusal that it waits for
  refused text,
  primary key (workspace_id, store_id, webhook_id),
  foreign key (workspace_id, store_id) references stores
);
create unique index store_webhooks_one_delivery on store_webhooks (workspace_id, store_id, delivery_id);
-- by store, since a turn takes some of each
create index store_webhooks_due on store_webhooks (workspace_id, store_id, due_at) where due_at is not null;
create index store_webhooks_given_up on store_webhooks (workspace_id, store_id) where due_at is null and body is not null;
create index store_webhooks_by_age on store_webhooks (received_at);

-- What a platform demands for the sake of a customer's privacy, and what was done.
create table privacy_requests (
  workspace_id uuid not null,
  request_id uuid not null,
  store_id uuid not null,
  topic text not null,
  -- what the request names: numbers of customer and orders in the store, no personal data
  subject jsonb not null,
  -- how far a request that takes several turns has come
  cursor text,
  -- cards that it has found
  instance_ids uuid[] not null default '{}',
  received_at timestamptz not null,
  due_at timestamptz,
  done_at timestamptz,
  primary key (workspace_id, request_id),
  foreign key (workspace_id, store_id) references stores
);
create index privacy_requests_of_store on privacy_requests (workspace_id, store_id, request_id);
create index privacy_requests_of_customer on privacy_requests (workspace_id, store_id, (subject ->> 'customerId'))
  where topic = 'customer_redact';
create index privacy_requests_due on privacy_requests (due_at) where due_at is not null;

-- An order, as far as it is known: news about it may come in any order and any number of times.
create table orders (
  workspace_id uuid not null references workspaces,
  -- the store; all zeroes where a caller of the API keeps the orders itself
  source uuid not null,
  order_id text not null,
  -- null while nothing but a refund or a cancellation is known
  pass_id uuid,
  currency text,
  -- the earliest state in which it was paid: when that was, in ms, and its total in minor units
  paid_version bigint,
  paid_total bigint,
  -- the newest state; greater than any that a store tells where the caller of the API has cancelled it
  latest_version bigint,
  latest_total bigint,
  cancelled boolean not null default false,
  placed_at timestamptz,
  partner_id uuid,
  items jsonb,
  -- the card that it earns on, whether it was issued for it, the account, and the earn rule of that moment
  instance_id uuid,
  issued boolean not null default false,
  account_id uuid,
  rule jsonb,
  -- when its points expire: the lot that they went into
  points_expire_at timestamptz,
  limited_by text,
  -- what it has earned after all that is known; what of it the ledger has, which is more where a refund was not covered
  points bigint not null default 0,
  credited bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, source, order_id)
);

create table order_refunds (
  workspace_id uuid not null,
  source uuid not null,
  order_id text not null,
  refund_id text not null,
  -- in minor units
  amount bigint not null check (amount >= 0),
  currency text not null,
  created_at timestamptz not null,
  primary key (workspace_id, source, order_id, refund_id),
  foreign key (workspace_id, source, order_id) references orders
);

-- An invitation of a store's existing customers. It outlives its pass, so that its customers are forgotten in time.
create table sweeps (
  workspace_id uuid not null,
  sweep_id uuid not null,
  pass_id uuid not null,
  store_id uuid not null,
  status text not null check (status in ('running', 'completed', 'failed', 'cancelled')),
  dry_run boolean not null,
  -- the most customers that are invited; null: all
  most integer,
  -- where the store's list of customers was left, as its platform names the place
  cursor text,
  -- who works on it, until when, and how often that has changed: a former owner writes nothing any more
  lease_owner uuid,
  lease_until timestamptz,
  fence bigint not null default 0,
  -- { found, invited, … }: customers by outcome
  counts jsonb not null,
  -- failed pages in a row, the last of them that nobody could read, and why the last one, or the sweep, has failed
  failures integer not null default 0,
  unreadable integer not null default 0,
  problem text,
  actor text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- when what became of each customer was forgotten
  trimmed_at timestamptz,
  primary key (workspace_id, sweep_id),
  foreign key (workspace_id, store_id) references stores
);
create unique index sweeps_one_running on sweeps (workspace_id, pass_id) where status = 'running';
create index sweeps_of_pass on sweeps (workspace_id, pass_id, sweep_id);
create index sweeps_due on sweeps (lease_until) where status = 'running';
create index sweeps_by_age on sweeps (finished_at) where finished_at is not null and trimmed_at is null;

-- What became of a customer in a sweep. Whoever writes here holds the sweep, which is never removed: to look for it with
-- each row would take twice as long as the row itself.
create table sweep_items (
  workspace_id uuid not null,
  sweep_id uuid not null,
  -- the customer's number in the store
  customer_id text not null,
  outcome text not null,
  invite_id uuid,
  decided_at timestamptz not null,
  primary key (workspace_id, sweep_id, customer_id)
);

-- An address that a dry run would have invited, so that it counts each once; until the dry run has ended.
create table sweep_contacts (
  workspace_id uuid not null,
  sweep_id uuid not null,
  email_hash bytea not null,
  primary key (workspace_id, sweep_id, email_hash)
);

-- An invitation to take a card of a pass. It outlives the pass, since the links of a mail that was sent must end the
-- mails for ever.
create table invites (
  workspace_id uuid not null references workspaces,
  invite_id uuid not null,
  pass_id uuid not null,
  sweep_id uuid,
  store_id uuid,
  -- who is invited; null once the person is forgotten
  email text,
  name text,
  locale text,
  -- the holder's identifier that the card gets
  identifier text,
  -- keyed hash of the address, by which addresses are compared
  email_hash bytea not null,
  link_secret bytea not null,
  status text not null check (status in
    ('queued', 'sending', 'sent', 'unknown', 'failed', 'suppressed', 'already_holder', 'cancelled')),
  -- when it is to be sent, or looked at again; null: never
  due_at timestamptz,
  -- mails that the mail server has refused for now
  attempts integer not null default 0,
  -- why it was not sent, or not yet
  problem text,
  -- idempotency claims whose answers name the person
  claims jsonb not null default '[]',
  -- the card that was made of it
  instance_id uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  accepted_at timestamptz,
  primary key (workspace_id, invite_id)
);
create unique index invites_one_per_address on invites (workspace_id, email_hash, pass_id);
create index invites_of_pass on invites (workspace_id, pass_id, invite_id);
create index invites_by_status on invites (workspace_id, pass_id, status, invite_id);
-- A sweep, and the single invitations of a pass, are queues of their own: a long one keeps nobody waiting.
create index invites_due on invites (workspace_id, coalesce(sweep_id, pass_id), due_at) where due_at is not null;
create index invites_in_flight on invites (due_at) where status = 'sending';
create index invites_of_sweep on invites (workspace_id, sweep_id, status) where sweep_id is not null;
create index invites_of_store on invites (workspace_id, store_id, identifier)
  where store_id is not null and email is not null;
create index invites_of_instance on invites (workspace_id, instance_id) where instance_id is not null;

-- Who is never mailed again.
create table suppressions (
  workspace_id uuid not null references workspaces,
  email_hash bytea not null,
  reason text not null check (reason in ('unsubscribed', 'bounced', 'redacted')),
  created_at timestamptz not null,
  primary key (workspace_id, email_hash)
);
