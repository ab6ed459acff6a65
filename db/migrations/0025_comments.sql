-- What tables and columns hold, said by the database itself: psql shows it with \d+, and db/schema.sql prints it. A column
-- whose meaning follows from its name and its table has no comment. Everybody reads and writes meanwhile.
--
-- Comments name tables and columns as they are, and a column of another table with its table: a test looks whether they are
-- there. Values stand in quotation marks. A migration that changes what a column means changes its comment.

-- Workspaces, their keys and their credits.

comment on table workspaces is 'A tenant of the installation.';
comment on column workspaces.suspended_at is 'since when its keys are refused; null: they are not';
comment on column workspaces.timezone is 'IANA name; the days of loyalty limits begin and end in it';
comment on column workspaces.locale is 'language of cards and mails where that of the person is not known';
comment on column workspaces.currency is 'ISO 4217 code';
comment on column workspaces.defaults is 'what a new pass takes when its body leaves it out: { colors, terms }';

comment on table api_keys is 'What a caller may do. The secrets that open it are in api_key_secrets.';
comment on column api_keys.pass_ids is 'the only passes that it reaches; null: all';
comment on column api_keys.rate_limit is 'requests per second; null: the default of the installation';
comment on column api_keys.expires_at is 'null: never';
comment on column api_keys.revoked_at is 'null: it was not revoked';
comment on column api_keys.last_used_at is 'written once a minute at most; null: it was never used';

comment on table api_key_secrets is
  'The directory from a secret to its key: the one look-up that does not know its workspace yet. Two rows of a key while '
  'a rotation overlaps.';
comment on column api_key_secrets.secret_hash is 'SHA-256 of the secret, which itself is not kept';
comment on column api_key_secrets.expires_at is 'when a rotation ends it; null: it lasts as long as its key';

comment on table operation_claims is
  'An idempotency key of a workspace, what it was used for and the answer that it got. One answer per operation and key, '
  'for ever: a retry replays it byte for byte.';
comment on column operation_claims.operation is 'the name of the operation';
comment on column operation_claims.key is 'the idempotency key of the caller';
comment on column operation_claims.fingerprint is
  'SHA-256 of what the effect depends on: the same key with another one is refused';
comment on column operation_claims.status is
  'HTTP status of the answer; null only within a transaction that makes sure of a refusal';
comment on column operation_claims.body is
  'the body of the answer; sealed where it holds a secret, without the person once that is forgotten';
comment on column operation_claims.request_id is 'the request that got the answer first';

comment on table audit_log is
  'Who changed what, in the transaction that changed it. Append-only, but that the reason of an erased card may be taken '
  'out of detail.';
comment on column audit_log.action is 'the name of the operation, as in OpenAPI and the access log';
comment on column audit_log.actor is 'public id of the key or store that did it; ''operator''';
comment on column audit_log.target is 'public id of what was changed';
comment on column audit_log.detail is 'what changed, without secrets';

comment on table credit_accounts is 'The cached balance of credit_entries. Its row is the last that a transaction locks.';
comment on column credit_accounts.balance is 'credits that are free';
comment on column credit_accounts.reserved is 'credits that are held for pushes under way';
comment on column credit_accounts.spent is 'credits that pushes have cost so far';
comment on column credit_accounts.seq is 'number of the newest entry; 0: there is none';

comment on table credit_entries is
  'An entry in the ledger of credits. It moves credits between the free balance and what is held for pushes under way. '
  'Append-only.';
