-- Cards are found by the holder's telephone number, and the pages of a ledger by what its entries are about. In a migration
-- of its own: it takes a while on many entries.

-- As written, less what people put between the digits.
create index holders_by_phone on holders (translate(phone, ' ().-/', ''), workspace_id, pass_id)
  where phone is not null and current;

create index loyalty_entries_of_kind on loyalty_entries (program_id, workspace_id, kind, entry_id);
create index loyalty_entries_of_partner_kind on loyalty_entries (partner_id, workspace_id, program_id, kind, entry_id)
  where partner_id is not null;
create index loyalty_entries_by_ref on loyalty_entries (external_ref, workspace_id) where external_ref is not null;
create index loyalty_entries_of_order on loyalty_entries (order_id, workspace_id) where order_id is not null;

-- A correction is an adjust that leaves lifetime points alone. An adjust counts in them: all did before there was a choice.
alter table loyalty_entries drop constraint loyalty_entries_kind_check;
alter table loyalty_entries add constraint loyalty_entries_kind_check check (
  kind in ('earn', 'redeem', 'unlock', 'cancel', 'expire', 'adjust', 'correction', 'import', 'reversal')
);
comment on column loyalty_entries.kind is
  '''unlock'' turns stamps into a reward, ''cancel'' turns it back; ''correction'' is an adjust that leaves lifetime points alone, ''adjust'' counts in them; ''reversal'' undoes an earn or a redeem, or what an order has earned in part';
comment on column loyalty_accounts.lifetime_points is
  'all that was ever earned, without what was undone; spending, expiry and corrections leave it alone';
