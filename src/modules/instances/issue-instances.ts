import { refusal } from '../../errors.ts';
import { replay } from '../../idempotency.ts';
import {
  type Claim,
  fingerprintOf,
  keepAnswers,
  keptAnswers,
  releaseClaims,
  takeClaims,
} from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, outcomeOf } from '../../kit/http/api-error.ts';
import type { Answer } from '../../kit/http/endpoint.ts';
import { newUuidV7 } from '../../kit/ids.ts';
import { requirePartners } from '../partners/find-partner.ts';
import { countCards, holdForIssue } from '../passes/hold-for-issue.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { countTaken, type PoolTaken, settlePool } from '../passes/settle-pool.ts';
import { programOfPass } from '../programs/find-program.ts';
import { assignBarcodes } from './assign-barcodes.ts';
import { checkIssue } from './check-issue.ts';
import { insertEvent } from './events.sql.ts';
import { presentInstance } from './instance.schema.ts';
import type { InstanceRow } from './instance-row.ts';
import { findPresentCards, freezeInstances } from './instances.sql.ts';
import type { CheckedItem, IssueItem, IssueOutcome } from './issue-item.ts';
import { newCard } from './new-card.ts';
import { openAccounts } from './open-accounts.ts';
import { writeCards } from './take-over.ts';

type Outcomes = Map<IssueItem, IssueOutcome>;

const operation = 'issueInstance';

/** Issues of one pass share transactions; those of another do not wait for them. */
export function laneOf(item: IssueItem): string {
  return `${item.ctx.workspaceId} ${item.passId}`;
}

/**
 * Issues many cards of one pass in one transaction. Each item has its own outcome: a refusal, a replay or a
 * repeated holder never affects its neighbours. Items that name the same key, holder or barcode follow each other.
 */
export async function issueInstances(
  tx: Tx,
  _lane: string,
  items: readonly IssueItem[],
): Promise<readonly IssueOutcome[]> {
  const workspaceId = items[0]?.ctx.workspaceId ?? '';
  const outcomes: Outcomes = new Map();
  const rows: InstanceRow[] = [];
  const taken: PoolTaken[] = [];
  // All keys at once: two batches that took theirs round by round could block each other.
  const claimed = await takeClaims(tx, workspaceId, [...claimsOf(items).values()]);
  for (const round of roundsOf(items))
    rows.push(...(await issueRound(tx, workspaceId, round, claimed, outcomes, taken)));
  // Once and last: its row is the busiest, and two batches that took several could block each other.
  const [row] = rows;
  if (row !== undefined) {
    await countCards(tx, row, { issued: rows.length, assigned: countTaken(taken) });
  }
  await settlePool(tx, taken);
  return items.map((item) => outcomes.get(item) ?? refusal('internal_error', 'The card was not issued.'));
}

async function issueRound(
  tx: Tx,
  workspaceId: string,
  round: readonly IssueItem[],
  claimed: Set<string>,
  outcomes: Outcomes,
  taken: PoolTaken[],
): Promise<InstanceRow[]> {
  const fresh = await replayKnown(tx, workspaceId, round, claimed, outcomes);
  const checked = await checkAll(tx, workspaceId, fresh, outcomes);
  const newcomers = await answerPresentHolders(tx, checked, outcomes);
  const barcodes = await assignBarcodes(tx, newcomers, outcomes, taken);
  const cards = newcomers
    .filter(({ item }) => !outcomes.has(item))
    .map((entry) => ({ item: entry.item, row: newCard(entry, barcodes.get(entry.instanceId) ?? null) }));
  if (cards.length > 0) {
    const written = await writeCards(
      tx,
      workspaceId,
      cards.map(({ item, row }) => ({ row, detail: claimDetail(item) })),
    );
    const opened = await openAccounts(tx, cards);
    for (const [at, { item, row }] of cards.entries()) {
      const now = written[at] ?? row;
      outcomes.set(item, created(201, item, { ...now, loyalty: opened.get(row) ?? now.loyalty }));
    }
  }
  await settleClaims(tx, workspaceId, fresh, outcomes);
  return cards.map(({ row }) => row);
}

/**
 * Answers the items whose key was used before; returns the others, whose claims are now taken. `claimed` are the
 * claims that the batch has taken and no item has used yet.
 */
async function replayKnown(
  tx: Tx,
  workspaceId: string,
  round: readonly IssueItem[],
  claimed: Set<string>,
  outcomes: Outcomes,
): Promise<IssueItem[]> {
  const claims = claimsOf(round);
  // A key that an earlier item of the batch gave up again is free to take.
  const retaken = await takeClaims(
    tx,
    workspaceId,
    [...claims.values()].filter(({ key }) => !claimed.has(key)),
  );
  const taken = new Set([...claims.keys()].filter((key) => claimed.delete(key) || retaken.has(key)));
  const known = [...claims.keys()].filter((key) => !taken.has(key));
  const kept = await keptAnswers(tx, workspaceId, operation, known);
  for (const item of round) {
    const claim = item.key === null ? undefined : claims.get(item.key);
    if (claim === undefined || taken.has(claim.key)) continue;
    const answer = kept.get(claim.key);
    if (answer === undefined) throw new Error('a committed claim has no answer');
    outcomes.set(
      item,
      outcomeOf(() => replay(claim, answer)),
    );
  }
  return round.filter((item) => !outcomes.has(item));
}

