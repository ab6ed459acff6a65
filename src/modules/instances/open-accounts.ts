import type { Tx } from '../../kit/db/database.ts';
import { enterOpenings } from '../loyalty/enter-openings.ts';
import type { CardAccount, InstanceRow } from './instance-row.ts';
import type { IssueItem } from './issue-item.ts';

/** Enters the balances that new cards bring along; answers what these cards have then. */
export async function openAccounts(
  tx: Tx,
  cards: readonly { item: IssueItem; row: InstanceRow }[],
): Promise<Map<InstanceRow, CardAccount>> {
  const openings = cards.flatMap(({ item: { ctx, opening }, row }) =>
    opening === null || row.loyalty === null ? [] : [{ ctx, opening, card: row, loyalty: row.loyalty }],
  );
  const [first] = openings;
  const accounts = first === undefined ? new Map() : await enterOpenings(tx, first.card, openings);
  return new Map(
    openings.flatMap(({ card, loyalty }) => {
      const account = accounts.get(card.instanceId);
      if (account === undefined) return [];
      const { balance, pendingRewards } = account;
      return [[card, { ...loyalty, balance, pendingRewards }] as const];
    }),
  );
}
