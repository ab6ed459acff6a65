-- A rule counts in one currency. An existing program counts in that of its least order, in which its orders had to be; else
-- in the one in which most of its orders were paid; else in its workspace's. Rules that orders keep stay as they are.
update programs p
set earn = p.earn || jsonb_build_object('currency', found.currency, 'rates', '{}'::jsonb)
from (
  select g.workspace_id, g.program_id,
    coalesce(g.earn -> 'minOrder' ->> 'currency', paid.currency, w.currency) as currency
  from programs g
  join workspaces w on w.workspace_id = g.workspace_id
  left join (
    select workspace_id, pass_id, mode() within group (order by currency) as currency
    from orders
    where rule is not null and currency is not null
    group by workspace_id, pass_id
  ) as paid on paid.workspace_id = g.workspace_id and paid.pass_id = g.pass_id
) as found
where found.workspace_id = p.workspace_id and found.program_id = p.program_id;

-- Arrays of jsonb, not jsonb arrays: the version before writes a program's row back as it has read it, and its driver
-- makes an array of the database of every list.
alter table programs add column rewards jsonb[] not null default '{}';
alter table programs add column tiers jsonb[] not null default '{}';

comment on column programs.earn is
  'what an order earns: { perCurrencyUnit, currency, rates, perOrder, minOrder }; without a currency where the version before 0029 has written it: any counts, one for one';
comment on column programs.rewards is
  'of ''POINTS'': { rewardId, title, cost, status }, of which the first has the title and the cost of the row; empty: that is the only one, and has the id of the program';
comment on column programs.tiers is '{ key, title, from, multiplier }, by the lifetime points that they begin at';
comment on column orders.rule is
  'the programs.earn that it was processed with, and the multiplier of the card''s tier; null until then';
