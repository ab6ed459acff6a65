-- Web pushes say what has changed, encrypted for the browser. Subscriptions from before have no keys: theirs stay empty.

alter table web_cards add column push_keys jsonb;
alter table web_cards add column said jsonb;
comment on column web_cards.push_keys is
  'what pushes are encrypted with (RFC 8291): { p256dh, auth } of the subscription, as base64url; null: pushes are empty';
comment on column web_cards.said is
  'what the browser knows of the card: a hash of each fact, by its key; a push says what differs. null: nothing';