comment on column credit_entries.seq is 'contiguous from 1';
comment on column credit_entries.kind is
  '''grant'': a top-up; ''reserve'': held for pushes; ''settle'': what was held is spent; ''release'': what was held '
  'comes back';
comment on column credit_entries.amount is 'what it adds to the free balance';
comment on column credit_entries.balance is 'the free balance after it';
comment on column credit_entries.reserved is 'what it adds to the credits that are held';
comment on column credit_entries.external_ref is 'the operator''s own name of a grant; null: it has none';

comment on table credit_flushes is 'A top-up that has yet to pay for pushes that were skipped. Flushes take turns.';
comment on column credit_flushes.requested_at is 'when the newest top-up was made';
comment on column credit_flushes.walked_at is 'when its last turn began: the one that waited longest is next';

-- Passes, their programs, pools and images.

comment on table passes is 'A design: what all its cards share.';
comment on column passes.expiry is
  'when its cards expire: { kind: none }, { kind: fixed, at } or { kind: afterIssue, days }';
comment on column passes.fields is
  '[{ key, label, value, section, editable, changeMessage }]; value is what holders without one of their own see';
comment on column passes.colors is '{ background, foreground, label }; null leaves the choice to the wallet';
comment on column passes.barcode_mode is
  '''simple'': one value for all cards; ''unique'': one each; ''pool'': the next of pool_barcodes; ''none''';
comment on column passes.barcode_value is 'the value of all cards in mode ''simple''; null in all others';
comment on column passes.locations is '[{ latitude, longitude, relevantText }]';
comment on column passes.metadata is 'the caller''s own, by name';
comment on column passes.revision is 'grows by 1 with each change that its cards show';
comment on column passes.modified_at is
  'when its cards last began to show a change of it; each change has a later moment, by a millisecond at least';
comment on column passes.updated_at is 'when it was last changed, whether or not its cards show that';
comment on column passes.message is 'the newest message to all holders; null: there was none';
comment on column passes.program_id is 'its program, so that whoever has the pass need not look for it; null: it has none';
comment on column passes.images is
  'by parameter (iconUrl, logoUrl, …): the URL that was sent, and the files made of it (name → hash, width, height)';
comment on column passes.pool_low_at is 'the pool is low once no more than so many codes are left';
comment on column passes.pool_low_seq is
  'pool_barcodes.seq of a code: whoever issues it, or a later one, finds the pool low; null: no more than pool_low_at '
  'are left';
comment on column passes.pool_low_since is 'since when the pool is low; null while it is not';
comment on column passes.pool_from_seq is
  'no code with a smaller pool_barcodes.seq is left in the pool: who looks for the next begins here';

comment on table pass_counters is
  'A sixteenth of a pass''s counts: concurrent issues do not queue for one row. The sum over the shards counts.';
comment on column pass_counters.shard is '0 to 15, drawn at random for each change; one row alone may be below zero';
comment on column pass_counters.issued is 'cards, voided ones too';
comment on column pass_counters.installed is 'cards that any wallet holds now';
comment on column pass_counters.voided is 'cards that are voided now';
comment on column pass_counters.pooled is 'codes of the pool, free or on a card';
comment on column pass_counters.assigned is 'codes of the pool that are on a card';

comment on table pool_barcodes is 'A code uploaded for a pass of barcode mode ''pool'', which waits for a card or has one.';
comment on column pool_barcodes.seq is 'order of upload: of the free ones of a pass the smallest is issued next';
comment on column pool_barcodes.instance_id is 'the card that carries it; null: it is free';
comment on column pool_barcodes.assigned_at is 'null: it is free';

comment on table image_files is
  'The bytes of an image, a PNG, once a workspace however many passes show it. They never change.';
comment on column image_files.hash is
  'SHA-256 of the bytes, hexadecimal; the public address of the image names nothing else';
comment on column image_files.width is 'in pixels';
comment on column image_files.height is 'in pixels';
comment on column image_files.kept_at is 'when a pass last took it up; a file that no pass names is removed long after';

comment on table programs is 'The loyalty program of a pass.';
comment on column programs.mode is
  '''POINTS'': a reward costs points; ''STAMPS'': a number of stamps unlocks one. Stamps are counted as points';
