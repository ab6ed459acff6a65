-- Orders are found by the number that customers know them by, which is not the id that a store names them by.

alter table orders add column number text, add column folded_number text;
comment on column orders.number is
  'what customers know it by, such as #1003; null: by its order_id, or it was last reported before this column was there';
comment on column orders.folded_number is 'the same as it is looked for: without its #, letter case aside';

-- Orders without a number pay nothing for it.
create index orders_of_number on orders
  (folded_number, workspace_id, (cancelled::int + 2 * (instance_id is null)::int), created_at, source, order_id)
  where folded_number is not null;
