-- Nothing here reads a large table.

-- Last-Modified is ahead only of what a wallet was given: which state that was.
alter table instances add column served_change_at timestamptz;

-- What an entry's seal covers instead of its reason: a salt, with which the reason makes the digest; once the reason is
-- erased, that digest; empty where the reason itself had been sealed.
alter table loyalty_entries add column reason_seal bytea;

-- Entries change in one way: the caller's words go, and leave what their seal needs.
create function forget_reason() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.reason is not null and new.reason is null
    and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
    new.reason_seal := case when old.reason_seal is null then ''::bytea
      else sha256(old.reason_seal || convert_to(old.reason, 'UTF8')) end;
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
drop trigger loyalty_entries_rows on loyalty_entries;
create trigger loyalty_entries_rows before update or delete on loyalty_entries for each row execute function forget_reason();

-- So do the lines that repeat them.
create function forget_detail() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.detail = old.detail - 'reason'
    and to_jsonb(new) - 'detail' = to_jsonb(old) - 'detail' then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
drop trigger audit_log_rows on audit_log;
create trigger audit_log_rows before update or delete on audit_log for each row execute function forget_detail();

-- The passes with cards that may have been erased before, and left something. In an hour no process erases like that.
create table erasure_walks (
  workspace_id uuid not null,
  pass_id uuid not null,
  erased_before timestamptz not null,
  cursor uuid,
  due_at timestamptz not null,
  primary key (pass_id, workspace_id),
  foreign key (pass_id, workspace_id) references passes (pass_id, workspace_id) on delete cascade
);
create index erasure_walks_due on erasure_walks (due_at);
insert into erasure_walks (workspace_id, pass_id, erased_before, due_at)
select workspace_id, pass_id, now() + interval '1 hour', now() + interval '1 hour' from passes;
