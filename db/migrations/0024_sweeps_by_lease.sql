-- A sweep is whose lease ends when it is due, like the rows of every other queue.
drop index sweeps_due;
alter table sweeps drop column lease_owner;
alter table sweeps drop column fence;
alter table sweeps rename column lease_until to due_at;
create index sweeps_due on sweeps (due_at) where status = 'running';
