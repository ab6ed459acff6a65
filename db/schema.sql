CREATE OR REPLACE FUNCTION public.fold_code_for_version_before()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.folded_barcode is null or tg_op = 'UPDATE' and new.barcode is distinct from old.barcode
      and new.folded_barcode is not distinct from old.folded_barcode then
    new.folded_barcode := case when octet_length(new.barcode) = length(new.barcode) then lower(new.barcode collate "C") end;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_for_version_before()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.folding is null or tg_op = 'UPDATE' and new.folding = old.folding
      and (new.identifier, new.name, new.email, new.phone) is distinct from (old.identifier, old.name, old.email, old.phone) then
    if tg_op = 'UPDATE' and new.phone is distinct from old.phone and new.phone_given is not distinct from old.phone_given then
      new.phone_given := null;
    end if;
    new.folding := null;
    new.folded_identifier := lower(new.identifier);
    new.folded_name := lower(normalize(new.name));
    new.folded_email := lower(new.email);
    new.folded_phone := regexp_replace(
      regexp_replace(coalesce(new.phone, new.phone_given), '\(0\)|[^0-9+]', '', 'g'), '^00', '+');
  end if;
  return new;
end $function$;

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
  if tg_op = 'UPDATE'
    and to_jsonb(new) - array['reason', 'external_ref', 'reason_seal', 'ref_seal']
      = to_jsonb(old) - array['reason', 'external_ref', 'reason_seal', 'ref_seal']
    and (new.reason is null or new.reason = old.reason)
    and (new.external_ref is null or new.external_ref = old.external_ref)
    and (old.reason is not null and new.reason is null or old.external_ref is not null and new.external_ref is null) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.number_for_version_before()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  events bigint := cardinality(new.event_ids);
  last bigint;
begin
  insert into event_counters as c (workspace_id, last_seq, trim_at, follow_at)
  values (new.workspace_id, events, new.due_at + interval '720 hours', now())
  on conflict (workspace_id) do update
  set last_seq = c.last_seq + events, trim_at = coalesce(c.trim_at, excluded.trim_at),
    follow_at = least(c.follow_at, excluded.follow_at)
  returning last_seq into last;
  insert into event_log (
    workspace_id, seq, event_id, type, pass_id, instance_id, actor, request_id, data, previous, created_at, counts
  )
  select new.workspace_id, last - events + place, event_id, type, pass_id, instance_id, actor, request_id, data::json,
    previous::json, created_at, case when place = 1 then new.counts when new.counts is not null then '' end
  from rows from (
    unnest(new.event_ids), unnest(new.types), unnest(new.pass_ids), unnest(new.instance_ids), unnest(new.actors),
    unnest(new.request_ids), unnest(new.created_ats), string_to_table(new.data, E'\n'), string_to_table(new.previous, E'\n')
  ) with ordinality as e(event_id, type, pass_id, instance_id, actor, request_id, created_at, data, previous, place);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception '% is append-only', tg_table_name; end $function$;

-- The directory from a secret to its key: the one look-up that does not know its workspace yet. Two rows of a key while
-- a rotation overlaps.
create table api_key_secrets (
  -- SHA-256 of the secret, which itself is not kept
  secret_hash bytea not null,
  workspace_id uuid not null,
  key_id uuid not null,
  -- when a rotation ends it; null: it lasts as long as its key
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (secret_hash),
  FOREIGN KEY (key_id, workspace_id) REFERENCES api_keys(key_id, workspace_id)
);
CREATE INDEX api_key_secrets_of_key ON public.api_key_secrets USING btree (key_id, workspace_id);

-- What a caller may do. The secrets that open it are in api_key_secrets.
create table api_keys (
  workspace_id uuid not null,
  key_id uuid not null,
  name text not null,
  access text not null,
  -- the only passes that it reaches; null: all
  pass_ids uuid[],
  -- requests per second; null: the default of the installation
  rate_limit integer,
  -- null: never
  expires_at timestamp with time zone,
  -- null: it was not revoked
  revoked_at timestamp with time zone,
  -- written once a minute at most; null: it was never used
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (key_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((access = ANY (ARRAY['full'::text, 'read'::text])))
);
CREATE INDEX api_keys_of_workspace ON public.api_keys USING btree (workspace_id, key_id);

-- In which workspaces a device has cards: it asks for the changes of all with one request that names none. A row
-- belongs to no workspace, and is joined with nothing.
create table apple_device_workspaces (
  device_library_identifier text not null,
  pass_type_identifier text not null,
  -- a workspace keeps its place as long as the device has any card, and nobody else gets it; null: the device has none
  -- of it any more
  workspace_ids uuid[] not null,
  PRIMARY KEY (device_library_identifier, pass_type_identifier)
);

-- What a device with cards in Apple Wallet is to a workspace that it has cards of: its push token, and the push that it
-- is to get. The row goes with the last card of the workspace.
create table apple_devices (
  workspace_id uuid not null,
  device_id uuid not null,
  -- the device's own name of itself; a secret, since whoever knows it may ask for its changes
  device_library_identifier text not null,
  -- Apple's Pass Type ID: a device registers for each apart
  pass_type_identifier text not null,
  push_token text not null,
  -- when the push token was told last
  registered_at timestamp with time zone not null,
  -- grows with each change of a card of the workspace, and is the time in ms since 1970 at least; a registration has
  -- that of its card's last change
  tag bigint not null,
  -- when to push next; while a worker pushes, the end of its lease; null: the device has been told everything
  due_at timestamp with time zone,
  -- the push waits for the end of that rollout; null: for none
  rollout_id uuid,
  -- attempts to push that have failed in a row
  attempts smallint not null default 0,
  -- no push before: devices punish those who push too often
  push_from timestamp with time zone not null,
  -- when Apple took a push to the present token last; null: never
  pushed_at timestamp with time zone,
  -- whether the pass type is the workspace's own, and its certificate pushes; that of the installation else
  is_own boolean not null default false,
  PRIMARY KEY (device_id, workspace_id),
  UNIQUE (device_library_identifier, workspace_id, pass_type_identifier)
);
CREATE INDEX apple_devices_due ON public.apple_devices USING btree (pass_type_identifier, due_at) WHERE ((due_at IS NOT NULL) AND (rollout_id IS NULL));
CREATE INDEX apple_devices_due_own ON public.apple_devices USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (rollout_id IS NULL) AND is_own);
CREATE INDEX apple_devices_held ON public.apple_devices USING btree (rollout_id, workspace_id, device_id) WHERE (rollout_id IS NOT NULL);
CREATE INDEX apple_devices_own ON public.apple_devices USING btree (pass_type_identifier, workspace_id) WHERE is_own;

