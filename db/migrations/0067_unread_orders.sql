-- What a store has sent and nobody can read says of which order it tells, and why: the fault is over once later news of the order
-- are read. Former versions, which may still write beside this migration, leave both empty.

alter table store_webhooks add column order_id text;
alter table store_webhooks add column reason text;

comment on column store_webhooks.order_id is 'the store''s number of the order that it tells of as it stands; null: of something else, or nobody has read it yet';
comment on column store_webhooks.reason is 'what of it could not be read, in a sentence; null: it was read';
