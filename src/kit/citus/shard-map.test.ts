import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withShardNames } from './shard-map.ts';

const names = {
  shards: new Map([
    ['cards', 'cards_7'],
    ['events', 'events_7'],
  ]),
  copies: new Map([['tenants', 'tenants_1']]),
  others: new Set(['keys']),
  by: 'tenant_id',
};

function assertRenamed(text: string, expected: string): void {
  assert.equal(withShardNames(text, names), expected);
}

describe('a statement that asks shards', () => {
  it('has their names in the places of tables, which are called as before', () => {
    assertRenamed(
      'select cards.id from cards where id = $1',
      'select cards.id from cards_7 as cards where id = $1',
    );
    assertRenamed(
      'select * from cards c join events using (id)',
      'select * from cards_7 c join events_7 as events using (id)',
    );
    assertRenamed('select * from cards AS c, other', 'select * from cards_7 AS c, other');
    assertRenamed('select "cards"."id" from "cards"', 'select "cards"."id" from cards_7 as "cards"');
    assertRenamed('delete from cards -- all\nwhere true', 'delete from cards_7 as cards -- all\nwhere true');
    assertRenamed('update cards set events = 1', 'update cards_7 as cards set events = 1');
    assertRenamed('insert into cards (id) values ($1)', 'insert into cards_7 as cards (id) values ($1)');
    assertRenamed('(select from cards)', '(select from cards_7 as cards)');
  });

  it('keeps columns, texts, comments and what it names itself', () => {
    for (const text of [
      "select 'from cards', events -- from cards\n/* from cards */ from other",
      'select a is distinct from cards.id from other',
      'select * from cards2 for update of cards',
      'with cards as (select 1) select * from cards',
      'with a as (select 1), events (id) as materialized (select 1) select * from a join events on true',
      'insert into a values (1) on conflict (id) do update set cards = excluded.cards',
    ])
      assertRenamed(text, text);
  });

  it('is about all of a table where it is about all workspaces but one', () => {
    for (const text of [
      'select * from cards where tenant_id <> $1',
      'select * from cards where "tenant_id" != $1',
    ])
      assertRenamed(text, text);
  });

  it('writes to a table of the name that a part of it has', () => {
    assertRenamed(
      'with events as (insert into events (id) select 1 returning id), d as (delete from events where true) select * from events',
      'with events as (insert into events_7 as events (id) select 1 returning id), d as (delete from events_7 as events where true) select * from events',
    );
  });

  it('reads the copy of a table that is everywhere, and is left to the cluster where it locks or writes that', () => {
    assertRenamed(
      'select * from cards c join tenants t on true',
      'select * from cards_7 c join tenants_1 t on true',
    );
    for (const text of [
      'select * from tenants t join cards c on true for no key update of t',
      'update tenants set a = (select 1 from cards)',
      'delete from tenants',
      'insert into tenants default values',
      'select * from cards join keys on true',
    ])
      assertRenamed(text, text);
  });
});
