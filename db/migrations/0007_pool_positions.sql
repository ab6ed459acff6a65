-- No code uploaded before this one is left in the pool of the pass. Who looks for the next begins here: what was taken
-- leaves dead entries at the front of the index, which everybody would walk past until a vacuum comes, and a vacuum
-- comes late to a large pool.
alter table passes add column pool_from_seq bigint not null default 0;
