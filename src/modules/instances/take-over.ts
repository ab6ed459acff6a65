import type { Tx } from '../../kit/db/database.ts';
import { holdFormerCards, takeOverAccounts } from '../loyalty/take-over-accounts.ts';
import type { CardAccount, InstanceRow } from './instance-row.ts';
import { insertCards, type NewCard } from './issue.sql.ts';
import { keepHolder } from './keep-holder.ts';

/**
 * Writes new cards of one pass. Each takes over the account of its holder's former card, if that has one. Answers the
 * rows in their order, as they stand then. Raises `LostRace` like `insertCards`.
 */
export async function writeCards(
  tx: Tx,
  workspaceId: string,
  cards: readonly NewCard[],
): Promise<InstanceRow[]> {
  const rows = cards.map(({ row }) => row);
  const takeOver = await prepare(tx, rows);
  await insertCards(tx, workspaceId, cards);
  const accounts = await takeOver();
  return rows.map((row) => ({ ...row, loyalty: accounts.get(row.instanceId) ?? row.loyalty }));
}

/**
 * Writes the person of a card that the caller holds, like `keepHolder`. An active card takes over the account of a
 * former card of that person; answers what it has taken, null for nothing.
 */
export async function keepHolderAndAccount(tx: Tx, row: InstanceRow): Promise<CardAccount | null> {
  const takeOver = await prepare(tx, row.status === 'active' ? [row] : []);
  await keepHolder(tx, row);
  return (await takeOver()).get(row.instanceId) ?? null;
}

/**
 * Holds the former cards, which must come before a holder is written: somebody who makes one of them valid meanwhile
 * waits here for both. What it answers does the rest, once the new cards are there.
 */
async function prepare(
  tx: Tx,
  rows: readonly InstanceRow[],
): Promise<() => Promise<Map<string, CardAccount>>> {
  const heirs = rows.flatMap(({ instanceId, holder, loyalty }) =>
    loyalty === null || holder?.identifier == null
      ? []
      : [{ instanceId, loyalty, identifier: holder.identifier }],
  );
  const [pass] = rows;
  const names = heirs.map(({ identifier }) => identifier);
  if (pass === undefined || !(await holdFormerCards(tx, pass, names))) return async () => new Map();
  return async () => {
    const taken = await takeOverAccounts(tx, pass, heirs);
    return new Map(
      heirs.flatMap(({ instanceId, loyalty }) => {
        const account = taken.get(instanceId);
        if (account === undefined) return [];
        const { balance, pendingRewards } = account;
        return [[instanceId, { ...loyalty, balance, pendingRewards }] as const];
      }),
    );
  };
}
