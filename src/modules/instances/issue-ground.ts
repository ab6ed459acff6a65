import { LostRace, type Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { requirePartners } from '../partners/find-partner.ts';
import { holdForIssue } from '../passes/hold-for-issue.ts';
import type { HeldPass } from '../passes/pass-row.ts';
import { programOfPass } from '../programs/find-program.ts';
import type { ProgramRow } from '../programs/program-row.ts';
import type { HolderRow, InstanceRow } from './instance-row.ts';
import { findPresentCards, findTakenBarcodes, holdPresentCards } from './instances.sql.ts';
import { type IssueItem, identifierOf } from './issue-item.ts';

/** What an issue is decided on. */
export interface Ground {
  /** Kept from changing until the transaction ends; undefined where nobody has it. */
  readonly pass: HeldPass | undefined;
  /** That of the pass, where items bring balances. */
  readonly program: ProgramRow | undefined;
  /** Those of the workspace that items name: public id → id. */
  readonly partners: ReadonlyMap<string, string>;
  /** The present cards of the pass, by holder, kept from changing. */
  readonly present: ReadonlyMap<string, InstanceRow>;
  /** Barcodes that items bring and other cards of the pass have. */
  readonly taken: ReadonlySet<string>;
}

const noGround: Ground = {
  pass: undefined,
  program: undefined,
  partners: new Map(),
  present: new Map(),
  taken: new Set(),
};

/** Holds the pass of the items and the cards that their holders have, and reads what else they name, all in one write. */
export async function loadGround(tx: Tx, items: readonly IssueItem[]): Promise<Ground> {
  const [first] = items;
  const passId = decodeId('pass', first?.passId ?? '');
  if (first === undefined || passId === null) return noGround;
  const { workspaceId } = first.ctx;
  const pass = { workspaceId, passId };
  const identifiers = items.map(identifierOf).filter((name) => name !== null);
  const [held, heldCards, taken, present, partners, program] = await Promise.all([
    holdForIssue(tx, workspaceId, first.passId),
    holdPresentCards(tx, pass, identifiers),
    // Before the cards of the holders: a code that is on one of these is on a card that is seen.
    findTakenBarcodes(
      tx,
      pass,
      items.flatMap(({ input }) => input.barcode ?? []),
    ),
    // As they are now that they are held: some may have been changed, voided or erased while they were waited for.
    findPresentCards(tx, pass, identifiers),
    requirePartners(
      tx,
      { workspaceId },
      items.map(({ input }) => input.partnerId),
    ),
    items.some(({ opening }) => opening !== null) ? programOfPass(tx, workspaceId, passId) : undefined,
  ]);
  return { pass: held, program, partners, present: byHolder(present, heldCards), taken };
}

/** Raises `LostRace` for a card that has become its holder's since those were held. */
function byHolder(
  cards: readonly (InstanceRow & { holder: HolderRow })[],
  held: ReadonlySet<string>,
): Map<string, InstanceRow> {
  if (cards.some(({ instanceId }) => !held.has(instanceId))) throw new LostRace();
  return new Map(cards.map((card) => [card.holder.identifier ?? '', card]));
}
