import { checkFieldValues } from '../cards/field-values.ts';
import type { HolderRow, InstanceRow } from '../cards/instance-row.ts';
import { findPresentCards, findTakenBarcodes, lockPresentCards } from '../cards/instances.sql.ts';
import { refusal } from '../errors.ts';
import type { Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { invalidField } from '../kit/http/api-error.ts';
import { futureMoment } from '../kit/http/endpoints/parameters.ts';
import { decodeId } from '../kit/ids.ts';
import { refuseOpening } from '../loyalty/post-opening-balances.ts';
import { refuseUnprintable } from '../passes/barcode-formats.ts';
import { lockForIssue, passNotFound, refuseForeignPass, refuseUnpublished } from '../passes/find-pass.ts';
import { partnerNotFound, requirePartners } from '../passes/partners/partners.ts';
import type { LockedPass, PassRow } from '../passes/pass-row.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import type { ProgramRow } from '../passes/programs/program-row.ts';
import { type IssueItem, identifierOf, updatesPresent } from './issue-item.ts';

/** What an issue is decided on. */
export interface Loaded {
  /** Kept from changing until the transaction ends; undefined where there is none. */
  readonly pass: LockedPass | undefined;
  /** That of the pass, where items bring balances. */
  readonly program: ProgramRow | undefined;
  /** Those of the workspace that items name: public id → id. */
  readonly partners: ReadonlyMap<string, string>;
  /** The present cards of the pass, by holder, kept from changing. */
  readonly present: ReadonlyMap<string, InstanceRow>;
  /** Barcodes that items bring and other cards of the pass have. */
  readonly taken: ReadonlySet<string>;
}

const nothingLoaded: Loaded = {
  pass: undefined,
  program: undefined,
  partners: new Map(),
  present: new Map(),
  taken: new Set(),
};

/** Holds the pass of the items and the cards that their holders have, and reads what else they name, all in one write. */
export async function loadIssue(tx: Tx, items: readonly IssueItem[]): Promise<Loaded> {
  const [first] = items;
  const passId = decodeId('pass', first?.passId ?? '');
  if (first === undefined || passId === null) return nothingLoaded;
  const { workspaceId } = first.ctx;
  const pass = { workspaceId, passId };
  const identifiers = items.map(identifierOf).filter((name) => name !== null);
  const [held, lockedCards, taken, present, partners, program] = await Promise.all([
    lockForIssue(tx, workspaceId, first.passId),
    lockPresentCards(tx, pass, identifiers, items.some(updatesPresent)),
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
  return { pass: held, program, partners, present: byHolder(present, lockedCards), taken };
}

/** Raises `LostRace` for a card that has become its holder's since those were held. */
function byHolder(
  cards: readonly (InstanceRow & { holder: HolderRow })[],
  held: ReadonlySet<string>,
): Map<string, InstanceRow> {
  if (cards.some(({ instanceId }) => !held.has(instanceId))) throw new LostRace();
  return new Map(cards.map((card) => [card.holder.identifier ?? '', card]));
}

/**
 * Whether the pass and the body allow the card; answers the pass. `partners` are those of the workspace that items name,
 * `program` is that of the pass where items bring balances.
 * Raises, in this order: `pass_not_found`, `forbidden`, `insufficient_scope`, `pass_archived`, `pass_not_active`,
 * `invalid_request`, the refusals of field values, `partner_not_found`, `no_loyalty_program`.
 */
export function checkIssue<Pass extends PassRow>(
  item: IssueItem,
  pass: Pass | undefined,
  partners: ReadonlyMap<string, string>,
  program: ProgramRow | undefined,
): Pass {
  const { ctx, input } = item;
  if (pass === undefined) throw passNotFound(item.passId);
  refuseForeignPass(ctx, pass);
  if (pass.status === 'archived')
    throw refusal('pass_archived', 'This pass is archived. Publish it again to issue cards.');
  refuseUnpublished(pass);
  if (item.problem != null) throw item.problem;
  checkBarcode(item, pass);
  futureMoment('expiresAt', input.expiresAt ?? null, ctx.app.now());
  if (input.fields !== undefined && Object.keys(input.fields).length > 0)
    checkFieldValues(pass.fields, input.fields);
  if (input.partnerId != null && !partners.has(input.partnerId)) throw partnerNotFound();
  if (item.opening !== null) refuseOpening(program, item.opening);
  return pass;
}

function checkBarcode({ input, imported }: IssueItem, pass: PassRow): void {
  if (input.barcode == null) return;
  const mayBring = pass.barcodeMode === 'unique' || (imported && pass.barcodeMode === 'pool');
  if (!mayBring) {
    throw invalidField(
      'barcode',
      'excluded',
      `a pass of barcode mode "${pass.barcodeMode}" sets the code itself. Leave it out.`,
    );
  }
  refuseUnprintable('barcode', pass.barcodeFormat, input.barcode);
}
