-- Small offers and links that wallets show below a card.

alter table passes add column modules jsonb not null default '[]';
comment on column passes.modules is 'offers and links below the card: [{ header, body, url }], each header once';
