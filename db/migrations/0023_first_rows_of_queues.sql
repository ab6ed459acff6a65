-- Without statistics "is null", and "=", seem to hold for hardly any row: the planner would fetch all that are due and sort
-- them. Of what it cannot see into it thinks that half of the rows have it, and takes the first ones in the order of the index.
drop index web_cards_due_shown;
create index web_cards_due_shown on web_cards (due_at) where due_at is not null and coalesce(push_endpoint is null, true);
drop index invites_in_flight;
create index invites_in_flight on invites (due_at) where coalesce(status = 'sending', false);
