-- Whether any webhook or invitation is due is looked up, however many wait, or wait for later.
create index store_webhooks_by_due on store_webhooks (due_at) where due_at is not null;
create index invites_by_due on invites (due_at) where status = 'queued';
