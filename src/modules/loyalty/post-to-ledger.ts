import { audit } from '../../audit.ts';
import { refusal } from '../../errors.ts';
import { replayKnown, replayLate } from '../../idempotency.ts';
import { type Claim, fingerprintOf, keepNewAnswers } from '../../kit/db/claims.ts';
import { LostRace, type Tx } from '../../kit/db/database.ts';
import { ApiError, outcomeOf } from '../../kit/http/api-error.ts';
import { encodeId } from '../../kit/ids.ts';
import { type Announcements, announcements } from '../delivery/announcements.ts';
import { refuseVoided } from '../instances/find-instance.ts';
import { type HeldRow, holdTargets, restampCards, type Target } from '../instances/hold-targets.ts';
import { presentPush, statusOf } from '../instances/instance.schema.ts';
import { partnerNotFound, requirePartners } from '../partners/find-partner.ts';
import { findAnyPass, passNotFound, refuseForeignPass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { type LedgerRules, ledgerRules } from '../programs/ledger-rules.ts';
import { type Book, nextExpiryOf } from './account-book.ts';
import { readCardsOfAccounts } from './books.sql.ts';
import {
  actOf,
  type LedgerItem,
  type LedgerOutcome,
  type Posted,
  refuseIdle,
  refuseNone,
} from './ledger-item.ts';
import { readBooks } from './read-books.ts';
import { writeBooks } from './write-books.ts';

type Outcomes = Map<LedgerItem, LedgerOutcome>;
const nothingToPush = { pushed: false, pushSkipReason: 'unchanged' } as const;

/** The pass of a round with its program, and the partners that its items name, by public id. */
interface Ground {
  readonly pass: PassRow;
  readonly rules: LedgerRules;
  readonly partners: ReadonlyMap<string, string>;
}

/**
 * Posts many calls of one operation and pass in one transaction. Each has its own outcome: a refusal or a replay never
 * affects its neighbours. Cards are held from before the first decision until the commit; a claim and its answer are
 * kept together with the entries.
 */
export async function postToLedger(
  tx: Tx,
  _lane: string,
  items: readonly LedgerItem[],
): Promise<readonly LedgerOutcome[]> {
  const [first] = items;
  if (first === undefined) return [];
  const pushes = announcements(tx, first.ctx, first.ctx.workspaceId);
  const outcomes = await postItems(tx, items, pushes);
  await pushes.settle();
  return outcomes;
}

/** The same for a caller that has more to write before the pushes are settled. */
export async function postItems(
  tx: Tx,
  items: readonly LedgerItem[],
  pushes: Announcements,
): Promise<readonly LedgerOutcome[]> {
  const outcomes: Outcomes = new Map();
  for (const round of roundsOf(items)) await postRound(tx, round, pushes, outcomes);
  await replayLate(tx, items, claimsOf, outcomes);
  return items.map((item) => outcomes.get(item) ?? refusal('internal_error', 'Nothing was posted.'));
}

async function postRound(
  tx: Tx,
  round: readonly LedgerItem[],
  pushes: Announcements,
  outcomes: Outcomes,
): Promise<void> {
  await replayKnown(tx, round, claimsOf, outcomes);
  const at = round[0]?.ctx.app.now() ?? new Date();
  const ground = await checkGround(tx, unanswered(round, outcomes), at, outcomes);
  const items = unanswered(round, outcomes);
  const [first] = items;
  if (ground === null || first === undefined) return;
  const { pass, rules } = ground;
  const cards = await holdCards(tx, pass, items, outcomes);
  const intents = [...cards].map(([item, card]) => ({ ...item, card }));
  const books = await readBooks(tx, rules.program, intents, at);
  const posted: { item: LedgerItem; card: HeldRow; done: Posted; shown: boolean }[] = [];
  for (const [item, card] of cards) {
    const book = books.get(card.instanceId) as Book;
    const done = outcomeOf(() => enter(item, card, book, ground, at));
    if (done instanceof ApiError) outcomes.set(item, done);
    else {
      posted.push({ item, card, ...done });
      const push =
        done.done.entry === null && !done.shown ? nothingToPush : await pushes.add(card, done.shown);
      const body = { ...done.done.answer, ...presentPush(push) };
      outcomes.set(item, { status: statusOf(push), body: JSON.stringify(body) });
    }
  }
  await writeBooks(tx, rules.program, [...books.values()], at);
  const shown = posted.filter((one) => one.shown).map(({ card }) => card);
  await restampCards(tx, first.ctx, pass, [...new Set(shown)]);
  for (const { item, done } of posted) {
    if (done.audit !== undefined) await audit(tx, item.ctx, { action: item.operation, ...done.audit });
  }
  await keepAnswers(
    tx,
    posted.map(({ item }) => item),
    outcomes,
  );
}

/** Lets the call enter what it decides, and finds out whether the card shows anything of it. */
function enter(
  item: LedgerItem,
  card: HeldRow,
  book: Book,
  { rules, partners }: Ground,
  at: Date,
): { done: Posted; shown: boolean } {
  if (!item.mayBeVoided) refuseVoided(card);
  // The account has moved on to another card since: the transaction starts again and finds it there.
  if ('accountId' in item.target && book.account.accountId !== item.target.accountId) throw new LostRace();
  const before = faceOf(book);
  const act = actOf(item, at, partners.get(item.partnerId ?? '') ?? null);
  const done = item.decide(book, rules, act, card);
  const answer = {
    ...(done.entry !== null && { entryId: encodeId('entry', done.entry.entryId) }),
    instanceId: encodeId('inst', card.instanceId),
    programId: encodeId('prog', rules.program.programId),
    ...done.answer,
  };
  return { done: { ...done, answer }, shown: rules.program.launchedAt !== null && faceOf(book) !== before };
}

/** What a card shows of its account. */
function faceOf(book: Book): string {
  const { balance, pendingRewards } = book.account;
  return `${balance} ${pendingRewards} ${nextExpiryOf(book)}`;
}

/** Refuses the items that pass, partner or program do not allow; the pass, program and partners for the others. */
async function checkGround(
  tx: Tx,
  items: readonly LedgerItem[],
  at: Date,
  outcomes: Outcomes,
): Promise<Ground | null> {
  const [first] = items;
  if (first === undefined) return null;
  const pass = await findAnyPass(tx, first.passId);
  const partners = await requirePartners(
    tx,
    first.ctx,
    items.map(({ partnerId }) => partnerId),
  );
  const moments = items.map(({ occurredAt }) => occurredAt ?? at);
  const rules = pass?.programId == null ? undefined : await ledgerRules(tx, pass, at, [at, ...moments]);
  for (const item of items) {
    const refused = outcomeOf(() => {
      if (pass === undefined) throw passNotFound(item.passId);
      refuseForeignPass(item.ctx, pass);
      item.check?.(pass);
      if (item.partnerId !== null && !partners.has(item.partnerId)) throw partnerNotFound();
      if (item.mustBeActive) refuseIdle(rules?.program);
      else refuseNone(rules?.program);
    });
    if (refused instanceof ApiError) outcomes.set(item, refused);
  }
  return pass === undefined || rules === undefined ? null : { pass, rules, partners };
}

/** The card of each item, held; those that name none are refused. */
async function holdCards(
  tx: Tx,
  pass: PassRow,
  items: readonly LedgerItem[],
  outcomes: Outcomes,
): Promise<Map<LedgerItem, HeldRow>> {
  const accountIds = items.flatMap(({ target }) => ('accountId' in target ? [target.accountId] : []));
  const showing = await readCardsOfAccounts(tx, pass.workspaceId, accountIds);
  const targetOf = ({ target }: LedgerItem): Target =>
    'accountId' in target
      ? { instanceId: encodeId('inst', showing.get(target.accountId) ?? target.accountId) }
      : target;
  const held = await holdTargets(tx, pass, items.map(targetOf));
  const cards = new Map<LedgerItem, HeldRow>();
  for (const [place, item] of items.entries()) {
    const card = held[place];
    if (card instanceof ApiError) outcomes.set(item, card);
    else if (card !== undefined) cards.set(item, card);
  }
  return cards;
}

async function keepAnswers(tx: Tx, items: readonly LedgerItem[], outcomes: Outcomes): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const answers = items.flatMap((item) => {
    const outcome = outcomes.get(item);
    if (outcome === undefined || outcome instanceof ApiError) return [];
    const { status, body } = outcome;
    return claimsOf(item).map((claim) => ({ ...claim, status, body: String(body) }));
  });
  await keepNewAnswers(tx, first.ctx.workspaceId, answers);
}

function claimsOf({ operation, key, effect, ctx }: LedgerItem): Claim[] {
  if (key === null) return [];
  return [{ operation, key, fingerprint: fingerprintOf(effect), requestId: ctx.requestId }];
}

function unanswered(round: readonly LedgerItem[], outcomes: Outcomes): LedgerItem[] {
  return round.filter((item) => !outcomes.has(item));
}

/** Splits items so that no two of a round share a key: the later one then finds the answer of the earlier. */
function roundsOf(items: readonly LedgerItem[]): LedgerItem[][] {
  const rounds: LedgerItem[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const place = item.key === null ? 0 : (seen.get(item.key) ?? 0);
    if (item.key !== null) seen.set(item.key, place + 1);
    const round = rounds[place] ?? [];
    rounds[place] = round;
    round.push(item);
  }
  return rounds;
}
