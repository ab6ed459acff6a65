import { sql } from 'kysely';
import type { Tx } from '../../kit/db/database.ts';

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

/** Waits until nobody changes the cards of these holders that have accounts, and keeps them so. How many there are. */
export async function lockCardsWithAccounts(
  tx: Tx,
  { workspaceId, passId }: Pass,
  identifiers: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    select from instances i
    where i.workspace_id = ${workspaceId} and i.instance_id in (
      select h.instance_id
      from unnest(${identifiers}::text[]) as asked(identifier)
      join holders h on h.workspace_id = ${workspaceId} and h.pass_id = ${passId}
        and h.identifier = asked.identifier
      join loyalty_accounts a on a.workspace_id = h.workspace_id and a.instance_id = h.instance_id
    )
    order by i.instance_id
    for no key update
  `.execute(tx);
  return rows.length;
}

/** Gives each card without an account that of its holder's newest former card that has one. */
export async function moveAccounts(
  tx: Tx,
  { workspaceId, passId }: Pass,
  heirs: readonly Heir[],
): Promise<TakenAccount[]> {
  const { rows } = await sql<TakenAccount>`
    with former as (
      select distinct on (heir.instance_id) heir.instance_id, a.account_id
      from unnest(
        ${heirs.map((heir) => heir.instanceId)}::uuid[], ${heirs.map((heir) => heir.identifier)}::text[]
      ) as heir(instance_id, identifier)
      join holders h on h.workspace_id = ${workspaceId} and h.pass_id = ${passId}
        and h.identifier = heir.identifier and h.current is null and h.instance_id <> heir.instance_id
      join loyalty_accounts a on a.workspace_id = h.workspace_id and a.instance_id = h.instance_id
      where not exists (
        select from loyalty_accounts own
        where own.workspace_id = ${workspaceId} and own.instance_id = heir.instance_id
      )
      order by heir.instance_id, h.instance_id desc
    )
    update loyalty_accounts a set instance_id = former.instance_id
    from former
    where a.workspace_id = ${workspaceId} and a.account_id = former.account_id
    returning a.instance_id, a.balance, a.pending_rewards
  `.execute(tx);
  return rows;
}
