-- The ledger has no seals any longer. The columns of entries stay until the next version: the version before, which may serve
-- meanwhile, writes them with every award.

drop table ledger_seal_accounts;
drop table ledger_seals;
drop table ledger_seal_turns;

-- Entries change in one way: the caller's words go, and what the version before keeps of them.
create or replace function forget_reason() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - array['reason', 'external_ref', 'reason_seal', 'ref_seal']
      = to_jsonb(old) - array['reason', 'external_ref', 'reason_seal', 'ref_seal']
    and (new.reason is null or new.reason = old.reason)
    and (new.external_ref is null or new.external_ref = old.external_ref)
    and (old.reason is not null and new.reason is null or old.external_ref is not null and new.external_ref is null) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

comment on column loyalty_entries.reason_seal is 'of the version before; nothing reads it';
comment on column loyalty_entries.ref_seal is 'of the version before; nothing reads it';
