import { formerCards, lockCardsWithAccounts } from '../cards/holders.sql.ts';
import type { InstanceRow } from '../cards/instance-row.ts';
import { insertCards, type NewCard } from '../cards/issue.sql.ts';
import { keepHolder } from '../cards/keep-holder.ts';
import { ageCards } from '../cards/wallets.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { moveAccounts } from '../ledger/take-over.sql.ts';

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
    lockFormer(tx, pass, heirs),
    insertCards(tx, workspaceId, cards),
    takeOver(tx, pass, heirs),
  ]);
  return rows.map((row) => ({ ...row, ...accounts.get(row.instanceId) }));
}

/**
 * Writes the person of a card that the caller holds, like `keepHolder`. An active card takes over the account of a
 * former card of that person; answers what it has taken, null for nothing.
 */
export async function keepHolderAndAccount(tx: Tx, row: InstanceRow): Promise<Taken | null> {
  const heirs = heirsOf(row.status === 'active' ? [row] : []);
  const hasFormer = await lockFormer(tx, row, heirs);
  await keepHolder(tx, row);
  if (!hasFormer) return null;
  return (await takeOver(tx, row, heirs)).get(row.instanceId) ?? null;
}

/** What a card shows otherwise once it has taken an account over. */
type Taken = Pick<InstanceRow, 'loyalty' | 'updatedAt'>;

/** A card that may take an account over, as it is changed at that moment. */
interface Heir extends Pick<InstanceRow, 'instanceId' | 'updatedAt'> {
  readonly identifier: string;
  readonly loyalty: NonNullable<InstanceRow['loyalty']>;
}

function heirsOf(rows: readonly InstanceRow[]): Heir[] {
  return rows.flatMap(({ instanceId, updatedAt, holder, loyalty }) =>
    loyalty === null || holder?.identifier == null
      ? []
      : [{ instanceId, updatedAt, loyalty, identifier: holder.identifier }],
  );
}

/**
 * Holds the former cards whose accounts may be taken over, false when there are none. It must come before a holder is
 * written: a call that makes one of them valid at the same time waits here for both, and blocks no other call.
 */
async function lockFormer(tx: Tx, pass: InstanceRow, heirs: readonly Heir[]): Promise<boolean> {
  if (heirs.length === 0) return false;
  const identifiers = heirs.map(({ identifier }) => identifier);
  return (await lockCardsWithAccounts(tx, pass, identifiers)) > 0;
}

/**
 * Gives cards, once they are there, the accounts of their holders' former, voided cards, which the caller holds; by the
 * instance ids of the new ones. A card that has an account keeps that. An erased card has no holder, and no card takes its
 * account over.
 */
async function takeOver(tx: Tx, pass: InstanceRow, heirs: readonly Heir[]): Promise<Map<string, Taken>> {
  if (heirs.length === 0) return new Map();
  const heirOf = new Map(heirs.map((heir) => [heir.instanceId, heir]));
  const taken = await moveAccounts(tx, pass.workspaceId, formerCards(pass, heirs), heirs.length);
  await ageCards(
    tx,
    pass.workspaceId,
    taken.flatMap(({ formerId, instanceId, ...shown }) => {
      const heir = heirOf.get(instanceId);
      return heir === undefined ? [] : [{ ...shown, instanceId: formerId, at: heir.updatedAt }];
    }),
  );
  return new Map(
    taken.flatMap(({ instanceId, balance, lifetimePoints, pendingRewards, shownAt }) => {
      const heir = heirOf.get(instanceId);
      if (heir === undefined) return [];
      const { loyalty, updatedAt } = heir;
      return [
        [
          instanceId,
          {
            loyalty: { ...loyalty, balance, lifetimePoints, pendingRewards },
            updatedAt: shownAt !== null && shownAt > updatedAt ? shownAt : updatedAt,
          },
        ] as const,
      ];
    }),
  );
}
