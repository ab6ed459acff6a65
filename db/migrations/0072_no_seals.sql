-- The ledger is sealed no longer. The version before writes both columns of entries with every award: stop it first.

drop table ledger_seal_accounts;
drop table ledger_seals;
drop table ledger_seal_turns;

-- Entries change in one way: the caller's words go.
create or replace function forget_reason() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - array['reason', 'external_ref'] = to_jsonb(old) - array['reason', 'external_ref']
    and (new.reason is null or new.reason = old.reason)
    and (new.external_ref is null or new.external_ref = old.external_ref)
    and (old.reason is not null and new.reason is null or old.external_ref is not null and new.external_ref is null) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

alter table loyalty_entries drop column reason_seal, drop column ref_seal;
