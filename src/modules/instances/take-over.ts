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
  const [pass] = rows;
  if (pass === undefined) return [];
  const heirs = heirsOf(rows);
  const [, , accounts] = await Promise.all([
    holdFormer(tx, pass, heirs),
    insertCards(tx, workspaceId, cards),
    takeOver(tx, pass, heirs),
  ]);
  return rows.map((row) => ({ ...row, loyalty: accounts.get(row.instanceId) ?? row.loyalty }));
}

/**
 * Writes the person of a card that the caller holds, like `keepHolder`. An active card takes over the account of a
 * former card of that person; answers what it has taken, null for nothing.
 */
export async function keepHolderAndAccount(tx: Tx, row: InstanceRow): Promise<CardAccount | null> {
  const heirs = heirsOf(row.status === 'active' ? [row] : []);
  const hasFormer = await holdFormer(tx, row, heirs);
  await keepHolder(tx, row);
  if (!hasFormer) return null;
  return (await takeOver(tx, row, heirs)).get(row.instanceId) ?? null;
}

/** A card that may take an account over. */
interface Heir {
  readonly instanceId: string;
  readonly identifier: string;
  readonly loyalty: CardAccount;
}

function heirsOf(rows: readonly InstanceRow[]): Heir[] {
  return rows.flatMap(({ instanceId, holder, loyalty }) =>
    loyalty === null || holder?.identifier == null
      ? []
      : [{ instanceId, loyalty, identifier: holder.identifier }],
  );
}

/**
 * Holds the former cards, which must come before a holder is written: somebody who makes one of them valid meanwhile
 * waits here for both.
 */
function holdFormer(tx: Tx, pass: InstanceRow, heirs: readonly Heir[]): Promise<boolean> {
  return holdFormerCards(
    tx,
    pass,
    heirs.map(({ identifier }) => identifier),
  );
}

/** Once the new cards are there. */
async function takeOver(
  tx: Tx,
  pass: InstanceRow,
  heirs: readonly Heir[],
): Promise<Map<string, CardAccount>> {
  const taken = await takeOverAccounts(tx, pass, heirs);
  return new Map(
    heirs.flatMap(({ instanceId, loyalty }) => {
      const account = taken.get(instanceId);
      if (account === undefined) return [];
      const { balance, pendingRewards } = account;
      return [[instanceId, { ...loyalty, balance, pendingRewards }] as const];
    }),
  );
}