-- A certificate of a workspace's own, for one pass type: it signs the passes and pushes their changes.
create table apple_identities (
  workspace_id uuid not null,
  pass_type_identifier text not null,
  team_identifier text not null,
  -- PEM
  certificate text not null,
  -- PEM of the certificate that issued it
  intermediate text not null,
  -- PEM, sealed
  private_key text not null,
  expires_at timestamp with time zone not null,
  -- how many days before its end the workspace was told of that last; null: not yet
  told_days smallint,
  -- since when another signs new passes; it stays for those in wallets as long as a device holds one; null: it signs
  -- them
  retired_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (pass_type_identifier, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX apple_identities_by_end ON public.apple_identities USING btree (expires_at) WHERE (retired_at IS NULL);
CREATE INDEX apple_identities_of_workspace ON public.apple_identities USING btree (workspace_id, pass_type_identifier);
CREATE INDEX apple_identities_retired ON public.apple_identities USING btree (retired_at) WHERE (retired_at IS NOT NULL);

-- What devices report and no card of ours is named in.
create table apple_logs (
  log_id uuid not null,
  message text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (log_id)
);

-- A card that a device wants to hear of.
create table apple_registrations (
  workspace_id uuid not null,
  instance_id uuid not null,
  device_id uuid not null,
  -- the apple_devices.tag of the card's last change; 0: none since it was registered
  tag bigint not null default 0,
  created_at timestamp with time zone not null,
  PRIMARY KEY (instance_id, workspace_id, device_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX apple_registrations_of_device ON public.apple_registrations USING btree (device_id);

-- The key of a signing request: the certificate that Apple issues for it comes without one. A workspace has its newest
-- few.
create table apple_signing_keys (
  workspace_id uuid not null,
  -- SHA-256 of the public key, as certificates encode it
  key_hash bytea not null,
  -- PEM, sealed
  private_key text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (key_hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX apple_signing_keys_of_workspace ON public.apple_signing_keys USING btree (workspace_id, created_at);

-- Who changed what, in the transaction that changed it. Append-only, but that the reason of an erased card may be taken
-- out of detail.
create table audit_log (
  workspace_id uuid not null,
  audit_id uuid not null,
  -- the name of the operation, as in OpenAPI and the access log
  action text not null,
  -- public id of the key or store that did it; 'operator'
  actor text not null,
  -- public id of what was changed
  target text not null,
  -- what changed, without secrets
  detail jsonb not null default '{}'::jsonb,
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (workspace_id, audit_id)
);
CREATE INDEX audit_log_by_request ON public.audit_log USING btree (request_id, workspace_id, audit_id);
CREATE INDEX audit_log_of_action ON public.audit_log USING btree (action, workspace_id, audit_id);
CREATE INDEX audit_log_of_actor ON public.audit_log USING btree (actor, workspace_id, audit_id);
CREATE INDEX audit_log_of_target ON public.audit_log USING btree (target, workspace_id, audit_id);
CREATE TRIGGER audit_log_all BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_rows BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION forget_detail();

-- what the holder of a card was asked to agree to on joining, and what they answered
create table consents (
  workspace_id uuid not null,
  consent_id uuid not null,
  instance_id uuid not null,
  -- of the consent in the form of its pass
  key text not null,
  -- word for word as they read it
  text text not null,
  agreed boolean not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (consent_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX consents_of_instance ON public.consents USING btree (instance_id, workspace_id, consent_id);

-- The cached balance of credit_entries. Its row is the last that a transaction locks.
create table credit_accounts (
  workspace_id uuid not null,
  -- credits that are free
  balance bigint not null default 0,
  -- credits that are held for pushes under way
  reserved bigint not null default 0,
  -- credits that pushes have cost so far
  spent bigint not null default 0,
  -- number of the newest entry; 0: there is none
  seq bigint not null default 0,
  -- credits are low once fewer than so many are free: a tenth of what was free after the last top-up, and 1 at least
  low_at bigint not null default 0,
  -- the entry with which they became low; null: they have not since the last top-up
  low_seq bigint,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK (((balance >= 0) AND (balance <= '9007199254740991'::bigint))),
  CHECK ((reserved >= 0)),
  CHECK ((spent >= 0))
);

-- An entry in the ledger of credits. It moves credits between the free balance and what is held for pushes under way.
-- Append-only.
create table credit_entries (
  workspace_id uuid not null,
  -- contiguous from 1
  seq bigint not null,
  -- 'grant': a top-up; 'correct': the operator takes some back; 'reserve': held for pushes; 'settle': what was held is
  -- spent; 'release': what was held comes back
  kind text not null,
  -- what it adds to the free balance
  amount bigint not null,
  -- the free balance after it
  balance bigint not null,
  -- the operator's own name of a grant; null: it has none
  external_ref text,
  note text,
  created_at timestamp with time zone not null default now(),
  -- what it adds to the credits that are held
  reserved bigint not null default 0,
  -- the card that it was for; null: several, or none
  instance_id uuid,
  -- the rollouts.rollout_id of the message that it was for; null: none, or several
  message_id uuid,
  -- the rollout of a design that it was for; null: none, or several
  rollout_id uuid,
  -- the request that it was for; null: several, or not kept
  request_id text,
  PRIMARY KEY (workspace_id, seq),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((balance >= 0)),
  CHECK ((kind = ANY (ARRAY['grant'::text, 'correct'::text, 'reserve'::text, 'settle'::text, 'release'::text])))
);
CREATE TRIGGER credit_entries_all BEFORE TRUNCATE ON public.credit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_entries_rows BEFORE DELETE OR UPDATE ON public.credit_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A top-up that has yet to pay for pushes that were skipped. Flushes take turns.
create table credit_flushes (
  workspace_id uuid not null,
  -- when the newest top-up was made
  requested_at timestamp with time zone not null,
  -- when its last turn began: the one that waited longest is next
  walked_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX credit_flushes_by_turn ON public.credit_flushes USING btree (walked_at);

-- A till that several people share; deleted as it is revoked.
create table devices (
  device_id uuid not null,
  workspace_id uuid not null,
  name text not null,
  -- the partner that all awards and redeems at it are for; null: that of who signs in
  partner_id uuid,
  -- SHA-256 of the code that pairs it, once; null: it is paired, or nobody came in time
  pairing_hash bytea,
  pairing_until timestamp with time zone,
  -- SHA-256 of what the cookie of the till holds; null: it is not paired yet
  secret_hash bytea,
  created_at timestamp with time zone not null,
  PRIMARY KEY (device_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX devices_by_pairing ON public.devices USING btree (pairing_hash) WHERE (pairing_hash IS NOT NULL);
CREATE INDEX devices_by_secret ON public.devices USING btree (secret_hash) WHERE (secret_hash IS NOT NULL);
CREATE INDEX devices_of_workspace ON public.devices USING btree (workspace_id, device_id);

-- Where rows live on many nodes (Citus), a worker does not ask all of them four times a second what is due: whoever
-- leaves something to a job notes here in which workspace, and workers look there. Empty on a single PostgreSQL.
create table due_workspaces (
  -- the name of the job; 'noteAll', of a workspace of zeroes: when all workspaces are looked through again
  job text not null,
  workspace_id uuid not null,
  -- when the job is to look there
  look_at timestamp with time zone not null,
  -- which note it is: who has looked takes it away, unless it was noted again meanwhile
  note_id uuid not null,
  PRIMARY KEY (job, workspace_id)
);
CREATE INDEX due_workspaces_due ON public.due_workspaces USING btree (job, look_at);

-- A pass with cards that may have been erased by former versions, and have left something, and how far it was searched.
-- The row goes when it is through.
create table erasure_walks (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- cards that were erased later have left nothing
  erased_before timestamp with time zone not null,
  -- the card that was looked at last; null: none yet
  cursor uuid,
  -- when the next step is due; while a worker has it, the end of its lease
  due_at timestamp with time zone not null,
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX erasure_walks_due ON public.erasure_walks USING btree (due_at);

-- How far the events of a workspace are numbered, and from which on they are kept. Each transaction locks it last, with
-- its COMMIT.
create table event_counters (
  workspace_id uuid not null,
  -- what came before was deleted
  first_seq bigint not null default 1,
  -- 0: none yet
  last_seq bigint not null default 0,
  -- when the oldest has been kept for long enough; null: there is none
  trim_at timestamp with time zone,
  -- of the version before; nothing reads it
  uncounted_since timestamp with time zone,
  -- when webhooks and statistics are to be brought up to the last number; null: they are
  follow_at timestamp with time zone,
  -- whether there were any when the log was followed last: then it is followed at once
  has_webhooks boolean not null default false,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX event_counters_to_follow ON public.event_counters USING btree (follow_at) WHERE (follow_at IS NOT NULL);
CREATE INDEX event_counters_to_trim ON public.event_counters USING btree (trim_at) WHERE (trim_at IS NOT NULL);
CREATE INDEX event_counters_uncounted ON public.event_counters USING btree (uncounted_since) WHERE (uncounted_since IS NOT NULL);

-- Something that has happened in a workspace, kept for 30 days.
create table event_log (
  workspace_id uuid not null,
  -- without a gap in its workspace, in an order in which the events were committed
  seq bigint not null,
  event_id uuid not null,
  type text not null,
  pass_id uuid,
  instance_id uuid,
  -- as the audit log names it; 'holder' or 'system' where nobody with a key did it
  actor text not null,
  request_id text not null,
  -- what it concerns, as the API showed it then; empty once the card was erased
  data json not null,
  -- the changed properties as they were before
  previous json not null,
  created_at timestamp with time zone not null,
  -- what statistics count of all events of the transaction, as JSON, at its first one; empty at its others; null: of
  -- former versions, which did not tell
  counts text,
  PRIMARY KEY (workspace_id, seq)
);
CREATE UNIQUE INDEX event_log_by_id ON public.event_log USING btree (event_id, workspace_id);
CREATE INDEX event_log_of_instance ON public.event_log USING btree (instance_id, workspace_id, seq) WHERE (instance_id IS NOT NULL);
CREATE INDEX event_log_of_pass ON public.event_log USING btree (pass_id, type, workspace_id, seq) WHERE (pass_id IS NOT NULL);
CREATE INDEX event_log_of_request ON public.event_log USING btree (request_id);
CREATE INDEX event_log_of_type ON public.event_log USING btree (type, workspace_id, seq);

-- Where the version before writes events: they go to the log at once. The next version drops it.
create table event_outbox (
  workspace_id uuid not null,
  outbox_id uuid not null,
  -- by the clock of the database, while the transaction held what the events are about: its order is theirs
  written_at timestamp with time zone not null default clock_timestamp(),
  -- when they can be numbered: at once
  due_at timestamp with time zone not null,
  -- null: the version that wrote it has them in the columns below
  events json,
  -- in the order of the events, as all of these lists
  event_ids uuid[],
  types text[],
  pass_ids uuid[],
  instance_ids uuid[],
  actors text[],
  request_ids text[],
  created_ats timestamp with time zone[],
  -- a line of JSON for each event
  data text,
  -- a line of JSON for each event
  previous text,
  -- what statistics count of all of them, as JSON; null: of former versions, which did not tell
  counts text,
  PRIMARY KEY (outbox_id, workspace_id)
);
CREATE TRIGGER event_outbox_of_version_before BEFORE INSERT ON public.event_outbox FOR EACH ROW EXECUTE FUNCTION number_for_version_before();

-- What Google Wallet knows of a pass.
create table google_classes (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- SHA-256 of what Google was told last; null: it has no such class; empty: nobody knows what it was told
  content bytea,
  -- the rollout of the message that it was told last; null: of none
  message_rollout_id uuid,
  -- its notifying updates of the last 24 hours
  notified_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

-- An account of a workspace's own at Google Wallet.
create table google_identities (
  workspace_id uuid not null,
  -- what Google knows the account by; ids of its classes and objects begin with it
  issuer_id text not null,
  -- the service account that acts for it
  client_email text not null,
  -- the key file of the service account, sealed
  service_account text not null,
  -- since when new cards are another's; it stays for those that it has made; null: new cards are its
  retired_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (issuer_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX google_identities_of_workspace ON public.google_identities USING btree (workspace_id, issuer_id);
CREATE INDEX google_identities_retired ON public.google_identities USING btree (retired_at) WHERE (retired_at IS NOT NULL);

-- Call-backs of Google that were seen, until they expire.
create table google_nonces (
  nonce text not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (nonce)
);
CREATE INDEX google_nonces_by_end ON public.google_nonces USING btree (expires_at);

-- What Google Wallet knows of a card.
create table google_objects (
  workspace_id uuid not null,
  instance_id uuid not null,
  -- SHA-256 of what Google was told last; null: nothing yet; empty: nobody knows what it was told
  content bytea,
  -- whether a holder keeps it, as of the call-back that expires at event_at
  saved boolean not null default false,
  -- when the newest call-back expires; null: there was none
  event_at timestamp with time zone,
  -- its notifying updates of the last 24 hours
  notified_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  -- grows by 1 with each change of the card
  tag bigint not null default 0,
  -- when to tell Google next; while a worker does, the end of its lease; null: it was told everything
  due_at timestamp with time zone,
  -- attempts to tell it that have failed in a row
  attempts smallint not null default 0,
  -- the instances.message_id of the message to an audience that Google was sent last; null: none
  message_id uuid,
  -- the issuer of the workspace's own that it is of; null: that of the installation
  issuer_id text,
  -- whether issuer_id says one: what is null a planner without statistics takes for rare
  is_own boolean not null default false,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX google_objects_due_of_workspace ON public.google_objects USING btree (workspace_id, due_at, instance_id) WHERE ((due_at IS NOT NULL) AND is_own);
CREATE INDEX google_objects_due_own ON public.google_objects USING btree (due_at) WHERE ((due_at IS NOT NULL) AND is_own);
CREATE INDEX google_objects_due_shared ON public.google_objects USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (NOT is_own));
CREATE INDEX google_objects_of_issuer ON public.google_objects USING btree (issuer_id, workspace_id) WHERE (issuer_id IS NOT NULL);

-- What an issuer of a workspace's own has at Google of a pass: as google_classes, which are the installation's.
create table google_own_classes (
  workspace_id uuid not null,
  pass_id uuid not null,
  issuer_id text not null,
  content bytea,
  message_rollout_id uuid,
  notified_at timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  PRIMARY KEY (pass_id, workspace_id, issuer_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

-- When the next request to Google may be sent, over all processes, by the clock of the database.
create table google_pace (
  -- what Google knows the installation by
  issuer_id text not null,
  next_at timestamp with time zone not null,
  PRIMARY KEY (issuer_id)
);

-- The person behind a card: all personal data, so that erasing it leaves everything else sound. Erasing the card
-- removes the row.
create table holders (
  workspace_id uuid not null,
  instance_id uuid not null,
  -- the pass of the card
  pass_id uuid not null,
  -- the holder's number in the caller's own system; null: none was given
  identifier text,
  name text,
  email text,
  -- in the form of E.164
  phone text,
  -- language of the card; null: that of the workspace
  locale text,
  -- true while the card is active, null once it is voided: nulls differ, so an identifier may have many former cards
  current boolean default true,
  -- the telephone number as a store or a former version has given it, where it is no number or was written otherwise;
  -- null: as phone has it
  phone_given text,
  -- identifier in the form in which it is compared; the others likewise
  folded_identifier text,
  folded_name text,
  folded_email text,
  -- phone, else the digits of phone_given
  folded_phone text,
  -- the program has folded the texts, another number each time, by which a trigger knows what the version before has
  -- written; null: it has not yet
  folding integer,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id),
  CHECK (current)
);
CREATE INDEX holders_by_email ON public.holders USING btree (lower(email), workspace_id, pass_id) WHERE ((email IS NOT NULL) AND current);
CREATE INDEX holders_by_number ON public.holders USING btree ((("left"((workspace_id)::text, 13) || regexp_replace(regexp_replace(phone, '\(0\)|[^0-9+]'::text, ''::text, 'g'::text), '^00'::text, '+'::text))) COLLATE "C", instance_id) WHERE (phone IS NOT NULL);
CREATE INDEX holders_found_by_email ON public.holders USING btree ((("left"((workspace_id)::text, 13) || folded_email)) COLLATE "C", instance_id) WHERE (folded_email IS NOT NULL);
CREATE INDEX holders_found_by_identifier ON public.holders USING btree ((("left"((workspace_id)::text, 13) || translate(folded_identifier, ' -  ‐‑‒–—―−'::text, ''::text))) COLLATE "C", instance_id) WHERE (folded_identifier IS NOT NULL);
CREATE INDEX holders_found_by_last_digits ON public.holders USING btree ((("left"((workspace_id)::text, 13) || reverse(folded_phone))) COLLATE "C", instance_id) WHERE (folded_phone IS NOT NULL);
CREATE INDEX holders_found_by_last_word ON public.holders USING btree ((("left"((workspace_id)::text, 13) || split_part(folded_name, ' '::text, '-1'::integer))) COLLATE "C", instance_id) WHERE (folded_name ~~ '% % % %'::text);
CREATE INDEX holders_found_by_name ON public.holders USING btree ((("left"((workspace_id)::text, 13) || folded_name)) COLLATE "C", instance_id) WHERE (folded_name IS NOT NULL);
CREATE INDEX holders_found_by_name_from_2 ON public.holders USING btree ((("left"((workspace_id)::text, 13) || substr(folded_name, (strpos(folded_name, ' '::text) + 1)))) COLLATE "C", instance_id) WHERE (folded_name ~~ '% %'::text);
CREATE INDEX holders_found_by_name_from_3 ON public.holders USING btree ((("left"((workspace_id)::text, 13) || substr(folded_name, ((length(split_part(folded_name, ' '::text, 1)) + length(split_part(folded_name, ' '::text, 2))) + 3)))) COLLATE "C", instance_id) WHERE (folded_name ~~ '% % %'::text);
CREATE INDEX holders_found_by_phone ON public.holders USING btree ((("left"((workspace_id)::text, 13) || folded_phone)) COLLATE "C", instance_id) WHERE (folded_phone IS NOT NULL);
CREATE UNIQUE INDEX holders_one_card ON public.holders USING btree (identifier, workspace_id, pass_id, current) WHERE (identifier IS NOT NULL);
CREATE INDEX holders_to_fold ON public.holders USING btree (instance_id, workspace_id) WHERE (folding IS NULL);
CREATE INDEX holders_to_reread ON public.holders USING btree (workspace_id, instance_id) WHERE ((phone IS NULL) AND (phone_given IS NOT NULL));
CREATE TRIGGER holders_of_version_before BEFORE INSERT OR UPDATE OF identifier, name, email, phone, folding ON public.holders FOR EACH ROW EXECUTE FUNCTION fold_for_version_before();

-- The bytes of an image, a PNG, once a workspace however many passes show it. They never change.
create table image_files (
  workspace_id uuid not null,
  -- SHA-256 of the bytes, hexadecimal; the public address of the image names nothing else
  hash text not null,
  bytes bytea not null,
  -- in pixels
  width integer not null,
  -- in pixels
  height integer not null,
  -- when a pass last took it up; a file that no pass names is removed long after
  kept_at timestamp with time zone not null,
  PRIMARY KEY (hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX image_files_by_age ON public.image_files USING btree (kept_at);

-- An image as it was uploaded, for the image parameters of passes, which are made of files of their own. It has no
-- public address.
create table image_uploads (
  workspace_id uuid not null,
  -- SHA-256 of the bytes, hexadecimal; the workspace calls the image 'upload:' and this
  hash text not null,
  bytes bytea not null,
  -- how many bytes there are
  size integer not null,
  -- in pixels, as it is to be shown
  width integer not null,
  -- in pixels, as it is to be shown
  height integer not null,
  -- from then on it is not taken any more, and removed
  kept_until timestamp with time zone not null,
  PRIMARY KEY (hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX image_uploads_by_age ON public.image_uploads USING btree (kept_until);
CREATE INDEX image_uploads_of_workspace ON public.image_uploads USING btree (workspace_id);

-- Something that happened to a card. The ids are in the order of time.
create table instance_events (
  workspace_id uuid not null,
  instance_id uuid not null,
  event_id uuid not null,
  kind text not null,
  -- what the kind has to tell, and as actor who did it: op and key name the idempotency claim whose answer shows the
  -- card, wallet and reason what became of a push
  detail jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  PRIMARY KEY (instance_id, workspace_id, event_id)
);
CREATE INDEX instance_events_of_pushes ON public.instance_events USING btree (instance_id, workspace_id, event_id) WHERE (kind = ANY (ARRAY['push.delivered'::text, 'push.skipped'::text, 'push.failed'::text, 'pushed'::text, 'push skipped'::text, 'push failed'::text]));

-- A card: one holder's copy of a pass. What is personal stands in holders.
create table instances (
  workspace_id uuid not null,
  instance_id uuid not null,
  pass_id uuid not null,
  status text not null,
  -- null where the pass has no barcode, or one value shared by all its cards
  barcode text,
  -- whether a link of ours reaches it, so that it can show values of its holder's own; imported cards are not, unless
  -- told
  addressable boolean not null,
  -- whether any wallet holds the card now
  installed boolean not null default false,
  -- the holder's own values by key of the field; null: a cleared one; absent: the value of the pass
  fields jsonb not null,
  -- goes before the expiry of the pass; null: that counts
  expires_at timestamp with time zone,
  -- the partner at which it was issued; null: at none
  partner_id uuid,
  -- the caller's own, by name
  metadata jsonb not null,
  -- 128 random bits, part of the address of the card's page
  link_secret bytea not null,
  -- the secret with which the card's device calls Apple's web service
  authentication_token text not null,
  -- grows by 1 with each change that the card shows; changes of its account are counted by loyalty_accounts.seq
  revision bigint not null default 1,
  -- the passes.revision that the pass had at modified_at: later ones move Last-Modified on
  pass_revision bigint not null,
  -- when the card last began to show a change of its own; that of its account is loyalty_accounts.shown_at
  modified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  -- when the person behind it was erased; null: never
  erased_at timestamp with time zone,
  -- how many wallets of Apple hold the card now
  apple_wallets integer not null default 0,
  -- how many wallets of Google hold the card now
  google_wallets integer not null default 0,
  -- how many browsers hold the card now
  web_wallets integer not null default 0,
  -- the latest Last-Modified that any wallet was given; null: none was
  served_modified_at timestamp with time zone,
  -- since when the card had shown the state that served_modified_at was given for; null where that was not kept
  served_change_at timestamp with time zone,
  -- the caller's own reference of its issue; null: none was given
  external_ref text,
  -- when a wallet took it for the first time; null: none has, or that was before this was kept
  installed_at timestamp with time zone,
  -- when it was voided; null: it is active, or was voided by a former version
  voided_at timestamp with time zone,
  -- the caller's own, of a voided card; null: none was given, or the card was erased
  void_reason text,
  -- the newest message to an audience that it was of: it goes before passes.message where it is newer; null: there was
  -- none, or it has ended
  message text,
  -- the rollouts.news_id of message
  message_id uuid,
  -- when it was last changed in a way that it does not show; modified_at or loyalty_accounts.shown_at may be later
  updated_at timestamp with time zone,
  -- barcode in the form in which it is compared; null: it has none, or was not folded yet
  folded_barcode text,
  PRIMARY KEY (instance_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id),
  CHECK ((apple_wallets >= 0)),
  CHECK ((google_wallets >= 0)),
  CHECK ((status = ANY (ARRAY['active'::text, 'voided'::text]))),
  CHECK ((web_wallets >= 0))
);
CREATE UNIQUE INDEX instances_by_barcode ON public.instances USING btree (barcode, workspace_id, pass_id) WHERE (barcode IS NOT NULL);
CREATE INDEX instances_found_by_barcode ON public.instances USING btree ((("left"((workspace_id)::text, 13) || translate(folded_barcode, ' -  ‐‑‒–—―−'::text, ''::text))) COLLATE "C", instance_id) WHERE (folded_barcode IS NOT NULL);
CREATE INDEX instances_installed ON public.instances USING btree (pass_id, workspace_id, instance_id) WHERE installed;
CREATE INDEX instances_installed_void ON public.instances USING btree (pass_id, workspace_id) WHERE (installed AND (status = 'voided'::text));
CREATE INDEX instances_of_partner ON public.instances USING btree (partner_id, workspace_id, instance_id) WHERE (partner_id IS NOT NULL);
CREATE INDEX instances_of_pass ON public.instances USING btree (pass_id, workspace_id, instance_id);
CREATE INDEX instances_to_fold ON public.instances USING btree (instance_id, workspace_id) WHERE ((barcode IS NOT NULL) AND (folded_barcode IS NULL));
CREATE INDEX instances_voided ON public.instances USING btree (pass_id, workspace_id, instance_id) WHERE (status = 'voided'::text);
CREATE TRIGGER instances_of_version_before BEFORE INSERT OR UPDATE OF barcode ON public.instances FOR EACH ROW EXECUTE FUNCTION fold_code_for_version_before();

-- An invitation to take a card of a pass. It outlives the pass, since the links of a mail that was sent must end the
-- mails for ever.
create table invites (
  workspace_id uuid not null,
  invite_id uuid not null,
  pass_id uuid not null,
  -- the sweep that it belongs to; null: it was made by a call
  sweep_id uuid,
  -- the store whose customer is invited; null: of none
  store_id uuid,
  -- who is invited; null once the person is forgotten, like name, locale and identifier
  email text,
  name text,
  locale text,
  -- the holder's identifier that the card gets; null: the address
  identifier text,
  -- keyed hash of workspace and address, by which addresses are compared
  email_hash bytea not null,
  -- 128 random bits, of which the secrets of its links are made
  link_secret bytea not null,
  -- 'unknown': it was handed to the mail server, or may have been, and nobody has heard what became of it;
  -- 'suppressed': the address is not to be mailed, or the person is forgotten; 'cancelled': its sweep was cancelled, or
  -- its pass is published no longer
  status text not null,
  -- when it is to be sent, or looked at again; while a worker has it, the end of its lease; null: never
  due_at timestamp with time zone,
  -- mails that the mail server has refused for now
  attempts integer not null default 0,
  -- code of why it was not sent, or not yet; null: nothing stands in the way
  problem text,
  -- [{ op, key }]: idempotency claims whose answers name the person
  claims jsonb not null default '[]'::jsonb,
  -- the card that was made of it; null: none was
  instance_id uuid,
  created_at timestamp with time zone not null,
  -- null: it is not known to have been sent
  sent_at timestamp with time zone,
  -- null: it was not accepted
  accepted_at timestamp with time zone,
  PRIMARY KEY (invite_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'unknown'::text, 'failed'::text, 'suppressed'::text, 'already_holder'::text, 'cancelled'::text])))
);
CREATE INDEX invites_by_due ON public.invites USING btree (due_at) WHERE (status = 'queued'::text);
CREATE INDEX invites_by_status ON public.invites USING btree (pass_id, workspace_id, status, invite_id);
CREATE INDEX invites_due ON public.invites USING btree (workspace_id, COALESCE(sweep_id, pass_id), due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX invites_in_flight ON public.invites USING btree (due_at) WHERE COALESCE((status = 'sending'::text), false);
CREATE INDEX invites_of_instance ON public.invites USING btree (instance_id, workspace_id) WHERE (instance_id IS NOT NULL);
CREATE INDEX invites_of_pass ON public.invites USING btree (pass_id, workspace_id, invite_id);
CREATE INDEX invites_of_store ON public.invites USING btree (store_id, workspace_id, identifier) WHERE ((store_id IS NOT NULL) AND (email IS NOT NULL));
CREATE INDEX invites_of_sweep ON public.invites USING btree (sweep_id, workspace_id, status) WHERE (sweep_id IS NOT NULL);
CREATE UNIQUE INDEX invites_one_per_address ON public.invites USING btree (email_hash, workspace_id, pass_id);

-- how many have joined on a day, of a pass that limits it
create table join_days (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- in the time zone of its workspace
  day date not null,
  joined integer not null,
  PRIMARY KEY (pass_id, day, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX join_days_by_day ON public.join_days USING btree (day);

-- an enrolment that waits for a button behind a link that was mailed; gone once it was pressed, or has expired
create table join_proofs (
  workspace_id uuid not null,
  proof_id uuid not null,
  pass_id uuid not null,
  -- 128 random bits, of which its link is made
  link_secret bytea not null,
  -- keyed hash of workspace and address, by which addresses are compared
  email_hash bytea not null,
  -- { name, email, phone, locale, fields, consents }: what was entered
  person jsonb not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (proof_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX join_proofs_by_address ON public.join_proofs USING btree (email_hash, workspace_id, pass_id);
CREATE INDEX join_proofs_by_end ON public.join_proofs USING btree (expires_at);

-- What a recount of a workspace's ledger has found.
create table ledger_audits (
  workspace_id uuid not null,
  audit_id uuid not null,
  -- how many were counted
  accounts bigint not null,
  -- how many were counted
  entries bigint not null,
  -- [{ rule, id, … }]: empty when everything agrees
  findings jsonb not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  -- { programId: [points, …] }: of accounts that have some, as text, by the days since they were credited: below 30,
  -- 90, 180, 365, and more; null: of a version that did not tell
  ages jsonb,
  PRIMARY KEY (workspace_id, audit_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);

-- A recount that is under way, and how far it has come. When it has ended it is a row of ledger_audits.
create table ledger_recounts (
  workspace_id uuid not null,
  stage text not null,
  -- the account or program that was counted last; null: none of the stage yet
  cursor uuid,
  -- how many were counted so far
  accounts bigint not null default 0,
  -- how many were counted so far
  entries bigint not null default 0,
  -- as in ledger_audits
  findings jsonb not null default '[]'::jsonb,
  started_at timestamp with time zone not null,
  -- when its last turn began: whoever waited longest is next
  turn_at timestamp with time zone not null,
  -- as in ledger_audits, so far
  ages jsonb not null default '{}'::jsonb,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((stage = ANY (ARRAY['accounts'::text, 'programs'::text])))
);
CREATE INDEX ledger_recounts_by_turn ON public.ledger_recounts USING btree (turn_at);

-- What a holder has in a program. Whoever changes it, its lots or its rewards holds the card that shows it.
create table loyalty_accounts (
  workspace_id uuid not null,
  account_id uuid not null,
  program_id uuid not null,
  -- the card that shows it; the next card of the same holder takes it over
  instance_id uuid not null,
  -- number of its newest entry
  seq bigint not null default 0,
  -- balance of its newest entry; below zero: points that were spent before their earn was undone
  balance bigint not null default 0,
  -- all that was ever earned, without what was undone; spending, expiry and corrections leave it alone
  lifetime_points bigint not null default 0,
  -- rewards that were unlocked and are not redeemed yet
  pending_rewards integer not null default 0,
  -- when the next of its points expire; null: none will
  next_expiry_at timestamp with time zone,
  -- for the limits of the program; null: it never earned
  last_earned_at timestamp with time zone,
  -- the end of the day of last_earned_at, in the time zone of the workspace
  day_ends_at timestamp with time zone,
  -- points that were earned on the day that ends at day_ends_at
  earned_that_day bigint not null default 0,
  created_at timestamp with time zone not null,
  -- when the card last began to show a change of the account; null: never. Here, so that whoever moves points need not
  -- write the card, which is a wide row
  shown_at timestamp with time zone,
  -- the passes.revision at shown_at
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
CREATE INDEX loyalty_accounts_rewarded ON public.loyalty_accounts USING btree (program_id, workspace_id) WHERE (pending_rewards > 0);

-- An entry in the ledger of points. Append-only, but that the reason of an erased card may be taken away.
create table loyalty_entries (
  workspace_id uuid not null,
  account_id uuid not null,
  -- contiguous from 1 in each account
  seq bigint not null,
  entry_id uuid not null,
  program_id uuid not null,
  -- the card that showed the account
  instance_id uuid not null,
  -- 'unlock' turns stamps into a reward, 'cancel' turns it back; 'correction' is an adjust that leaves lifetime points
  -- alone, 'adjust' counts in them; 'reversal' undoes an earn or a redeem, or what an order has earned in part
  kind text not null,
  -- what it adds to the balance
  points bigint not null,
  -- the balance after it
  balance bigint not null,
  -- the lot that its points went into: when they expire, infinity for never; null: into none
  expires_at timestamp with time zone,
  -- the caller's own name of it; null: it has none, or the card was erased
  external_ref text,
  -- the caller's words; null: none were given, or the card was erased
  reason text,
  -- what made it an earn of nothing: 'per_day', 'min_seconds_between', or 'instance_expired', which is of orders alone;
  -- null: nothing did
  limited_by text,
  partner_id uuid,
  -- the order that it is for, as its caller or store names it; null: for none
  order_id text,
  -- number of the entry of the same account that it undoes; null: it undoes none as a whole
  reversal_of bigint,
  -- public id of the key or store that made it; the name of a job
  actor text not null,
  -- when it happened, as the caller says
  occurred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  -- of the version before; nothing reads it
  reason_seal bytea,
  -- of the version before; nothing reads it
  ref_seal bytea,
  -- the shared till at which its person was signed in; null: none, or the version before wrote it
  device_id uuid,
  PRIMARY KEY (account_id, workspace_id, seq),
  CHECK ((kind = ANY (ARRAY['earn'::text, 'redeem'::text, 'unlock'::text, 'cancel'::text, 'expire'::text, 'adjust'::text, 'correction'::text, 'import'::text, 'reversal'::text])))
);
CREATE INDEX loyalty_entries_by_id ON public.loyalty_entries USING btree (entry_id);
CREATE INDEX loyalty_entries_by_ref ON public.loyalty_entries USING btree (external_ref, workspace_id) WHERE (external_ref IS NOT NULL);
CREATE INDEX loyalty_entries_of_device ON public.loyalty_entries USING btree (program_id, workspace_id, device_id, entry_id) WHERE (device_id IS NOT NULL);
CREATE INDEX loyalty_entries_of_kind ON public.loyalty_entries USING btree (program_id, workspace_id, kind, entry_id);
CREATE INDEX loyalty_entries_of_order ON public.loyalty_entries USING btree (order_id, workspace_id) WHERE (order_id IS NOT NULL);
CREATE INDEX loyalty_entries_of_partner ON public.loyalty_entries USING btree (partner_id, workspace_id, entry_id) WHERE (partner_id IS NOT NULL);
CREATE INDEX loyalty_entries_of_partner_kind ON public.loyalty_entries USING btree (partner_id, workspace_id, program_id, kind, entry_id) WHERE (partner_id IS NOT NULL);
CREATE INDEX loyalty_entries_of_person ON public.loyalty_entries USING btree (program_id, workspace_id, actor, entry_id) WHERE (actor ~~ 'person\_%'::text);
CREATE INDEX loyalty_entries_of_program ON public.loyalty_entries USING btree (program_id, workspace_id, entry_id);
CREATE INDEX loyalty_entries_reversals ON public.loyalty_entries USING btree (account_id, workspace_id, reversal_of) WHERE (reversal_of IS NOT NULL);
CREATE TRIGGER loyalty_entries_all BEFORE TRUNCATE ON public.loyalty_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER loyalty_entries_rows BEFORE DELETE OR UPDATE ON public.loyalty_entries FOR EACH ROW EXECUTE FUNCTION forget_reason();

-- What an entry took from a lot. Append-only.
create table loyalty_lot_uses (
  workspace_id uuid not null,
  account_id uuid not null,
  -- number of the entry
  seq bigint not null,
  -- the lot
  expires_at timestamp with time zone not null,
  -- points; negative: gave back to it
  amount bigint not null,
  PRIMARY KEY (account_id, workspace_id, seq, expires_at),
  CHECK ((amount <> 0))
);
CREATE TRIGGER loyalty_lot_uses_all BEFORE TRUNCATE ON public.loyalty_lot_uses FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER loyalty_lot_uses_rows BEFORE DELETE OR UPDATE ON public.loyalty_lot_uses FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Points of an account that expire together. They are spent in the order of expires_at. What they were earned with is
-- on the entries; a lot per moment of expiry keeps an account small however often it earns.
create table loyalty_lots (
  workspace_id uuid not null,
  account_id uuid not null,
  -- infinity: never
  expires_at timestamp with time zone not null,
  -- all points that ever went into it
  original bigint not null,
  -- points of it that are still there
  remaining bigint not null,
  -- what has expired of it, without what was given back because its earn was undone: it is not taken twice
  expired bigint not null default 0,
  PRIMARY KEY (account_id, workspace_id, expires_at),
  CHECK (((remaining >= 0) AND (remaining <= original))),
  CHECK ((expired >= 0)),
  CHECK ((original > 0))
);

-- What a person may do in a workspace, and what they are called there.
create table memberships (
  -- the id of the person in this workspace; a workspace that was moved brings its own along
  person_id uuid not null,
  workspace_id uuid not null,
  email text,
  name text not null,
  role text not null,
  -- the only partner that awards and redeems of a member of the staff are for; null: any
  partner_id uuid,
  created_at timestamp with time zone not null,
  -- scrypt of what signs the person in at a till; null: nothing does
  pin text,
  -- who it is, of people: the account that has joined the workspace; null: the one whose id is person_id
  account_id uuid,
  -- the person was invited, and has not joined the workspace yet
  pending boolean not null default false,
  PRIMARY KEY (person_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'staff'::text, 'viewer'::text])))
);
CREATE INDEX memberships_of_account ON public.memberships USING btree (COALESCE(account_id, person_id));
CREATE INDEX memberships_of_workspace ON public.memberships USING btree (workspace_id, person_id);

-- What became of the pushes of a message. Apart from its rollout, which is locked while that walks on.
create table message_deliveries (
  workspace_id uuid not null,
  rollout_id uuid not null,
  -- cards of which a wallet was told
  delivered bigint not null,
  -- cards whose wallets have all failed for good
  failed bigint not null,
  PRIMARY KEY (rollout_id, workspace_id),
  FOREIGN KEY (rollout_id, workspace_id) REFERENCES rollouts(rollout_id, workspace_id) ON DELETE CASCADE
);

-- Whom a provider means, since it first vouched for the address of a person: what becomes of the address there changes
-- nothing.
create table oidc_identities (
  -- the provider, as its tokens name it
  issuer text not null,
  -- what it calls the person; never given to another one
  subject text not null,
  person_id uuid not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (subject, issuer),
  FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX oidc_identities_of_person ON public.oidc_identities USING btree (person_id, issuer);

-- An idempotency key of a workspace, what it was used for and the answer that it got. One answer per operation and key,
-- for ever: a retry replays it byte for byte.
create table operation_claims (
  workspace_id uuid not null,
  -- the name of the operation
  operation text not null,
  -- the idempotency key of the caller; of a card that was erased its keyed hash behind a tab, as which no key begins
  key text not null,
  -- SHA-256 of what the effect depends on: the same key with another one is refused; of a card that was erased a keyed
  -- hash of that
  fingerprint bytea not null,
  -- HTTP status of the answer; null only within a transaction that makes sure of a refusal
  status smallint,
  -- the body of the answer; sealed where it holds a secret, without the person once that is forgotten
  body text,
  -- the request that got the answer first
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (key, operation, workspace_id)
);
CREATE INDEX operation_claims_of_card ON public.operation_claims USING btree ("substring"(body, '"instanceId":"([^"]+)"'::text), workspace_id) WHERE (((strpos(key, '	'::text) > 1) AND (operation = ANY (ARRAY['earnPoints'::text, 'adjustPoints'::text, 'importBalances'::text]))) OR ((strpos(key, '	'::text) = 0) AND (operation = ANY (ARRAY['processOrder'::text, 'refundOrder'::text, 'cancelOrder'::text, 'pushInstance'::text]))));

-- A refund of an order. Of one that is told twice the greater amount stays.
create table order_refunds (
  workspace_id uuid not null,
  -- as in orders
  source uuid not null,
  order_id text not null,
  -- as the store, or the caller of the API, names it
  refund_id text not null,
  -- in minor units
  amount bigint not null,
  -- ISO 4217 code; a refund in another currency than the order's counts for nothing
  currency text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (source, workspace_id, order_id, refund_id),
  FOREIGN KEY (source, workspace_id, order_id) REFERENCES orders(source, workspace_id, order_id),
  CHECK ((amount >= 0))
);

-- An order, as far as it is known: news about it may come in any order and any number of times.
create table orders (
  workspace_id uuid not null,
  -- the store; all zeroes where a caller of the API keeps the orders itself
  source uuid not null,
  -- as the store, or the caller of the API, names it
  order_id text not null,
  -- null while nothing but a refund or a cancellation is known
  pass_id uuid,
  -- ISO 4217 code; the first that a total was told in
  currency text,
  -- the earliest state in which it was paid: when that was, in ms since 1970; null: it was never paid
  paid_version bigint,
  -- the total of that state, in minor units
  paid_total bigint,
  -- the newest state, in ms since 1970; greater than any that a store tells where the caller of the API has cancelled
  -- it
  latest_version bigint,
  -- the total of that state, in minor units; null where a cancellation is all that was told
  latest_total bigint,
  -- whether it is cancelled in the newest state
  cancelled boolean not null default false,
  placed_at timestamp with time zone,
  partner_id uuid,
  -- what was bought; null: not told, or the card was erased
  items jsonb,
  -- the card that it earns on; null: it has none yet
  instance_id uuid,
  -- whether the card was issued for it
  issued boolean not null default false,
  -- the loyalty account that it earns on; null: it has earned nothing yet
  account_id uuid,
  -- the programs.earn that it was processed with, and the multiplier of the card's tier; null until then
  rule jsonb,
  -- when its points expire: the lot that they went into, infinity for never; null: it has earned none
  points_expire_at timestamp with time zone,
  -- the limit that made it earn nothing, as in loyalty_entries; null: none did
  limited_by text,
  -- what it has earned after all that is known
  points bigint not null default 0,
  -- what of its points the ledger has, which is more than points where a refund was not covered
  credited bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  -- what customers know it by, such as #1003; null: by its order_id, or it was last reported before this column was
  -- there
  number text,
  -- the same as it is looked for: without its #, letter case aside
  folded_number text,
  PRIMARY KEY (source, workspace_id, order_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX orders_of_card ON public.orders USING btree (instance_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, source, order_id, workspace_id) WHERE (instance_id IS NOT NULL);
CREATE INDEX orders_of_number ON public.orders USING btree (folded_number, workspace_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, source, order_id) WHERE (folded_number IS NOT NULL);
CREATE INDEX orders_of_pass ON public.orders USING btree (pass_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, source, order_id, workspace_id) WHERE (pass_id IS NOT NULL);
CREATE INDEX orders_of_store ON public.orders USING btree (source, workspace_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, order_id) WHERE (source <> '00000000-0000-0000-0000-000000000000'::uuid);
CREATE INDEX orders_of_store_and_pass ON public.orders USING btree (source, pass_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, order_id, workspace_id) WHERE ((source <> '00000000-0000-0000-0000-000000000000'::uuid) AND (pass_id IS NOT NULL));
CREATE INDEX orders_of_workspace ON public.orders USING btree (workspace_id, (((cancelled)::integer + (2 * ((instance_id IS NULL))::integer))), created_at, source, order_id);

-- A shop or campaign that cards and entries are attributed to.
create table partners (
  workspace_id uuid not null,
  partner_id uuid not null,
  name text not null,
  -- the number of the partner in the caller's own system; null: it has none
  external_id text,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  -- a deleted partner keeps its row, since entries and cards name it; null: it is not deleted
  deleted_at timestamp with time zone,
  -- where it is: { latitude, longitude }; null: unknown. Cards issued at it show the places nearest to it
  location jsonb,
  PRIMARY KEY (partner_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX partners_by_external_id ON public.partners USING btree (external_id, workspace_id, partner_id) WHERE (external_id IS NOT NULL);
CREATE INDEX partners_of_workspace ON public.partners USING btree (workspace_id, partner_id);

-- A sixteenth of a pass's counts: concurrent issues do not queue for one row. The sum over the shards counts.
create table pass_counters (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- 0 to 15, drawn at random for each change; one row alone may be below zero
  shard smallint not null,
  -- cards, voided ones too
  issued bigint not null default 0,
  -- cards that any wallet holds now
  installed bigint not null default 0,
  -- cards that are voided now
  voided bigint not null default 0,
  -- codes of the pool, free or on a card
  pooled bigint not null default 0,
  -- codes of the pool that are on a card
  assigned bigint not null default 0,
  PRIMARY KEY (pass_id, workspace_id, shard),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

-- All places of a pass that has more than ten. Apart from passes, since most of what reads a pass needs none of them.
create table pass_places (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- as passes.locations, with the first ten
  locations jsonb not null,
  -- by BCP 47 language: the locations of passes.translations in full
  texts jsonb not null,
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);

-- A design: what all its cards share.
create table passes (
  workspace_id uuid not null,
  pass_id uuid not null,
  title text not null,
  type text not null,
  status text not null,
  details text,
  terms text,
  -- when its cards expire: { kind: none }, { kind: fixed, at } or { kind: afterIssue, days }
  expiry jsonb not null,
  -- [{ key, label, value, section, editable, changeMessage }]; value is what holders without one of their own see
  fields jsonb not null,
  -- { background, foreground, label }; null leaves the choice to the wallet
  colors jsonb not null,
  -- 'simple': one value for all cards; 'unique': one each; 'pool': the next of pool_barcodes; 'none'
  barcode_mode text not null,
  barcode_format text not null,
  -- the value of all cards in mode 'simple'; null in all others
  barcode_value text,
  -- [{ latitude, longitude, relevantText }]: the first ten
  locations jsonb not null,
  -- the caller's own, by name
  metadata jsonb not null,
  -- grows by 1 with each change that its cards show
  revision bigint not null default 1,
  -- when its cards last began to show a change of it; each change has a later moment, by a millisecond at least
  modified_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  -- when it was last changed, whether or not its cards show that
  updated_at timestamp with time zone not null,
  -- the newest message to all holders; null: there was none, or it has ended
  message text,
  -- its program, so that whoever has the pass need not look for it; null: it has none
  program_id uuid,
  -- by parameter (iconUrl, logoUrl, …): the URL that was sent, and the files made of it (name → hash, width, height)
  images jsonb not null default '{}'::jsonb,
  -- the pool is low once no more than so many codes are left
  pool_low_at integer not null default 100,
  -- pool_barcodes.seq of a code: whoever issues it, or a later one, finds the pool low; null: no more than pool_low_at
  -- are left
  pool_low_seq bigint,
  -- since when the pool is low; null while it is not
  pool_low_since timestamp with time zone,
  -- no code with a smaller pool_barcodes.seq is left in the pool: who looks for the next begins here
  pool_from_seq bigint not null default 0,
  -- the rollouts.news_id of message; null where that was not kept
  message_id uuid,
  -- { enabled, fields, headline, text, image, consents, proof, limitPerDay, domainAllow }: how people enrol by
  -- themselves; null: they do not
  join_form jsonb,
  -- BCP 47: that of its own texts; null: that of its workspace
  language text,
  -- by BCP 47 language: the texts of the design and of its program in it, each of which may be absent
  translations jsonb not null default '{}'::jsonb,
  -- when the card matters: moments, intervals, or fields with a moment for each holder
  dates jsonb not null default '[]'::jsonb,
  -- like locations, by Bluetooth
  beacons jsonb not null default '[]'::jsonb,
  -- buttons of the card, the first the most important
  actions jsonb not null default '[]'::jsonb,
  -- what wallets do differently from what they do by themselves; absent: what they do
  wallet_options jsonb not null default '{}'::jsonb,
  -- how many places it has besides the ten of locations; pass_places has them
  more_locations integer not null default 0,
  -- how its cards draw stamps: over its picture or not, icon and colours; absent: over none, a check, the colours of
  -- the card
  stamp_look jsonb not null default '{}'::jsonb,
  -- offers and links below the card: [{ header, body, url }], each header once
  modules jsonb not null default '[]'::jsonb,
  PRIMARY KEY (pass_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK (((barcode_mode = 'simple'::text) = (barcode_value IS NOT NULL))),
  CHECK (((pool_low_at >= 0) AND (pool_low_at <= 1000000))),
  CHECK ((barcode_format = ANY (ARRAY['qr'::text, 'pdf417'::text, 'aztec'::text, 'code128'::text, 'ean13'::text, 'code39'::text, 'codabar'::text, 'itf'::text]))),
  CHECK ((barcode_mode = ANY (ARRAY['simple'::text, 'unique'::text, 'pool'::text, 'none'::text]))),
  CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))),
  CHECK ((type = ANY (ARRAY['loyalty'::text, 'coupon'::text, 'eventTicket'::text, 'giftCard'::text, 'generic'::text])))
);
CREATE INDEX passes_by_shared_barcode ON public.passes USING btree (barcode_value, workspace_id) WHERE (barcode_mode = 'simple'::text);
CREATE INDEX passes_by_status ON public.passes USING btree (workspace_id, status, pass_id);
CREATE INDEX passes_of_workspace ON public.passes USING btree (workspace_id, pass_id);

-- What a person has shown once and signs in with: a key pair of which this is the public half.
create table passkeys (
  passkey_id uuid not null,
  person_id uuid not null,
  -- by which a browser names it
  credential_id bytea not null,
  -- COSE_Key (RFC 9052)
  public_key bytea not null,
  -- how often it has signed, as it says; one that says less than before was copied
  sign_count bigint not null,
  -- what its person calls it
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  PRIMARY KEY (passkey_id),
  FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX passkeys_by_credential ON public.passkeys USING btree (credential_id);
CREATE INDEX passkeys_of_person ON public.passkeys USING btree (person_id, passkey_id);

-- Somebody who signs in.
create table people (
  person_id uuid not null,
  -- the workspace that has made it, and the only one that it may belong to; null: a mail to its address was answered,
  -- so that it may belong to several
  home_id uuid,
  -- in lower case; null: signs in by links that a command prints
  email text,
  created_at timestamp with time zone not null,
  -- scrypt of it, with its salt and its cost; null: signs in by links
  password text,
  PRIMARY KEY (person_id)
);
CREATE UNIQUE INDEX people_at_home ON public.people USING btree (email, home_id) WHERE (home_id IS NOT NULL);
CREATE UNIQUE INDEX people_proved ON public.people USING btree (email) WHERE (home_id IS NULL);

-- Messages that are to go out later. One that has gone out is a row of rollouts instead, with the same id.
create table planned_messages (
  workspace_id uuid not null,
  message_id uuid not null,
  pass_id uuid not null,
  message text not null,
  -- as rollouts.audience
  audience jsonb,
  -- when it is to go out, as it was asked for
  send_at timestamp with time zone not null,
  -- when its text leaves the cards again; null: it stays
  ends_at timestamp with time zone,
  -- when to send it; while a worker does, the end of its lease; null: it is not going to be sent
  due_at timestamp with time zone,
  -- 'planned'; 'cancelled': by hand, before its time; 'unsent': it could not be sent when its time had come
  state text not null,
  -- the code of the error for which it was not sent
  reason text,
  -- the request that planned it, or changed it last
  request_id text not null,
  -- who planned it, by the public id
  actor text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (message_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  CHECK ((state = ANY (ARRAY['planned'::text, 'cancelled'::text, 'unsent'::text])))
);
CREATE INDEX planned_messages_due ON public.planned_messages USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX planned_messages_of_pass ON public.planned_messages USING btree (pass_id, workspace_id, message_id);

-- A code uploaded for a pass of barcode mode 'pool', which waits for a card or has one.
create table pool_barcodes (
  workspace_id uuid not null,
  pass_id uuid not null,
  barcode text not null,
  -- order of upload: of the free ones of a pass the smallest is issued next
  seq bigint not null generated always as identity,
  -- the card that carries it; null: it is free
  instance_id uuid,
  -- null: it is free
  assigned_at timestamp with time zone,
  PRIMARY KEY (pass_id, workspace_id, barcode),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX pool_barcodes_assigned ON public.pool_barcodes USING btree (pass_id, workspace_id, seq) WHERE (instance_id IS NOT NULL);
CREATE INDEX pool_barcodes_available ON public.pool_barcodes USING btree (pass_id, workspace_id, seq) WHERE (instance_id IS NULL);

-- What a platform demands for the sake of a customer's privacy, and what was done.
create table privacy_requests (
  workspace_id uuid not null,
  request_id uuid not null,
  store_id uuid not null,
  -- 'data_request', 'customer_redact' or 'shop_redact'
  topic text not null,
  -- what the request names: { customerId, emailHash, orderIds }, by the numbers of the store and a keyed hash; no
  -- personal data
  subject jsonb not null,
  -- how far a request that takes several turns has come; null: at its beginning
  cursor text,
  -- cards that it has found
  instance_ids uuid[] not null default '{}'::uuid[],
  received_at timestamp with time zone not null,
  -- when the next step is due; while a worker has it, the end of its lease; null: nothing is left to do
  due_at timestamp with time zone,
  -- null: it is not done yet
  done_at timestamp with time zone,
  PRIMARY KEY (request_id, workspace_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id)
);
CREATE INDEX privacy_requests_due ON public.privacy_requests USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX privacy_requests_of_customer ON public.privacy_requests USING btree (store_id, workspace_id, ((subject ->> 'customerId'::text))) WHERE (topic = 'customer_redact'::text);
CREATE INDEX privacy_requests_of_store ON public.privacy_requests USING btree (store_id, workspace_id, request_id);

-- A status that a program came into, since when, and who changed it.
create table program_states (
  workspace_id uuid not null,
  program_id uuid not null,
  state_id uuid not null,
  status text not null,
  -- public id of the key that changed it
  actor text not null,
  changed_at timestamp with time zone not null,
  PRIMARY KEY (program_id, workspace_id, state_id),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id) ON DELETE CASCADE
);

-- A sixteenth of a program's totals, in points. The sum over the shards counts: issued + adjusted - redeemed - expired
-- - reversed = outstanding. The first five are added up from entries, outstanding from the balances of accounts.
create table program_totals (
  workspace_id uuid not null,
  program_id uuid not null,
  -- 0 to 15, drawn at random for each transaction; one row alone may be below zero
  shard smallint not null,
  issued bigint not null default 0,
  -- also stamps that have unlocked a reward, without those that were given back
  redeemed bigint not null default 0,
  expired bigint not null default 0,
  -- points of earns that were undone
  reversed bigint not null default 0,
  -- adjustments and imports; below zero where more was taken than given
  adjusted bigint not null default 0,
  -- the sum of all balances
  outstanding bigint not null default 0,
  PRIMARY KEY (program_id, workspace_id, shard),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id) ON DELETE CASCADE
);

-- The loyalty program of a pass.
create table programs (
  workspace_id uuid not null,
  program_id uuid not null,
  pass_id uuid not null,
  -- 'POINTS': a reward costs points; 'STAMPS': a number of stamps unlocks one, and they are counted as points; 'MONEY':
  -- points are the smallest unit of a currency
  mode text not null,
  status text not null,
  reward_title text not null,
  -- points that a reward costs; null in 'STAMPS'
  reward_cost bigint,
  -- stamps that unlock a reward; null in 'POINTS'
  threshold bigint,
  -- what an order earns: { perCurrencyUnit, currency, rates, perOrder, minOrder }; without a currency where the version
  -- before 0029 has written it: any counts, one for one
  earn jsonb not null,
  -- how long what is earned lasts; null: for ever
  expiry_months integer,
  -- points that a card may earn in a calendar day; null: any number
  per_day bigint,
  -- seconds between two earns of a card; null: none
  min_seconds_between integer,
  -- what becomes of points that were spent before their earn is undone: 'debt' takes the balance below zero,
  -- 'within_balance' takes no more than is there
  refund_policy text not null,
  -- what one point is called, and several: { one, other }
  point_name jsonb not null,
  -- whether a card in 'STAMPS' draws its stamps as a picture
  draws_stamps boolean not null,
  -- since then the cards show the program; null: they do not yet
  launched_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  -- of 'POINTS': { rewardId, title, cost, status }, of which the first has the title and the cost of the row; empty:
  -- that is the only one, and has the id of the program
  rewards jsonb[] not null default '{}'::jsonb[],
  -- { key, title, from, multiplier }, by the lifetime points that they begin at
  tiers jsonb[] not null default '{}'::jsonb[],
  -- points that one award may give; null: any number
  per_award bigint,
  -- the same for people of a role, in the place of it: { role: points }
  per_award_by_role jsonb not null default '{}'::jsonb,
  -- of 'MONEY': the code of ISO 4217; null in other programs
  currency text,
  -- of 'MONEY': what a card may hold, in the smallest unit; null: any amount
  max_balance bigint,
  PRIMARY KEY (program_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  CHECK ((((mode = 'POINTS'::text) = (reward_cost IS NOT NULL)) AND ((mode = 'STAMPS'::text) = (threshold IS NOT NULL)))),
  CHECK (((max_balance IS NULL) OR ((max_balance > 0) AND (currency IS NOT NULL)))),
  CHECK (((mode = 'MONEY'::text) = (currency IS NOT NULL))),
  CHECK (((reward_cost >= 1) AND (reward_cost <= '9007199254740991'::bigint))),
  CHECK (((threshold >= 1) AND (threshold <= '9007199254740991'::bigint))),
  CHECK ((expiry_months > 0)),
  CHECK ((min_seconds_between > 0)),
  CHECK ((mode = ANY (ARRAY['POINTS'::text, 'STAMPS'::text, 'MONEY'::text]))),
  CHECK ((per_award > 0)),
  CHECK ((per_day > 0)),
  CHECK ((refund_policy = ANY (ARRAY['debt'::text, 'within_balance'::text]))),
  CHECK ((status = ANY (ARRAY['not_launched'::text, 'active'::text, 'paused'::text])))
);
CREATE UNIQUE INDEX programs_of_pass ON public.programs USING btree (pass_id, workspace_id);
CREATE INDEX programs_of_workspace ON public.programs USING btree (workspace_id, program_id);

-- What a card owes its wallets: one row, whatever has changed and how often. The wallets read the newest state.
create table pushes (
  workspace_id uuid not null,
  instance_id uuid not null,
  -- held for it until it is delivered or has failed for good
  credits integer not null,
  -- since when a change waits for credits; null: none does
  skipped_at timestamp with time zone,
  -- a top-up paid for it: the caller's re-send is free
  repaid boolean not null default false,
  -- it comes from a rollout alone, which stands on the timeline of all its cards as it is
  rolled_out boolean not null,
  -- whether wallets of Apple have still to be told
  apple boolean not null,
  -- whether wallets of Google have still to be told
  google boolean not null,
  -- whether browsers have still to be told
  web boolean not null,
  -- whether any wallet was told
  delivered boolean not null default false,
  -- since when something is owed; what no wallet has taken for a week has failed
  created_at timestamp with time zone not null,
  -- the pass of the card; null where that was not kept
  pass_id uuid,
  -- the request of the newest change that it brings; null where that was not kept
  request_id text,
  -- rollouts.rollout_id of the messages that it brings, and that count it once it is settled
  message_ids uuid[] not null default '{}'::uuid[],
  PRIMARY KEY (instance_id, workspace_id),
  CHECK ((credits >= 0))
);
CREATE INDEX pushes_skipped ON public.pushes USING btree (workspace_id, skipped_at) WHERE (skipped_at IS NOT NULL);
CREATE INDEX pushes_waiting ON public.pushes USING btree (created_at) WHERE (apple OR google OR web);

-- What became of a request, kept for 30 days, without bodies and secrets. Of reads that succeed only some are kept.
create table request_log (
  -- whose key was sent; all zeroes where none was known, which the operator alone can see
  workspace_id uuid not null,
  log_id uuid not null,
  -- the caller may have chosen it, and used it twice
  request_id text not null,
  -- null where not even that could be read
  method text,
  -- as the route declares it, with ids in place and nothing else of what was sent; null: no such path
  path text,
  op text,
  -- 499: the client went away before the answer
  status smallint not null,
  -- of the refusal; null: it was not refused
  code text,
  -- of the refusal, without what names a person
  message text,
  -- as in audit_log; null: nobody who was known
  actor text,
  -- the pass that path or body name; null: they name none
  pass_id uuid,
  -- the card that path, body or answer name; null: they name none, or several
  instance_id uuid,
  -- from the request to the end of its answer
  ms double precision not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (log_id, workspace_id)
);
CREATE INDEX request_log_by_request ON public.request_log USING btree (request_id, workspace_id, log_id);
CREATE INDEX request_log_of_actor ON public.request_log USING btree (actor, workspace_id, log_id) WHERE (actor IS NOT NULL);
CREATE INDEX request_log_of_code ON public.request_log USING btree (code, workspace_id, log_id) WHERE (code IS NOT NULL);
CREATE INDEX request_log_of_instance ON public.request_log USING btree (instance_id, workspace_id, log_id) WHERE (instance_id IS NOT NULL);
CREATE INDEX request_log_of_op ON public.request_log USING btree (op, workspace_id, log_id);
CREATE INDEX request_log_of_status ON public.request_log USING btree (status, workspace_id, log_id);
CREATE INDEX request_log_of_workspace ON public.request_log USING btree (workspace_id, log_id);

-- A reward that stamps have unlocked. It keeps the title and threshold that it was unlocked with: a program may change
-- later.
create table rewards (
  workspace_id uuid not null,
  account_id uuid not null,
  -- number of the entry that unlocked it
  seq bigint not null,
  title text not null,
  threshold bigint not null,
  status text not null,
  -- number of the entry that redeemed or cancelled it; null: it is pending
  closed_seq bigint,
  PRIMARY KEY (account_id, workspace_id, seq),
  CHECK (((status = 'pending'::text) = (closed_seq IS NULL))),
  CHECK ((status = ANY (ARRAY['pending'::text, 'redeemed'::text, 'cancelled'::text])))
);
CREATE INDEX rewards_pending ON public.rewards USING btree (account_id, workspace_id, seq) WHERE (status = 'pending'::text);

-- A change of a design, or a message, on its way to all installed cards of a pass. It walks them by
-- instances.instance_id, then lets go of the devices that it held back, so that each gets one push however many of its
-- cards have changed. A changed design begins its walk anew: one of that kind at a time.
create table rollouts (
  workspace_id uuid not null,
  rollout_id uuid not null,
  pass_id uuid not null,
  kind text not null,
  -- installed cards when it began
  cards bigint not null,
  -- cards that were reached
  done bigint not null default 0,
  -- those of the reached cards that no credit was left for
  skipped bigint not null default 0,
  -- paid for ahead and not yet handed to a card
  credits bigint not null default 0,
  -- 'cards': it walks them; 'devices': it lets go of those that it held back; 'finished'
  stage text not null,
  -- the card that was reached last; null: none yet
  cursor uuid,
  -- when the next of the devices that it held back may be pushed to
  release_at timestamp with time zone not null,
  -- when its last turn began: the one that waited longest is next
  walked_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  -- null: it is under way
  finished_at timestamp with time zone,
  -- the text of a message; null: it is a design, or of before texts were kept
  message text,
  -- which of the installed cards a message is for, as it was asked for; null: all of them
  audience jsonb,
  -- the request that began it; null where that was not kept
  request_id text,
  -- who began it, by the public id; null where that was not kept
  actor text,
  -- by which cards know its text, as passes.message_id and instances.message_id: of the moment when it went out; null:
  -- rollout_id
  news_id uuid,
  -- when the message was to go out; null: at once
  send_at timestamp with time zone,
  -- when the text is to leave the cards; null: it stays
  ends_at timestamp with time zone,
  -- when to take the next step of that; null: there is none
  ending_at timestamp with time zone,
  -- the card from which the text has left last; null: from none yet
  ending_cursor uuid,
  -- when the text began to leave the cards, at its end or by hand; null: it is there
  ended_at timestamp with time zone,
  PRIMARY KEY (rollout_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id) ON DELETE CASCADE,
  CHECK ((credits >= 0)),
  CHECK ((kind = ANY (ARRAY['design'::text, 'message'::text]))),
  CHECK ((stage = ANY (ARRAY['cards'::text, 'devices'::text, 'finished'::text])))
);
CREATE INDEX rollouts_ending ON public.rollouts USING btree (ending_at) WHERE (ending_at IS NOT NULL);
CREATE INDEX rollouts_messages ON public.rollouts USING btree (pass_id, workspace_id, rollout_id) WHERE (kind = 'message'::text);
CREATE INDEX rollouts_of_pass ON public.rollouts USING btree (pass_id, workspace_id, rollout_id);
CREATE INDEX rollouts_open ON public.rollouts USING btree (walked_at) WHERE (stage <> 'finished'::text);
CREATE UNIQUE INDEX rollouts_open_design ON public.rollouts USING btree (pass_id, workspace_id) WHERE ((kind = 'design'::text) AND (stage <> 'finished'::text));

-- A browser in which a person is signed in; deleted as it is ended.
create table sessions (
  session_id uuid not null,
  -- SHA-256 of what the cookie holds
  secret_hash bytea not null,
  person_id uuid not null,
  -- what the browser calls itself
  user_agent text,
  signed_in_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  -- the till at which its person signed in, as staff of its workspace; null: at a browser of their own
  device_id uuid,
  PRIMARY KEY (session_id),
  FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sessions_by_secret ON public.sessions USING btree (secret_hash);
CREATE INDEX sessions_of_device ON public.sessions USING btree (device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX sessions_of_person ON public.sessions USING btree (person_id, session_id);

-- A link that signs a person in, once: it is deleted as it is used.
create table sign_in_links (
  secret_hash bytea not null,
  person_id uuid not null,
  -- the address that it was mailed to, which whoever uses it has; null: it was shown
  proves text,
  expires_at timestamp with time zone not null,
  -- whoever has the address has asked for it: it joins no workspace of several; false: a workspace has sent it, to join
  -- it
  asked boolean not null default false,
  PRIMARY KEY (secret_hash),
  FOREIGN KEY (person_id) REFERENCES people(person_id) ON DELETE CASCADE
);
CREATE INDEX sign_in_links_of_person ON public.sign_in_links USING btree (person_id);

-- How many cards of a pass were awarded or redeemed in a day, week or month; those of a month are not the sum of its
-- days.
create table statistics_active (
  workspace_id uuid not null,
  pass_id uuid not null,
  unit text not null,
  -- its first day; weeks begin on Mondays
  begins date not null,
  cards bigint not null,
  PRIMARY KEY (pass_id, unit, begins, workspace_id),
  CHECK ((unit = ANY (ARRAY['day'::text, 'week'::text, 'month'::text])))
);

-- From which day to which a card was counted as active: a day, week or month that is not within is new to it.
create table statistics_cards (
  workspace_id uuid not null,
  instance_id uuid not null,
  first_day date not null,
  last_day date not null,
  PRIMARY KEY (instance_id, workspace_id)
);

-- How far the events of a workspace are counted and sent. The worker that follows the log locks it.
create table statistics_cursors (
  workspace_id uuid not null,
  -- the number of the last event that was counted; 0: none yet
  counted_seq bigint not null default 0,
  -- what happened before is counted by statistics_walks, whatever the event log tells of it; null: nothing was before
  counts_from timestamp with time zone,
  -- the number of the last event whose deliveries to webhooks were made; 0: none yet
  sent_seq bigint not null default 0,
  -- when events were counted last
  counted_at timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  PRIMARY KEY (workspace_id)
);

-- How often something happened on a day to the cards of a pass, and to their points.
create table statistics_days (
  workspace_id uuid not null,
  pass_id uuid not null,
  -- all bytes 0: wherever it was; else what is attributed to the partner, which is counted there as well
  partner_id uuid not null,
  -- in the time zone that the workspace had when it was counted
  day date not null,
  -- of an entry of the ledger, as the API shows it; or what happened to a card: 'issued', 'installed' and so on
  kind text not null,
  happened bigint not null,
  -- what entries have added to balances
  points_in numeric not null,
  -- what entries have taken from balances; zero or less
  points_out numeric not null,
  PRIMARY KEY (pass_id, partner_id, day, kind, workspace_id)
);

-- How many cards of a pass were awarded or redeemed for the first time on a day, and how many for the last time so far:
-- statistics_cards, counted. What the version before counts after the migration stays on the earlier day.
create table statistics_visitors (
  workspace_id uuid not null,
  pass_id uuid not null,
  visit text not null,
  day date not null,
  cards bigint not null,
  PRIMARY KEY (pass_id, visit, day, workspace_id),
  CHECK ((visit = ANY (ARRAY['first'::text, 'last'::text])))
);

-- How far the cards and the ledger of a pass were counted, of the time before statistics_cursors.counts_from. Gone at
-- the end.
create table statistics_walks (
  workspace_id uuid not null,
  pass_id uuid not null,
  stage text not null,
  -- the card or account that was counted last; null: none of the stage yet
  cursor uuid,
  -- of the next step; while a worker takes it, the end of its lease
  due_at timestamp with time zone not null,
  PRIMARY KEY (pass_id, workspace_id),
  CHECK ((stage = ANY (ARRAY['cards'::text, 'accounts'::text])))
);
CREATE INDEX statistics_walks_due ON public.statistics_walks USING btree (due_at);

-- What a store has sent. It is answered before anything is done with it.
create table store_webhooks (
  workspace_id uuid not null,
  store_id uuid not null,
  webhook_id uuid not null,
  -- the platform's name of the delivery; the hash of the body where it gives none
  delivery_id text not null,
  -- the platform's name of what it is about
  topic text not null,
  -- as it came; null once it was worked off or dropped, since it holds personal data
  body bytea,
  received_at timestamp with time zone not null,
  -- when it is worked off or tried again; while a worker has it, the end of its lease; null: worked off, or given up
  due_at timestamp with time zone,
  -- how often it was taken to be worked off
  attempts integer not null default 0,
  -- the code that it was refused with last; null: it was not, or is worked off
  refused text,
  -- the store's number of the order that it tells of as it stands; null: of something else, or nobody has read it yet
  order_id text,
  -- what of it could not be read, in a sentence; null: it was read
  reason text,
  PRIMARY KEY (store_id, workspace_id, webhook_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id)
);
CREATE INDEX store_webhooks_by_age ON public.store_webhooks USING btree (received_at);
CREATE INDEX store_webhooks_by_due ON public.store_webhooks USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX store_webhooks_due ON public.store_webhooks USING btree (workspace_id, store_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX store_webhooks_given_up ON public.store_webhooks USING btree (store_id, workspace_id) WHERE ((due_at IS NULL) AND (body IS NOT NULL));
CREATE UNIQUE INDEX store_webhooks_one_delivery ON public.store_webhooks USING btree (delivery_id, store_id, workspace_id);

-- An online store that is or was connected, and how far its orders were read.
create table stores (
  workspace_id uuid not null,
  store_id uuid not null,
  -- 'shopify', 'woocommerce' or 'custom'
  platform text not null,
  -- a host, with its port where that is not 443
  domain text not null,
  -- the pass whose cards its orders earn on; null: they earn nothing
  pass_id uuid,
  -- sealed JSON; null where the platform has none, and once the store is disconnected
  credentials text,
  -- sealed JSON: [{ secret, until }], the newest first; kept for three months when the store is disconnected, since
  -- privacy requests follow; null once nothing that they sign is taken any more
  webhook_secrets text,
  -- what counts as consent to being mailed, where the platform does not say: { metaKey, metaValue } or { attestedBy,
  -- recordedAt, recordedBy }; null: no rule is given
  consent jsonb,
  -- whether an order that was edited after it was paid earns by its newest total
  follows_edits boolean not null,
  -- orders that were placed before are none of ours
  connected_at timestamp with time zone not null,
  -- null: it is connected
  disconnected_at timestamp with time zone,
  -- every order that was changed before this moment was read
  watermark timestamp with time zone not null,
  -- when its orders are read next; while a worker reads, the end of its lease; null: there is nothing to read
  reconcile_at timestamp with time zone,
  -- when its orders were last read through; null: never
  reconciled_at timestamp with time zone,
  -- failed turns in a row
  failures integer not null default 0,
  -- code of what the last turn has met, or of why the store's own side disconnected it; null: nothing
  problem text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (store_id, workspace_id),
  FOREIGN KEY (pass_id, workspace_id) REFERENCES passes(pass_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id)
);
CREATE INDEX stores_due ON public.stores USING btree (reconcile_at) WHERE (reconcile_at IS NOT NULL);
CREATE INDEX stores_of_workspace ON public.stores USING btree (workspace_id, store_id);
CREATE UNIQUE INDEX stores_one_domain ON public.stores USING btree (domain, platform, workspace_id) WHERE (disconnected_at IS NULL);

-- An address that is never mailed again, by its hash alone.
create table suppressions (
  workspace_id uuid not null,
  -- keyed hash of the address, as in invites
  email_hash bytea not null,
  -- the first that there was
  reason text not null,
  created_at timestamp with time zone not null,
  PRIMARY KEY (email_hash, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'bounced'::text, 'redacted'::text])))
);

-- An address that a dry run would have invited, so that it counts each once; until the dry run has ended.
create table sweep_contacts (
  workspace_id uuid not null,
  sweep_id uuid not null,
  -- keyed hash of the address, as in invites
  email_hash bytea not null,
  PRIMARY KEY (sweep_id, workspace_id, email_hash)
);

-- What became of a customer in a sweep. Whoever writes here holds the sweep, which is never removed.
create table sweep_items (
  workspace_id uuid not null,
  sweep_id uuid not null,
  -- the customer's number in the store
  customer_id text not null,
  -- 'invited', or why not
  outcome text not null,
  -- the invitation; null: there is none
  invite_id uuid,
  decided_at timestamp with time zone not null,
  PRIMARY KEY (sweep_id, workspace_id, customer_id)
);

-- An invitation of a store's existing customers. It outlives its pass, so that its customers are forgotten in time.
create table sweeps (
  workspace_id uuid not null,
  sweep_id uuid not null,
  pass_id uuid not null,
  store_id uuid not null,
  status text not null,
  -- counts, and invites nobody
  dry_run boolean not null,
  -- the most customers that are invited; null: all
  most integer,
  -- where the store's list of customers was left, as its platform names the place; null: at its beginning
  cursor text,
  -- while a worker has it, the end of its lease; else when it goes on; null: it has ended
  due_at timestamp with time zone,
  -- { found, invited, … }: customers by outcome
  counts jsonb not null,
  -- failed pages in a row
  failures integer not null default 0,
  -- how many of the failures, up to the last, were answers that nobody could read
  unreadable integer not null default 0,
  -- code of why the last page, or the sweep, has failed; null: it has not
  problem text,
  -- public id of the key that began it
  actor text not null,
  started_at timestamp with time zone not null,
  -- null: it is running
  finished_at timestamp with time zone,
  -- when what became of each customer was forgotten; null: it is kept
  trimmed_at timestamp with time zone,
  PRIMARY KEY (sweep_id, workspace_id),
  FOREIGN KEY (store_id, workspace_id) REFERENCES stores(store_id, workspace_id),
  CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX sweeps_by_age ON public.sweeps USING btree (finished_at) WHERE ((finished_at IS NOT NULL) AND (trimmed_at IS NULL));
CREATE INDEX sweeps_due ON public.sweeps USING btree (due_at) WHERE (status = 'running'::text);
CREATE INDEX sweeps_of_pass ON public.sweeps USING btree (pass_id, workspace_id, sweep_id);
CREATE UNIQUE INDEX sweeps_one_running ON public.sweeps USING btree (pass_id, workspace_id) WHERE (status = 'running'::text);

-- programs whose accounts are looked through for balances that fill a card
create table unlock_walks (
  workspace_id uuid not null,
  program_id uuid not null,
  pass_id uuid not null,
  -- the account that was looked at last; null: none yet
  cursor uuid,
  -- who has lowered the threshold, by the public id; null: the walk began with an update of the service
  actor text,
  -- the request that has lowered it
  request_id text,
  -- at the end the walk begins again at this moment, since awards that were under way had read the former threshold;
  -- null: it is over then
  again_at timestamp with time zone,
  -- when the next step is due
  due_at timestamp with time zone not null,
  PRIMARY KEY (program_id, workspace_id),
  FOREIGN KEY (program_id, workspace_id) REFERENCES programs(program_id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX unlock_walks_due ON public.unlock_walks USING btree (due_at);

-- A sealed challenge that was answered, until it would be too old anyway: none is answered twice.
create table used_challenges (
  -- SHA-256 of it
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (challenge_hash)
);
CREATE INDEX used_challenges_over ON public.used_challenges USING btree (expires_at);

-- A wallet that refuses what we are, not what we send: nothing is sent to it until retry_at.
create table wallet_stops (
  wallet text not null,
  -- the Pass Type ID of Apple, or the issuer id of Google
  scope text not null,
  -- the platform's own word
  reason text not null,
  since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  PRIMARY KEY (wallet, scope),
  CHECK ((wallet = ANY (ARRAY['apple'::text, 'google'::text])))
);

-- A web card that is open or installed somewhere. It counts as a wallet until it expires.
create table web_cards (
  workspace_id uuid not null,
  instance_id uuid not null,
  -- the browser
  viewer_id uuid not null,
  -- the address of the browser's push service, where the holder allowed it; null: there is none
  push_endpoint text,
  -- when it stops to count as a wallet; infinity while its push service has not said that it is gone
  expires_at timestamp with time zone not null,
  -- grows by 1 with each change of the card
  tag bigint not null default 0,
  -- when to push next; while a worker does, the end of its lease; null: it was told everything
  due_at timestamp with time zone,
  -- attempts to push that have failed in a row
  attempts smallint not null default 0,
  -- whether the timeline says that it was added; a browser that only has the card open was not. The version before says
  -- it of all
  added boolean not null default true,
  -- what pushes are encrypted with (RFC 8291): { p256dh, auth } of the subscription, as base64url; null: pushes are
  -- empty
  push_keys jsonb,
  -- what the browser knows of the card: a hash of each fact, by its key; a push says what differs. null: nothing
  said jsonb,
  PRIMARY KEY (instance_id, workspace_id, viewer_id),
  FOREIGN KEY (instance_id, workspace_id) REFERENCES instances(instance_id, workspace_id)
);
CREATE INDEX web_cards_by_end ON public.web_cards USING btree (expires_at);
CREATE INDEX web_cards_due_pushed ON public.web_cards USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (push_endpoint IS NOT NULL));
CREATE INDEX web_cards_due_shown ON public.web_cards USING btree (due_at) WHERE ((due_at IS NOT NULL) AND COALESCE((push_endpoint IS NULL), true));

-- Events that the process that numbered them is sending to webhooks for the first time; what has ended has a row among
-- the deliveries.
create table webhook_claims (
  workspace_id uuid not null,
  -- the first of the events
  from_seq bigint not null,
  webhook_ids uuid[] not null,
  -- the last event for each of the webhooks
  to_seqs bigint[] not null,
  -- the end of the lease: then another process makes the rows that are missing
  due_at timestamp with time zone not null,
  PRIMARY KEY (workspace_id, from_seq)
);
CREATE INDEX webhook_claims_due ON public.webhook_claims USING btree (due_at);

-- An event on its way to a webhook, and what became of it; kept for 30 days.
create table webhook_deliveries (
  webhook_id uuid not null,
  -- made of event_id, whose first half it begins with, and webhook_id: an event has one at a webhook
  delivery_id uuid not null,
  workspace_id uuid not null,
  event_id uuid not null,
  type text not null,
  status text not null,
  -- when it is sent or tried again; while a worker has it, the end of its lease; null: delivered, or given up
  due_at timestamp with time zone,
  -- false until it was tried: what is new has its own places
  is_retry boolean not null,
  -- sent once, by hand: whatever the status of the webhook, and not again
  is_single boolean not null,
  -- attempts of the schedule that have failed
  tries smallint not null,
  -- the last ones: { at, status, milliseconds, answer, problem }, the answer cut to its first bytes
  attempts jsonb not null,
  -- when the event was made
  created_at timestamp with time zone not null,
  PRIMARY KEY (webhook_id, delivery_id, workspace_id),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_by_due ON public.webhook_deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, workspace_id, is_retry, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_ended ON public.webhook_deliveries USING btree (created_at) WHERE (due_at IS NULL);
CREATE INDEX webhook_deliveries_of_type ON public.webhook_deliveries USING btree (webhook_id, type, workspace_id, delivery_id);
CREATE INDEX webhook_deliveries_undelivered ON public.webhook_deliveries USING btree (webhook_id, status, delivery_id) WHERE (status <> 'delivered'::text);

-- Where a workspace wants to hear of its events.
create table webhooks (
  webhook_id uuid not null,
  workspace_id uuid not null,
  url text not null,
  -- '*', a kind of event, or 'points.*' for all that begin alike
  types text[] not null,
  -- only events of these passes; null: all, those of no pass among them
  pass_ids uuid[],
  description text,
  -- 'thin': without what an event concerns
  payload text not null,
  -- 'paused' by its owner, 'disabled' by us; a deleted one stays as long as what became of its deliveries is kept
  status text not null,
  -- what signs, sealed: a list of { secret, until }; until null: for good
  secrets text not null,
  -- what its owner is told: a delivery has failed four times in a row, 410 was answered, nothing has succeeded for five
  -- days
  problem text,
  -- the first failure since something succeeded; null: the last attempt did
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  PRIMARY KEY (webhook_id, workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces(workspace_id),
  CHECK ((payload = ANY (ARRAY['full'::text, 'thin'::text]))),
  CHECK ((problem = ANY (ARRAY['failing'::text, 'gone'::text, 'no_success'::text]))),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text, 'deleted'::text])))
);
CREATE INDEX webhooks_deleted ON public.webhooks USING btree (updated_at) WHERE (status = 'deleted'::text);
CREATE INDEX webhooks_of_workspace ON public.webhooks USING btree (workspace_id, webhook_id);

-- A tenant of the installation.
create table workspaces (
  workspace_id uuid not null,
  name text not null,
  plan text not null,
  -- since when its keys are refused; null: they are not
  suspended_at timestamp with time zone,
  -- IANA name; the days of loyalty limits begin and end in it
  timezone text not null default 'UTC'::text,
  -- language of cards and mails where that of the person is not known
  locale text not null default 'en'::text,
  -- ISO 4217 code
  currency text not null default 'EUR'::text,
  -- what a new pass takes when its body leaves it out: { colors, terms }
  defaults jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  -- the certificate whose end it was told of last, by its fingerprint, and how many days before; null: never
  certificate_told text,
  -- the pass type of its own that signs new passes; null: that of the installation does
  apple_pass_type_identifier text,
  -- the issuer of its own that new cards at Google are of; null: that of the installation
  google_issuer_id text,
  -- how telephone numbers without a country are read, ISO 3166-1; null: by its time zone or locale, where these name
  -- one
  country text,
  -- numbers that could not be read are read again of cards with later ids, for another country; null: none are
  reread_after uuid,
  -- the P-256 key that iPhones encrypt for, as pass files have it; null: no reader may ask for cards
  nfc_public_key text,
  -- sealed; null where the maker of the readers keeps it
  nfc_private_key text,
  -- ids of the issuers at Google whose readers may ask for cards
  nfc_redemption_issuers jsonb not null default '[]'::jsonb,
  PRIMARY KEY (workspace_id),
  CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CHECK ((plan = ANY (ARRAY['entry'::text, 'pro'::text])))
);
CREATE INDEX workspaces_by_certificate_told ON public.workspaces USING btree (certificate_told);
CREATE INDEX workspaces_to_reread ON public.workspaces USING btree (reread_after) WHERE (reread_after IS NOT NULL);