comment on column programs.reward_cost is 'points that a reward costs; null in ''STAMPS''';
comment on column programs.threshold is 'stamps that unlock a reward; null in ''POINTS''';
comment on column programs.earn is 'what an order earns: { perCurrencyUnit, perOrder, minOrder }';
comment on column programs.expiry_months is 'how long what is earned lasts; null: for ever';
comment on column programs.per_day is 'points that a card may earn in a calendar day; null: any number';
comment on column programs.min_seconds_between is 'seconds between two earns of a card; null: none';
comment on column programs.refund_policy is
  'what becomes of points that were spent before their earn is undone: ''debt'' takes the balance below zero, '
  '''within_balance'' takes no more than is there';
comment on column programs.point_name is 'what one point is called, and several: { one, other }';
comment on column programs.draws_stamps is 'whether a card in ''STAMPS'' draws its stamps as a picture';
comment on column programs.launched_at is 'since then the cards show the program; null: they do not yet';

comment on table program_states is 'A status that a program came into, since when, and who changed it.';
comment on column program_states.actor is 'public id of the key that changed it';

comment on table program_totals is
  'A sixteenth of a program''s totals, in points. The sum over the shards counts: issued + adjusted - redeemed - expired '
  '- reversed = outstanding. The first five are added up from entries, outstanding from the balances of accounts.';
comment on column program_totals.shard is '0 to 15, drawn at random for each transaction; one row alone may be below zero';
comment on column program_totals.redeemed is 'also stamps that have unlocked a reward, without those that were given back';
comment on column program_totals.reversed is 'points of earns that were undone';
comment on column program_totals.adjusted is 'adjustments and imports; below zero where more was taken than given';
comment on column program_totals.outstanding is 'the sum of all balances';

comment on table partners is 'A shop or campaign that cards and entries are attributed to.';
comment on column partners.external_id is 'the number of the partner in the caller''s own system; null: it has none';
comment on column partners.deleted_at is
  'a deleted partner keeps its row, since entries and cards name it; null: it is not deleted';

-- Cards and the persons behind them.

comment on table instances is 'A card: one holder''s copy of a pass. What is personal stands in holders.';
comment on column instances.barcode is 'null where the pass has no barcode, or one value shared by all its cards';
comment on column instances.addressable is
  'whether a link of ours reaches it, so that it can show values of its holder''s own; imported cards are not, unless '
  'told';
comment on column instances.installed is 'whether any wallet holds the card now';
comment on column instances.fields is
  'the holder''s own values by key of the field; null: a cleared one; absent: the value of the pass';
comment on column instances.expires_at is 'goes before the expiry of the pass; null: that counts';
comment on column instances.partner_id is 'the partner at which it was issued; null: at none';
comment on column instances.metadata is 'the caller''s own, by name';
comment on column instances.link_secret is '128 random bits, part of the address of the card''s page';
comment on column instances.authentication_token is 'the secret with which the card''s device calls Apple''s web service';
comment on column instances.revision is
  'grows by 1 with each change that the card shows; changes of its account are counted by loyalty_accounts.seq';
comment on column instances.pass_revision is
  'the passes.revision that the pass had at modified_at: later ones move Last-Modified on';
comment on column instances.modified_at is
  'when the card last began to show a change of its own; that of its account is loyalty_accounts.shown_at';
comment on column instances.erased_at is 'when the person behind it was erased; null: never';
comment on column instances.apple_wallets is 'how many wallets of Apple hold the card now';
comment on column instances.google_wallets is 'how many wallets of Google hold the card now';
comment on column instances.web_wallets is 'how many browsers hold the card now';
comment on column instances.served_modified_at is 'the latest Last-Modified that any wallet was given; null: none was';
comment on column instances.served_change_at is
  'since when the card had shown the state that served_modified_at was given for; null where that was not kept';

comment on table holders is
  'The person behind a card: all personal data, so that erasing it leaves everything else sound. Erasing the card '
  'removes the row.';
comment on column holders.pass_id is 'the pass of the card';
comment on column holders.identifier is 'the holder''s number in the caller''s own system; null: none was given';
comment on column holders.locale is 'language of the card; null: that of the workspace';
comment on column holders.current is
  'true while the card is active, null once it is voided: nulls differ, so an identifier may have many former cards';

comment on table instance_events is 'Something that happened to a card. The ids are in the order of time.';
comment on column instance_events.detail is
  'what the kind has to tell: op and key name the idempotency claim whose answer shows the card, wallet and reason what '
  'became of a push';

comment on table events is 'Something that happened in a workspace, for the event log.';
comment on column events.kind is '''pool.low'' or ''sweep.finished''';
comment on column events.data is 'the event''s own properties, as the event log shows them';

comment on table erasure_walks is
  'A pass with cards that may have been erased by former versions, and have left something, and how far it was searched. '
  'The row goes when it is through.';
comment on column erasure_walks.erased_before is 'cards that were erased later have left nothing';
comment on column erasure_walks.cursor is 'the card that was looked at last; null: none yet';
comment on column erasure_walks.due_at is 'when the next step is due; while a worker has it, the end of its lease';

-- Pushes, and the wallets that hold cards.

comment on table rollouts is
  'A change of a design, or a message, on its way to all installed cards of a pass. It walks them by '
  'instances.instance_id, then lets go of the devices that it held back, so that each gets one push however many of its '
  'cards have changed. A changed design begins its walk anew: one of that kind at a time.';
comment on column rollouts.cards is 'installed cards when it began';
comment on column rollouts.done is 'cards that were reached';
comment on column rollouts.skipped is 'those of the reached cards that no credit was left for';
comment on column rollouts.credits is 'paid for ahead and not yet handed to a card';
comment on column rollouts.stage is
  '''cards'': it walks them; ''devices'': it lets go of those that it held back; ''finished''';
comment on column rollouts.cursor is 'the card that was reached last; null: none yet';
comment on column rollouts.release_at is 'when the next of the devices that it held back may be pushed to';
comment on column rollouts.walked_at is 'when its last turn began: the one that waited longest is next';
comment on column rollouts.finished_at is 'null: it is under way';

comment on table pushes is
  'What a card owes its wallets: one row, whatever has changed and how often. The wallets read the newest state.';
comment on column pushes.credits is 'held for it until it is delivered or has failed for good';
comment on column pushes.skipped_at is 'since when a change waits for credits; null: none does';
comment on column pushes.repaid is 'a top-up paid for it: the caller''s re-send is free';
comment on column pushes.rolled_out is
  'it comes from a rollout alone, which stands on the timeline of all its cards as it is';
comment on column pushes.apple is 'whether wallets of Apple have still to be told';
comment on column pushes.google is 'whether wallets of Google have still to be told';
comment on column pushes.web is 'whether browsers have still to be told';
comment on column pushes.delivered is 'whether any wallet was told';
comment on column pushes.created_at is 'since when something is owed; what no wallet has taken for a week has failed';

comment on table apple_devices is
  'What a device with cards in Apple Wallet is to a workspace that it has cards of: its push token, and the push that it '
  'is to get. The row goes with the last card of the workspace.';
comment on column apple_devices.device_library_identifier is
  'the device''s own name of itself; a secret, since whoever knows it may ask for its changes';
comment on column apple_devices.pass_type_identifier is 'Apple''s Pass Type ID: a device registers for each apart';
comment on column apple_devices.registered_at is 'when the push token was told last';
comment on column apple_devices.tag is
  'grows with each change of a card of the workspace, and is the time in ms since 1970 at least; a registration has that '
  'of its card''s last change';
comment on column apple_devices.due_at is
  'when to push next; while a worker pushes, the end of its lease; null: the device has been told everything';
comment on column apple_devices.rollout_id is 'the push waits for the end of that rollout; null: for none';
comment on column apple_devices.attempts is 'attempts to push that have failed in a row';
comment on column apple_devices.push_from is 'no push before: devices punish those who push too often';
comment on column apple_devices.pushed_at is 'when Apple took a push to the present token last; null: never';

comment on table apple_device_workspaces is
  'In which workspaces a device has cards: it asks for the changes of all with one request that names none. A row '
  'belongs to no workspace, and is joined with nothing.';
comment on column apple_device_workspaces.workspace_ids is
  'a workspace keeps its place as long as the device has any card, and nobody else gets it; null: the device has none of '
  'it any more';

comment on table apple_registrations is 'A card that a device wants to hear of.';
comment on column apple_registrations.tag is
  'the apple_devices.tag of the card''s last change; 0: none since it was registered';

comment on table apple_logs is 'What devices report and no card of ours is named in.';

comment on table google_classes is 'What Google Wallet knows of a pass.';
comment on column google_classes.content is
  'SHA-256 of what Google was told last; null: it has no such class; empty: nobody knows what it was told';
comment on column google_classes.message_rollout_id is 'the rollout of the message that it was told last; null: of none';
comment on column google_classes.notified_at is 'its notifying updates of the last 24 hours';

comment on table google_objects is 'What Google Wallet knows of a card.';
comment on column google_objects.content is
  'SHA-256 of what Google was told last; null: nothing yet; empty: nobody knows what it was told';
comment on column google_objects.saved is 'whether a holder keeps it, as of the call-back that expires at event_at';
comment on column google_objects.event_at is 'when the newest call-back expires; null: there was none';
comment on column google_objects.notified_at is 'its notifying updates of the last 24 hours';
comment on column google_objects.tag is 'grows by 1 with each change of the card';
comment on column google_objects.due_at is
  'when to tell Google next; while a worker does, the end of its lease; null: it was told everything';
comment on column google_objects.attempts is 'attempts to tell it that have failed in a row';

comment on table google_nonces is 'Call-backs of Google that were seen, until they expire.';

comment on table google_pace is
  'When the next request to Google may be sent, over all processes, by the clock of the database.';
comment on column google_pace.issuer_id is 'what Google knows the installation by';

comment on table web_cards is 'A web card that is open or installed somewhere. It counts as a wallet until it expires.';
comment on column web_cards.viewer_id is 'the browser';
comment on column web_cards.push_endpoint is
  'the address of the browser''s push service, where the holder allowed it; null: there is none';
comment on column web_cards.expires_at is
  'when it stops to count as a wallet; infinity while its push service has not said that it is gone';
comment on column web_cards.tag is 'grows by 1 with each change of the card';
comment on column web_cards.due_at is
  'when to push next; while a worker does, the end of its lease; null: it was told everything';
comment on column web_cards.attempts is 'attempts to push that have failed in a row';

comment on table wallet_stops is
  'A wallet that refuses what we are, not what we send: nothing is sent to it until retry_at.';
comment on column wallet_stops.scope is 'the Pass Type ID of Apple, or the issuer id of Google';
comment on column wallet_stops.reason is 'the platform''s own word';

comment on table due_workspaces is
  'Where rows live on many nodes (Citus), a worker does not ask all of them four times a second what is due: whoever '
  'leaves something to a job notes here in which workspace, and workers look there. Empty on a single PostgreSQL.';
comment on column due_workspaces.job is
  'the name of the job; ''noteAll'', of a workspace of zeroes: when all workspaces are looked through again';
comment on column due_workspaces.look_at is 'when the job is to look there';
comment on column due_workspaces.note_id is
  'which note it is: who has looked takes it away, unless it was noted again meanwhile';

-- The ledger of points and stamps.

comment on table loyalty_accounts is
  'What a holder has in a program. Whoever changes it, its lots or its rewards holds the card that shows it.';
comment on column loyalty_accounts.instance_id is 'the card that shows it; the next card of the same holder takes it over';
comment on column loyalty_accounts.seq is 'number of its newest entry';
comment on column loyalty_accounts.balance is
  'balance of its newest entry; below zero: points that were spent before their earn was undone';
comment on column loyalty_accounts.lifetime_points is
  'all that was ever earned, without what was undone; spending and expiry leave it alone';
comment on column loyalty_accounts.pending_rewards is 'rewards that were unlocked and are not redeemed yet';
comment on column loyalty_accounts.next_expiry_at is 'when the next of its points expire; null: none will';
comment on column loyalty_accounts.last_earned_at is 'for the limits of the program; null: it never earned';
comment on column loyalty_accounts.day_ends_at is 'the end of the day of last_earned_at, in the time zone of the workspace';
comment on column loyalty_accounts.earned_that_day is 'points that were earned on the day that ends at day_ends_at';
comment on column loyalty_accounts.shown_at is
  'when the card last began to show a change of the account; null: never. Here, so that whoever moves points need not '
  'write the card, which is a wide row';
comment on column loyalty_accounts.shown_pass_revision is 'the passes.revision at shown_at';

comment on table loyalty_entries is
  'An entry in the ledger of points. Append-only, but that the reason of an erased card may be taken away.';
comment on column loyalty_entries.seq is 'contiguous from 1 in each account';
comment on column loyalty_entries.instance_id is 'the card that showed the account';
comment on column loyalty_entries.kind is
  '''unlock'' turns stamps into a reward, ''cancel'' turns it back; ''reversal'' undoes an earn or a redeem, or what an '
  'order has earned in part';