/** Refuses the items that the pass or their body does not allow. */
async function checkAll(
  tx: Tx,
  workspaceId: string,
  fresh: readonly IssueItem[],
  outcomes: Outcomes,
): Promise<CheckedItem[]> {
  const checked: CheckedItem[] = [];
  const [first] = fresh;
  if (first === undefined) return checked;
  const found = await holdForIssue(tx, workspaceId, first.passId);
  const named = fresh.map(({ input }) => input.partnerId);
  const partners = await requirePartners(tx, { workspaceId }, named);
  const opens = found !== undefined && fresh.some(({ opening }) => opening !== null);
  const program = opens ? await programOfPass(tx, workspaceId, found.passId) : undefined;
  for (const item of fresh) {
    const pass = outcomeOf(() => checkIssue(item, found, partners, program));
    const partnerId = partners.get(item.input.partnerId ?? '') ?? null;
    if (pass instanceof ApiError) outcomes.set(item, pass);
    else checked.push({ item, pass, partnerId, instanceId: newUuidV7() });
  }
  return checked;
}

/** Answers the items whose holder has a card of the pass already: with that card, 200. */
async function answerPresentHolders(
  tx: Tx,
  checked: readonly CheckedItem[],
  outcomes: Outcomes,
): Promise<CheckedItem[]> {
  const [first] = checked;
  if (first === undefined) return [];
  const identifiers = checked.map(({ item }) => identifierOf(item)).filter((name) => name !== null);
  const cards = await holdPresentCards(tx, first.pass, identifiers);
  const present = new Map<string | null, InstanceRow>(cards.map((row) => [row.holder.identifier, row]));
  for (const { item } of checked) {
    const row = present.get(identifierOf(item));
    if (row === undefined) continue;
    if (item.imported && item.input.barcode !== row.barcode) {
      // To answer with the other card would drop the code that this holder's plastic carries.
      outcomes.set(
        item,
        refusal(
          'holder_has_active_instance',
          'This holder has a card of the pass with another barcode. Void that one first.',
        ),
      );
      continue;
    }
    outcomes.set(item, created(200, item, row));
    const at = item.ctx.app.now();
    if (item.key !== null)
      await insertEvent(tx, row, { kind: 'issue repeated', detail: claimDetail(item), createdAt: at });
  }
  return checked.filter(({ item }) => !outcomes.has(item));
}

/** The present cards of holders, kept from changing until the transaction ends. */
async function holdPresentCards(tx: Tx, pass: PassRow, identifiers: readonly string[]) {
  const seen = await findPresentCards(tx, pass, identifiers);
  if (seen.length === 0) return seen;
  await freezeInstances(
    tx,
    pass.workspaceId,
    seen.map((row) => row.instanceId),
  );
  // Some may have been changed, voided or erased while they were waited for.
  return findPresentCards(tx, pass, identifiers);
}

/** Keeps the answers of the round's claims, and gives up those whose item was refused. */
async function settleClaims(
  tx: Tx,
  workspaceId: string,
  fresh: readonly IssueItem[],
  outcomes: Outcomes,
): Promise<void> {
  const kept = [];
  const refused = [];
  for (const item of fresh) {
    const outcome = outcomes.get(item);
    if (item.key === null) continue;
    if (outcome === undefined || outcome instanceof ApiError) refused.push(item.key);
    else kept.push({ key: item.key, status: outcome.status, body: String(outcome.body) });
  }
  await keepAnswers(tx, workspaceId, operation, kept);
  await releaseClaims(tx, workspaceId, operation, refused);
}

/** Splits items so that within a round no two share a key, a holder or a barcode. */
function roundsOf(items: readonly IssueItem[]): IssueItem[][] {
  const rounds: { names: Set<string>; items: IssueItem[] }[] = [];
  for (const item of items) {
    const identifier = identifierOf(item);
    const names = [
      ...(item.key === null ? [] : [`key ${item.key}`]),
      ...(identifier === null ? [] : [`holder ${identifier}`]),
      ...(item.input.barcode == null ? [] : [`barcode ${item.input.barcode}`]),
    ];
    // After the last round that has one of its names: equal items keep their order.
    const last = rounds.findLastIndex((round) => names.some((name) => round.names.has(name)));
    const round = rounds[last + 1] ?? { names: new Set(), items: [] };
    if (last + 1 === rounds.length) rounds.push(round);
    for (const name of names) round.names.add(name);
    round.items.push(item);
  }
  return rounds.map((round) => round.items);
}

/** The claims of items by key; of several with one key, that of the first. */
function claimsOf(items: readonly IssueItem[]): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const item of items) {
    const { key } = item;
    if (key === null || claims.has(key)) continue;
    const opening = item.opening === null ? [] : [item.opening.balance];
    const effect = [item.passId, identifierOf(item), item.input.barcode ?? null, ...opening];
    claims.set(key, { operation, key, fingerprint: fingerprintOf(effect), requestId: item.ctx.requestId });
  }
  return claims;
}

function identifierOf(item: IssueItem): string | null {
  return item.input.holder?.identifier ?? null;
}

function claimDetail(item: IssueItem) {
  return item.key === null ? {} : { op: operation, key: item.key };
}

function created(status: 200 | 201, item: IssueItem, row: InstanceRow): Answer {
  const body = JSON.stringify(presentInstance(item.ctx.app.config.publicUrl, row));
  return { status, body };
}
