-- The present cards of an e-mail address: orders and invitations look for them. In a migration of its own: it takes a
-- while on many cards, and what else changes must not wait for locks behind it.
create index holders_by_email on holders (workspace_id, lower(email), pass_id) where email is not null and current;