comment on column loyalty_entries.points is 'what it adds to the balance';
comment on column loyalty_entries.balance is 'the balance after it';
comment on column loyalty_entries.expires_at is
  'the lot that its points went into: when they expire, infinity for never; null: into none';
comment on column loyalty_entries.external_ref is 'the caller''s own name of it; null: it has none';
comment on column loyalty_entries.reason is 'the caller''s words; null: none were given, or the card was erased';
comment on column loyalty_entries.limited_by is
  'the limit that made it an earn of nothing: ''per_day'' or ''min_seconds_between''; null: none did';
comment on column loyalty_entries.order_id is 'the order that it is for, as its caller or store names it; null: for none';
comment on column loyalty_entries.reversal_of is
  'number of the entry of the same account that it undoes; null: it undoes none as a whole';
comment on column loyalty_entries.actor is 'public id of the key or store that made it; the name of a job';
comment on column loyalty_entries.occurred_at is 'when it happened, as the caller says';
comment on column loyalty_entries.reason_seal is
  'what a seal covers instead of the reason: a salt, with which the reason makes the digest; once the reason is erased, '
  'that digest; empty where the reason itself had been sealed; null where it has no reason, or one from before there '
  'were salts';

comment on table loyalty_lots is
  'Points of an account that expire together. They are spent in the order of expires_at. What they were earned with is '
  'on the entries; a lot per moment of expiry keeps an account small however often it earns.';
