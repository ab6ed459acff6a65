import { insertConsents } from '../cards/consents.sql.ts';
import { presentInstance, type ShownInstance } from '../cards/instance.schema.ts';
import type { CardAccount, InstanceRow } from '../cards/instance-row.ts';
import { audit } from '../engine/audit.ts';
import { batchOf, submit } from '../engine/batch.ts';
import type { Answered } from '../engine/idempotency.ts';
import { refusal } from '../errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { insertRepeats } from '../events/timeline.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { newUuidV7 } from '../kit/ids.ts';
import { postOpeningBalances } from '../loyalty/post-opening-balances.ts';
import { countCards } from '../passes/count-cards.ts';
import { assignBarcodes } from './assign-barcodes.ts';
import {
  type CheckedItem,
  claimDetail,
  type IssueAnswer,
  type Issued,
  type IssueItem,
  identifierOf,
  updatesPresent,
  withNumber,
} from './issue-item.ts';
import { checkIssue, type Loaded, loadIssue } from './load-issue.ts';
import { newCard } from './new-card.ts';
import { writeCards } from './take-over.ts';
import { type Repeat, updatePresent } from './update-present.ts';

type Results = Map<IssueItem, Issued | ApiError>;

/** Issues cards of one pass in one transaction: those that name the same key, holder or barcode follow each other. */
export const issueInstances = batchOf({ load: loadIssue, settle });

/** Issues a card together with other calls for its pass. Raises its refusal. */
export async function issueInstance(item: IssueItem): Promise<Answered<IssueAnswer>> {
  // Issues of one pass share transactions; those of another do not wait for them.
  const lane = `${item.ctx.workspaceId} ${item.passId}`;
  return submit(item.ctx, issueInstances, lane, await withNumber(item));
}

/**
 * Issues cards of one pass, of which no two name the same holder or bring the same barcode. Each item has its own result: a
 * refusal never affects its neighbours.
 */
export async function issueCards(tx: Tx, items: readonly IssueItem[]): Promise<Results> {
  return settle(tx, items, await loadIssue(tx, items));
}

async function settle(tx: Tx, items: readonly IssueItem[], loaded: Loaded): Promise<Results> {
  const results: Results = new Map();
  const checked = checkAll(items, loaded, results);
  const { newcomers, present } = matchPresentHolders(checked, loaded, results);
  const repeats = await answerPresentHolders(tx, present, results);
  const barcodes = await assignBarcodes(tx, newcomers, loaded.taken, results);
  const cards = newcomers
    .filter(({ item }) => !results.has(item))
    .map((entry) => ({ item: entry.item, row: newCard(entry, barcodes.get(entry.instanceId) ?? null) }));
  await writeAll(tx, cards, repeats, results);
  await keepConsents(tx, items, results);
  return results;
}

/** Refuses the items that the pass or their body does not allow. */
function checkAll(
  items: readonly IssueItem[],
  { pass: held, partners, program }: Loaded,
  results: Results,
): CheckedItem[] {
  const checked: CheckedItem[] = [];
  for (const item of items) {
    const pass = catchRefusal(() => checkIssue(item, held, partners, program));
    const partnerId = partners.get(item.input.partnerId ?? '') ?? null;
    if (pass instanceof ApiError) results.set(item, pass);
    else checked.push({ item, pass, partnerId, instanceId: newUuidV7() });
  }
  return checked;
}

/** Finds the items whose holder has a card of the pass already; the others need a new one. */
function matchPresentHolders(
  checked: readonly CheckedItem[],
  { present }: Loaded,
  results: Results,
): { newcomers: CheckedItem[]; present: Repeat[] } {
  const newcomers: CheckedItem[] = [];
  const held: Repeat[] = [];
  for (const entry of checked) {
    const { item } = entry;
    const row = present.get(identifierOf(item) ?? '');
    if (row === undefined) newcomers.push(entry);
    else if (item.opening?.isSold === true) results.set(item, hasCard());
    else if (item.imported && item.input.barcode !== row.barcode) results.set(item, hasOtherCode());
    else held.push({ item, row });
  }
  return { newcomers, present: held };
}

