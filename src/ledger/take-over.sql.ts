import type { Tx } from '../kit/db/database.ts';
import { prepared, type Sql } from '../kit/db/sql.ts';

/** What a card has taken over, from which card, and what that showed of it. */
export interface TakenAccount {
  readonly instanceId: string;
  readonly balance: number;
  readonly lifetimePoints: number;
  readonly pendingRewards: number;
  readonly formerId: string;
  readonly seq: number;
  readonly shownAt: Date | null;
  readonly shownPassRevision: number;
}

/**
 * Gives each card without an account that of its newest former card that has one. `cards` has the `instance_id` of each,
 * and a row with the `former_id` of each former card.
 */
export function moveAccounts(tx: Tx, workspaceId: string, cards: Sql, most: number): Promise<TakenAccount[]> {
  return prepared<TakenAccount>`
    with former as materialized (
      select distinct on (card.instance_id) card.instance_id, card.former_id, a.*
      from (${cards}) as card
      cross join lateral (
        select account_id, seq, shown_at, shown_pass_revision from loyalty_accounts
        where instance_id = card.former_id and workspace_id = ${workspaceId}
        limit 1
      ) as a
      left join lateral (
        select account_id from loyalty_accounts
        where instance_id = card.instance_id and workspace_id = ${workspaceId}
        limit 1
      ) as own on true
      where own.account_id is null
      order by card.instance_id, card.former_id desc
    )
    update loyalty_accounts a set instance_id = former.instance_id
    from (select * from former limit ${most}) as former
    where a.workspace_id = ${workspaceId} and a.account_id = former.account_id
    returning a.instance_id, a.balance, a.lifetime_points, a.pending_rewards, former.former_id, a.seq, a.shown_at,
      a.shown_pass_revision
  `.rows(tx);
}