comment on column loyalty_lots.expires_at is 'infinity: never';
comment on column loyalty_lots.original is 'all points that ever went into it';
comment on column loyalty_lots.remaining is 'points of it that are still there';
comment on column loyalty_lots.expired is
  'what has expired of it, without what was given back because its earn was undone: it is not taken twice';

comment on table loyalty_lot_uses is 'What an entry took from a lot. Append-only.';
comment on column loyalty_lot_uses.seq is 'number of the entry';
comment on column loyalty_lot_uses.expires_at is 'the lot';
comment on column loyalty_lot_uses.amount is 'points; negative: gave back to it';

comment on table rewards is
  'A reward that stamps have unlocked. It keeps the title and threshold that it was unlocked with: a program may change '
  'later.';
comment on column rewards.seq is 'number of the entry that unlocked it';
comment on column rewards.closed_seq is 'number of the entry that redeemed or cancelled it; null: it is pending';

comment on table ledger_audits is 'What a recount of a workspace''s ledger has found.';
comment on column ledger_audits.accounts is 'how many were counted';
comment on column ledger_audits.entries is 'how many were counted';
comment on column ledger_audits.findings is '[{ rule, id, … }]: empty when everything agrees';

comment on table ledger_recounts is
  'A recount that is under way, and how far it has come. When it has ended it is a row of ledger_audits.';
