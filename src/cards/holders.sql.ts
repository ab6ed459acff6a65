import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import type { PassKey } from '../passes/pass-row.ts';
import { foldsOf } from './folding.sql.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';
import { hasText } from './lists.sql.ts';

type HolderCard = Pick<InstanceRow, 'workspaceId' | 'instanceId' | 'passId'>;

/** Sets the person behind a card. Raises a unique violation of holders_one_card when the identifier has a card. */
export async function saveHolder(
  tx: Tx,
  card: HolderCard,
  holder: HolderRow,
  active: boolean,
): Promise<void> {
  const { workspaceId, instanceId, passId } = card;
  const person = { ...holder, ...foldsOf(holder), current: active ? true : null };
  await tx
    .insertInto('holders')
    .values({ workspaceId, instanceId, passId, ...person })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'instanceId']).doUpdateSet(person))
    .execute();
}

export async function deleteHolder(tx: Tx, card: HolderCard): Promise<void> {
  await sql`
    delete from holders where workspace_id = ${card.workspaceId} and instance_id = ${card.instanceId}
  `.execute(tx);
}

/**
 * The present card of each person, in their order: that of the identifier, else the one that was issued first of those
 * with the address, which is folded, else of those with the telephone number, in the form of E.164.
 */
export function findHeldCards(
  db: Db,
  { workspaceId, passId }: PassKey,
  asked: readonly {
    readonly identifier: string | null;
    readonly email: string | null;
    readonly number: string | null;
  }[],
): Promise<{ instanceId: string | null }[]> {
  return prepared<{ instanceId: string | null }>`
    select coalesce(named.instance_id, mailed.instance_id, called.instance_id) as instance_id
    from unnest(
      ${asked.map(({ identifier }) => identifier)}::text[], ${asked.map(({ email }) => email)}::text[],
      ${asked.map(({ number }) => number)}::text[]
    ) with ordinality as asked(identifier, email, number, place)
    left join lateral (
      select h.instance_id from holders h
      where h.workspace_id = ${workspaceId} and h.identifier = asked.identifier and h.pass_id = ${passId} and h.current
      limit 1
    ) as named on true
    left join lateral (
      -- Sorted out here: with ORDER BY and LIMIT the planner may walk all holders in the order of their cards.
      select (array_agg(h.instance_id order by h.instance_id))[1] as instance_id
      from holders h
      where named.instance_id is null and h.workspace_id = ${workspaceId}
        and ${hasText('email', workspaceId, sql`asked.email`)} and h.pass_id = ${passId} and h.current
    ) as mailed on true
    left join lateral (
      select (array_agg(h.instance_id order by h.instance_id))[1] as instance_id
      from holders h
      where named.instance_id is null and mailed.instance_id is null and h.workspace_id = ${workspaceId}
        and ${hasText('phone', workspaceId, sql`asked.number`)} and h.pass_id = ${passId} and h.current
    ) as called on true
    order by asked.place
  `.rows(db);
}

/** A pass of which a holder has, or had, cards. */
export interface PassOfHolder {
  readonly identifier: string;
  readonly passId: string;
  /** Whether one of the cards is valid. */
  readonly isPresent: boolean;
}

/** The passes of a workspace of which the holders with these identifiers have, or had, cards. */
export function findPassesOfHolders(
  db: Db,
  workspaceId: string,
  identifiers: readonly string[],
): Promise<PassOfHolder[]> {
  return prepared<PassOfHolder>`
    select asked.identifier, h.pass_id, coalesce(bool_or(h.current), false) as is_present
    from unnest(${sql.list(identifiers, 'text')}) as asked(identifier)
    cross join lateral (
      select pass_id, current from holders
      where identifier = asked.identifier and workspace_id = ${workspaceId}
      offset 0
    ) as h
    group by asked.identifier, h.pass_id
  `.rows(db);
}

interface OfPass {
  readonly workspaceId: string;
  readonly passId: string;
}

/** All cards that a holder of a pass has had: the `instance_id` of each. */
export function cardsOfHolder({ workspaceId, passId }: OfPass, identifier: string | null): Sql {
  return sql`
    select instance_id from holders
    where identifier = ${identifier} and workspace_id = ${workspaceId} and pass_id = ${passId}`;
}

/** A card, and the identifier of its holder. */
export interface HoldersCard {
  readonly instanceId: string;
  readonly identifier: string;
}

/**
 * The former cards of holders' new ones: `instance_id` and `former_id`. A new card that is not there, since it has lost
 * its barcode to another, has none.
 */
export function formerCards({ workspaceId, passId }: OfPass, cards: readonly HoldersCard[]): Sql {
  return sql`
    select heir.instance_id, h.instance_id as former_id
    from unnest(
      ${sql.list(cards, 'uuid', (card) => card.instanceId)}, ${sql.list(cards, 'text', (card) => card.identifier)}
    ) as heir(instance_id, identifier)
    cross join lateral (
      select instance_id from holders
      where identifier = heir.identifier and workspace_id = ${workspaceId} and pass_id = ${passId} and current is null
      offset 0
    ) as h
    cross join lateral (
      select from instances where instance_id = heir.instance_id and workspace_id = ${workspaceId} limit 1
    ) as card
    where h.instance_id <> heir.instance_id`;
}

/** Keeps the cards of these holders that have accounts from changing until the transaction ends. How many there are. */
export async function lockCardsWithAccounts(
  tx: Tx,
  { workspaceId, passId }: OfPass,
  identifiers: readonly string[],
): Promise<number> {
  const { rows } = await prepared`
    select i.*
    from (
      select distinct h.instance_id
      from unnest(${sql.list(identifiers, 'text')}) as asked(identifier)
      cross join lateral (
        select instance_id from holders
        where identifier = asked.identifier and workspace_id = ${workspaceId} and pass_id = ${passId}
        offset 0
      ) as h
      cross join lateral (
        select from loyalty_accounts where instance_id = h.instance_id and workspace_id = ${workspaceId} limit 1
      ) as a
      order by h.instance_id
    ) as held
    cross join lateral (
      select from instances
      where instance_id = held.instance_id and workspace_id = ${workspaceId}
      for no key update
    ) as i
  `.execute(tx);
  return rows.length;
}

/** What to call the holders of cards, in their order; null: nothing is known. */
export async function listHolderNames(
  db: Db,
  workspaceId: string,
  instanceIds: readonly string[],
): Promise<(string | null)[]> {
  const { rows } = await prepared<{ name: string | null }>`
    select coalesce(h.name, h.email, h.phone, h.identifier) as name
    from unnest(${sql.list(instanceIds, 'uuid')}) with ordinality as asked(instance_id, place)
    left join lateral (
      select name, email, phone, identifier from holders
      where instance_id = asked.instance_id and workspace_id = ${workspaceId}
      limit 1
    ) as h on true
    order by asked.place
  `.execute(db);
  return rows.map(({ name }) => name);
}
