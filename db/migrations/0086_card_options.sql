-- When and where a card matters, its buttons, and what else wallets can be asked to do.

alter table passes
  add column dates jsonb not null default '[]',
  add column beacons jsonb not null default '[]',
  add column actions jsonb not null default '[]',
  add column wallet_options jsonb not null default '{}';
comment on column passes.dates is 'when the card matters: moments, intervals, or fields with a moment for each holder';
comment on column passes.beacons is 'like locations, by Bluetooth';
comment on column passes.actions is 'buttons of the card, the first the most important';
comment on column passes.wallet_options is 'what wallets do differently from what they do by themselves; absent: what they do';