comment on column ledger_recounts.cursor is 'the account or program that was counted last; null: none of the stage yet';
comment on column ledger_recounts.accounts is 'how many were counted so far';
comment on column ledger_recounts.entries is 'how many were counted so far';
comment on column ledger_recounts.findings is 'as in ledger_audits';
comment on column ledger_recounts.turn_at is 'when its last turn began: whoever waited longest is next';

comment on table ledger_seals is
  'A seal covers the entries that its accounts gained since the seal before, and that seal: whoever changes an entry '
  'behind it changes every hash after it. Append-only; docs/LEDGER-SEALS.md says what is hashed.';
comment on column ledger_seals.seal is 'contiguous from 1 in each workspace';
comment on column ledger_seals.entries is 'how many entries it covers that no seal before does';
comment on column ledger_seals.hash is 'SHA-256';

comment on table ledger_seal_accounts is 'How far a seal covers an account. Append-only.';
comment on column ledger_seal_accounts.seq is 'number of the newest entry that it covers';
comment on column ledger_seal_accounts.hash is 'SHA-256 over all entries of the account up to seq';

comment on table ledger_seal_turns is 'How far the sealing of a workspace has come.';
comment on column ledger_seal_turns.turn_at is
  'when its last turn began: whoever waited longest is next. More than a minute ago where it is due again at once';
