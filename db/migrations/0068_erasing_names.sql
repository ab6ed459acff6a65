-- What callers have named, of a card that is erased, goes as well: keys stay as keyed hashes.

-- As reason_seal, of the caller's own name of an entry.
alter table loyalty_entries add column ref_seal bytea;

comment on column loyalty_entries.external_ref is 'the caller''s own name of it; null: it has none, or the card was erased';
comment on column loyalty_entries.ref_seal is
  'what a seal covers instead of external_ref, as reason_seal has it for the reason';
comment on column loyalty_entries.limited_by is
  'what made it an earn of nothing: ''per_day'', ''min_seconds_between'', or ''instance_expired'', which is of orders alone; null: nothing did';
comment on column operation_claims.key is
  'the idempotency key of the caller; of a card that was erased its keyed hash behind a tab, as which no key begins';
comment on column operation_claims.fingerprint is
  'SHA-256 of what the effect depends on: the same key with another one is refused; of a card that was erased a keyed hash of that';

-- Entries change in one way: the caller's words go, and leave what their seal needs.
create or replace function forget_reason() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - array['reason', 'external_ref'] = to_jsonb(old) - array['reason', 'external_ref']
    and (new.reason is null or new.reason = old.reason)
    and (new.external_ref is null or new.external_ref = old.external_ref)
    and (old.reason is not null and new.reason is null or old.external_ref is not null and new.external_ref is null) then
    if old.reason is not null and new.reason is null then
      new.reason_seal := case when old.reason_seal is null then ''::bytea
        else sha256(old.reason_seal || convert_to(old.reason, 'UTF8')) end;
    end if;
    if old.external_ref is not null and new.external_ref is null then
      new.ref_seal := case when old.ref_seal is null then ''::bytea
        else sha256(old.ref_seal || convert_to(old.external_ref, 'UTF8')) end;
    end if;
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- By these an erasure finds the keys that neither timelines nor entries name: of the items of batches and files, and those
-- sent beside the number of an order.
create index operation_claims_of_card on operation_claims (substring(body from '"instanceId":"([^"]+)"'), workspace_id)
where strpos(key, E'\t') > 1 and operation in ('earnPoints', 'adjustPoints', 'importBalances')
  or strpos(key, E'\t') = 0 and operation in ('processOrder', 'refundOrder', 'cancelOrder', 'pushInstance');
