-- What readers need to take cards by NFC: the key that cards are encrypted for at Apple, and whose readers may ask for them at Google.

alter table workspaces
  add column nfc_public_key text,
  add column nfc_private_key text,
  add column nfc_redemption_issuers jsonb not null default '[]';
comment on column workspaces.nfc_public_key is 'the P-256 key that iPhones encrypt for, as pass files have it; null: no reader may ask for cards';
comment on column workspaces.nfc_private_key is 'sealed; null where the maker of the readers keeps it';
comment on column workspaces.nfc_redemption_issuers is 'ids of the issuers at Google whose readers may ask for cards';