comment on column ledger_seal_turns.seen_until is 'accounts with entries up to here were sealed';
comment on column ledger_seal_turns.cursor is
  'where the slow walk over all accounts stands, which finds what was overlooked; null: at its beginning';

-- Orders, stores, and invitations to their customers.

comment on table stores is 'An online store that is or was connected, and how far its orders were read.';
comment on column stores.platform is '''shopify'', ''woocommerce'' or ''custom''';
comment on column stores.domain is 'a host, with its port where that is not 443';
comment on column stores.pass_id is 'the pass whose cards its orders earn on; null: they earn nothing';
comment on column stores.credentials is 'sealed JSON; null where the platform has none, and once the store is disconnected';
comment on column stores.webhook_secrets is
  'sealed JSON: [{ secret, until }], the newest first; kept for three months when the store is disconnected, since '
  'privacy requests follow; null once nothing that they sign is taken any more';
comment on column stores.consent is
  'what counts as consent to being mailed, where the platform does not say: { metaKey, metaValue } or { attestedBy, '
  'recordedAt, recordedBy }; null: no rule is given';
comment on column stores.follows_edits is 'whether an order that was edited after it was paid earns by its newest total';
comment on column stores.connected_at is 'orders that were placed before are none of ours';
comment on column stores.disconnected_at is 'null: it is connected';
comment on column stores.watermark is 'every order that was changed before this moment was read';
comment on column stores.reconcile_at is
  'when its orders are read next; while a worker reads, the end of its lease; null: there is nothing to read';
comment on column stores.reconciled_at is 'when its orders were last read through; null: never';
comment on column stores.failures is 'failed turns in a row';
comment on column stores.problem is
  'code of what the last turn has met, or of why the store''s own side disconnected it; null: nothing';

comment on table store_webhooks is 'What a store has sent. It is answered before anything is done with it.';
comment on column store_webhooks.delivery_id is
  'the platform''s name of the delivery; the hash of the body where it gives none';
comment on column store_webhooks.topic is 'the platform''s name of what it is about';
comment on column store_webhooks.body is 'as it came; null once it was worked off or dropped, since it holds personal data';
comment on column store_webhooks.due_at is
  'when it is worked off or tried again; while a worker has it, the end of its lease; null: worked off, or given up';
comment on column store_webhooks.attempts is 'how often it was taken to be worked off';
comment on column store_webhooks.refused is 'the code that it was refused with last; null: it was not, or is worked off';

comment on table privacy_requests is 'What a platform demands for the sake of a customer''s privacy, and what was done.';
comment on column privacy_requests.topic is '''data_request'', ''customer_redact'' or ''shop_redact''';
comment on column privacy_requests.subject is
  'what the request names: { customerId, emailHash, orderIds }, by the numbers of the store and a keyed hash; no '
  'personal data';
comment on column privacy_requests.cursor is 'how far a request that takes several turns has come; null: at its beginning';
comment on column privacy_requests.instance_ids is 'cards that it has found';
comment on column privacy_requests.due_at is
  'when the next step is due; while a worker has it, the end of its lease; null: nothing is left to do';
comment on column privacy_requests.done_at is 'null: it is not done yet';

comment on table orders is 'An order, as far as it is known: news about it may come in any order and any number of times.';
comment on column orders.source is 'the store; all zeroes where a caller of the API keeps the orders itself';
comment on column orders.order_id is 'as the store, or the caller of the API, names it';
comment on column orders.pass_id is 'null while nothing but a refund or a cancellation is known';
comment on column orders.currency is 'ISO 4217 code; the first that a total was told in';
comment on column orders.paid_version is
  'the earliest state in which it was paid: when that was, in ms since 1970; null: it was never paid';
comment on column orders.paid_total is 'the total of that state, in minor units';
comment on column orders.latest_version is
  'the newest state, in ms since 1970; greater than any that a store tells where the caller of the API has cancelled it';
comment on column orders.latest_total is
  'the total of that state, in minor units; null where a cancellation is all that was told';
comment on column orders.cancelled is 'whether it is cancelled in the newest state';
comment on column orders.items is 'what was bought; null: not told, or the card was erased';
comment on column orders.instance_id is 'the card that it earns on; null: it has none yet';
comment on column orders.issued is 'whether the card was issued for it';
comment on column orders.account_id is 'the loyalty account that it earns on; null: it has earned nothing yet';
comment on column orders.rule is 'the programs.earn that it was processed with; null until then';
comment on column orders.points_expire_at is
  'when its points expire: the lot that they went into, infinity for never; null: it has earned none';