/** Answers with the cards that holders have, which some items update. The others, and those without effect, are repeats. */
async function answerPresentHolders(tx: Tx, present: readonly Repeat[], results: Results): Promise<Repeat[]> {
  const answered = present.map(async (repeat) => {
    const { item, row } = repeat;
    if (!updatesPresent(item)) {
      results.set(item, { row, isNew: false, shown: shownTo(item, row) });
      return [repeat];
    }
    const { outcome, hasChanged } = await updatePresent(tx, repeat);
    results.set(item, outcome);
    return hasChanged || outcome instanceof ApiError ? [] : [repeat];
  });
  return (await Promise.all(answered)).flat();
}

/** To answer with the card that the holder has would lose the money that was paid for another. */
function hasCard(): ApiError {
  return refusal(
    'holder_has_active_instance',
    'This holder has a card of the pass. Load the money on that one with POST /value/load, or void it first.',
  );
}

/** To answer with the other card would drop the code that this holder's plastic carries. */
function hasOtherCode(): ApiError {
  return refusal(
    'holder_has_active_instance',
    'This holder has a card of the pass with another barcode. Void that one first.',
  );
}

/** Writes new cards, and on the timelines of the others that they were asked for again. */
async function writeAll(
  tx: Tx,
  cards: readonly { item: IssueItem; row: InstanceRow }[],
  repeats: readonly Repeat[],
  results: Results,
): Promise<void> {
  const [first] = [...cards, ...repeats];
  if (first === undefined) return;
  const { workspaceId } = first.row;
  const noted = repeats
    // Without a key nothing is kept that shows the card.
    .filter(({ item }) => item.claims.length > 0)
    .map(({ item, row: { instanceId } }) => ({
      instanceId,
      detail: claimDetail(item),
      actor: item.ctx.actor,
      createdAt: item.ctx.app.now(),
    }));
  const [written] = await Promise.all([
    writeCards(
      tx,
      workspaceId,
      cards.map(({ item, row }) => ({ row, detail: claimDetail(item), actor: item.ctx.actor })),
    ),
    insertRepeats(tx, workspaceId, noted),
  ]);
  // What they bring along is entered in the accounts that they have now.
  const opened = await openAccounts(tx, cards);
  for (const [at, { item, row }] of cards.entries()) {
    const now = written[at] ?? row;
    const issued = { ...now, loyalty: opened.get(row) ?? now.loyalty };
    const shown = shownTo(item, issued);
    results.set(item, { row: issued, isNew: true, shown });
    emitIssue(tx, item, issued, shown);
  }
  if (cards.length > 0) countCards(tx, first.row, { issued: cards.length });
}

/** Keeps what the holders have agreed to, of new cards and of those that they have. */
async function keepConsents(tx: Tx, items: readonly IssueItem[], results: Results): Promise<void> {
  const given = items.flatMap((item) => {
    const result = results.get(item);
    if (result === undefined || result instanceof ApiError) return [];
    const { workspaceId, instanceId } = result.row;
    return item.consents.map((consent) => ({ ...consent, workspaceId, instanceId, at: item.ctx.app.now() }));
  });
  const [first] = given;
  if (first !== undefined) await insertConsents(tx, first.workspaceId, given, first.at);
}

function shownTo({ ctx }: IssueItem, row: InstanceRow): ShownInstance {
  return presentInstance(ctx.app.config.publicUrl, row);
}

/** Emits the event of a new card and audits it, at the end of the unit. */
function emitIssue(tx: Tx, { ctx, op, passId }: IssueItem, row: InstanceRow, shown: ShownInstance): void {
  recordEvent(tx, ctx, {
    type: 'instance.issued',
    passId: row.passId,
    instanceId: row.instanceId,
    data: shown,
  });
  audit(tx, ctx, { action: op, target: shown.instanceId, detail: { after: { passId, status: row.status } } });
}

/** Enters the balances that new cards bring along; answers what these cards have then. */
async function openAccounts(
  tx: Tx,
  cards: readonly { item: IssueItem; row: InstanceRow }[],
): Promise<Map<InstanceRow, CardAccount>> {
  const openings = cards.flatMap(({ item: { ctx, opening }, row }) =>
    opening === null || row.loyalty === null ? [] : [{ ctx, opening, card: row, loyalty: row.loyalty }],
  );
  const [first] = openings;
  const accounts = first === undefined ? new Map() : await postOpeningBalances(tx, first.card, openings);
  return new Map(
    openings.flatMap(({ card, loyalty }) => {
      const account = accounts.get(card.instanceId);
      if (account === undefined) return [];
      const { balance, lifetimePoints, pendingRewards } = account;
      return [[card, { ...loyalty, balance, lifetimePoints, pendingRewards }] as const];
    }),
  );
}
