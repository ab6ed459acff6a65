import { ageCards } from '../cards/wallets.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { prepared, sql } from '../kit/db/sql.ts';

interface Pass {
  readonly workspaceId: string;
  readonly passId: string;
}

/** A card that may take an account over, and the identifier of its holder. */
export interface Heir {
  readonly instanceId: string;
  readonly identifier: string;
}

/** What a card has taken over. */
export interface TakenAccount {
  readonly instanceId: string;
  readonly balance: number;
  readonly pendingRewards: number;
}

/** The same with the card that had the account, and what that showed of it. */
interface MovedAccount extends TakenAccount {
  readonly formerId: string;
  readonly seq: number;
  readonly shownAt: Date | null;
  readonly shownPassRevision: number;
}

/** Waits until nobody changes the cards of these holders that have accounts, and keeps them so. How many there are. */
export async function holdCardsWithAccounts(
  tx: Tx,
  { workspaceId, passId }: Pass,
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

/**
 * Gives each card without an account that of its holder's newest former card that has one. A card that is not there, since
 * it has lost its barcode to another, is given nothing.
 */
export async function moveAccounts(
  tx: Tx,
  { workspaceId, passId }: Pass,
  heirs: readonly Heir[],
): Promise<TakenAccount[]> {
  const { rows } = await prepared<MovedAccount>`
    with former as materialized (
      select distinct on (heir.instance_id) heir.instance_id, h.instance_id as former_id, a.*
      from unnest(
        ${sql.list(heirs, 'uuid', (heir) => heir.instanceId)}, ${sql.list(heirs, 'text', (heir) => heir.identifier)}
      ) as heir(instance_id, identifier)
      cross join lateral (
        select instance_id from holders
        where identifier = heir.identifier and workspace_id = ${workspaceId} and pass_id = ${passId} and current is null
        offset 0
      ) as h
      cross join lateral (
        select account_id, seq, shown_at, shown_pass_revision from loyalty_accounts
        where instance_id = h.instance_id and workspace_id = ${workspaceId}
        limit 1
      ) as a
      cross join lateral (
        select from instances where instance_id = heir.instance_id and workspace_id = ${workspaceId} limit 1
      ) as card
      left join lateral (
        select account_id from loyalty_accounts
        where instance_id = heir.instance_id and workspace_id = ${workspaceId}
        limit 1
      ) as own on true
      where own.account_id is null and h.instance_id <> heir.instance_id
      order by heir.instance_id, h.instance_id desc
    )
    update loyalty_accounts a set instance_id = former.instance_id
    from (select * from former limit ${heirs.length}) as former
    where a.workspace_id = ${workspaceId} and a.account_id = former.account_id
    returning a.instance_id, a.balance, a.pending_rewards, former.former_id, a.seq, a.shown_at, a.shown_pass_revision
  `.execute(tx);
  await ageCards(
    tx,
    workspaceId,
    rows.map(({ formerId, ...shown }) => ({ ...shown, instanceId: formerId })),
  );
  return rows;
}
