-- How the stamps of a card are drawn.

alter table passes add column stamp_look jsonb not null default '{}';
comment on column passes.stamp_look is 'how its cards draw stamps: over its picture or not, icon and colours; absent: over none, a check, the colours of the card';
