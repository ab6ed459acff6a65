-- The timeline of a card says who has changed its pass, or has sent a message.

alter table rollouts add column actor text;

comment on column rollouts.actor is 'who began it, by the public id; null where that was not kept';
comment on column instance_events.detail is
  'what the kind has to tell, and as actor who did it: op and key name the idempotency claim whose answer shows the card, wallet and reason what became of a push';