comment on column orders.limited_by is 'the limit that made it earn nothing, as in loyalty_entries; null: none did';
comment on column orders.points is 'what it has earned after all that is known';
comment on column orders.credited is
  'what of its points the ledger has, which is more than points where a refund was not covered';

comment on table order_refunds is 'A refund of an order. Of one that is told twice the greater amount stays.';
comment on column order_refunds.source is 'as in orders';
comment on column order_refunds.refund_id is 'as the store, or the caller of the API, names it';
comment on column order_refunds.amount is 'in minor units';
comment on column order_refunds.currency is
  'ISO 4217 code; a refund in another currency than the order''s counts for nothing';

comment on table sweeps is
  'An invitation of a store''s existing customers. It outlives its pass, so that its customers are forgotten in time.';
comment on column sweeps.dry_run is 'counts, and invites nobody';
comment on column sweeps.most is 'the most customers that are invited; null: all';
comment on column sweeps.cursor is
  'where the store''s list of customers was left, as its platform names the place; null: at its beginning';
comment on column sweeps.due_at is 'while a worker has it, the end of its lease; else when it goes on; null: it has ended';
comment on column sweeps.counts is '{ found, invited, … }: customers by outcome';
comment on column sweeps.failures is 'failed pages in a row';
comment on column sweeps.unreadable is 'how many of the failures, up to the last, were answers that nobody could read';
comment on column sweeps.problem is 'code of why the last page, or the sweep, has failed; null: it has not';
comment on column sweeps.actor is 'public id of the key that began it';
comment on column sweeps.finished_at is 'null: it is running';
comment on column sweeps.trimmed_at is 'when what became of each customer was forgotten; null: it is kept';

comment on table sweep_items is
  'What became of a customer in a sweep. Whoever writes here holds the sweep, which is never removed.';
comment on column sweep_items.customer_id is 'the customer''s number in the store';
comment on column sweep_items.outcome is '''invited'', or why not';
comment on column sweep_items.invite_id is 'the invitation; null: there is none';

comment on table sweep_contacts is
  'An address that a dry run would have invited, so that it counts each once; until the dry run has ended.';
comment on column sweep_contacts.email_hash is 'keyed hash of the address, as in invites';

comment on table invites is
  'An invitation to take a card of a pass. It outlives the pass, since the links of a mail that was sent must end the '
  'mails for ever.';
comment on column invites.sweep_id is 'the sweep that it belongs to; null: it was made by a call';
comment on column invites.store_id is 'the store whose customer is invited; null: of none';
comment on column invites.email is 'who is invited; null once the person is forgotten, like name, locale and identifier';
comment on column invites.identifier is 'the holder''s identifier that the card gets; null: the address';
comment on column invites.email_hash is 'keyed hash of workspace and address, by which addresses are compared';
comment on column invites.link_secret is '128 random bits, of which the secrets of its links are made';
comment on column invites.status is
  '''unknown'': it was handed to the mail server, or may have been, and nobody has heard what became of it; '
  '''suppressed'': the address is not to be mailed, or the person is forgotten; ''cancelled'': its sweep was cancelled, '
  'or its pass is published no longer';
comment on column invites.due_at is
  'when it is to be sent, or looked at again; while a worker has it, the end of its lease; null: never';
comment on column invites.attempts is 'mails that the mail server has refused for now';
comment on column invites.problem is 'code of why it was not sent, or not yet; null: nothing stands in the way';
comment on column invites.claims is '[{ op, key }]: idempotency claims whose answers name the person';
comment on column invites.instance_id is 'the card that was made of it; null: none was';
comment on column invites.sent_at is 'null: it is not known to have been sent';
comment on column invites.accepted_at is 'null: it was not accepted';

comment on table suppressions is 'An address that is never mailed again, by its hash alone.';
comment on column suppressions.email_hash is 'keyed hash of the address, as in invites';
comment on column suppressions.reason is 'the first that there was';
