import { refuseExpired, refuseVoided } from '../cards/find-instance.ts';
import { hasExpired } from '../cards/instance.schema.ts';
import type { ActorCtx } from '../context.ts';
import { audit } from '../engine/audit.ts';
import { batchOf, submit } from '../engine/batch.ts';
import { type Answered, hideOwnKeys, type PlainAnswer } from '../engine/idempotency.ts';
import type { Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { decodeId, encodeId, firstId } from '../kit/ids.ts';
import { type AccountLedger, nextExpiryOf } from '../ledger/account-ledger.ts';
import { readLedgers } from '../ledger/read-ledgers.ts';
import { writeLedgers } from '../ledger/write-ledgers.ts';
import { passNotFound, refuseForeignPass } from '../passes/find-pass.ts';
import { partnerNotFound, requirePartners } from '../passes/partners/partners.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { type LedgerRules, passRules } from '../passes/programs/ledger-rules.ts';
import { tierOf } from '../passes/programs/tiers.ts';
import { announceChange, nothingToPush, useCredits } from '../pushes/announce-change.ts';
import {
  causeOf,
  type LedgerCall,
  type LedgerItem,
  type LedgerRequest,
  laneOf,
  type Posted,
  requireActiveProgram,
  requireCounting,
  requireSomeProgram,
  type Settled,
} from './ledger-item.ts';
import { expiryOn, type LockedCard, lockNamedCards, resolveTargets, restamp } from './lock-targets.ts';

/** What items of one pass are decided on. */
interface Loaded {
  /** When they are decided. */
  readonly at: Date;
  readonly pass: PassRow | undefined;
  readonly rules: LedgerRules | undefined;
  /** The partners that they name, by public id. */
  readonly partners: ReadonlyMap<string, string>;
  /** The cards that they name, held; undefined where that is yet to be found out. */
  readonly held: ReadonlyMap<LedgerItem, LockedCard | undefined>;
}

type Outcomes<Item, State> = Map<Item, Settled<State> | ApiError>;

/** Posts many calls of one operation and pass in one transaction. */
export const postToLedger = batchOf<LedgerCall, Settled, Loaded>({
  load: loadPosting,
  settle: (tx, calls, loaded) => postItems(tx, calls, loaded),
});

/** Posts a call together with others that wait for the same transaction; raises its refusal. */
export async function submitCall<State, A extends PlainAnswer>(
  ctx: ActorCtx,
  described: LedgerRequest<State>,
  present: (settled: Settled<State>) => A,
): Promise<Answered<A>> {
  const call: LedgerCall<State, A> = { ...described, present };
  return submit(ctx, postToLedger, laneOf(call), call);
}

/**
 * Posts items of one pass. Their cards are held from before the first decision until the commit. A refused item has
 * entered nothing, and never affects its neighbours.
 */
export async function post<State>(
  tx: Tx,
  items: readonly LedgerItem<State>[],
): Promise<ReadonlyMap<LedgerItem<State>, Settled<State> | ApiError>> {
  return postItems(tx, items, await loadPosting(tx, items));
}

/** All that does not depend on each other, in one write. */
async function loadPosting(tx: Tx, items: readonly LedgerItem[]): Promise<Loaded> {
  const [first] = items;
  if (first === undefined) throw new Error('nothing is to be posted');
  const { ctx } = first;
  const at = ctx.app.now();
  const ofPass = { workspaceId: ctx.workspaceId, passId: decodeId('pass', first.passId) ?? firstId };
  const [held, { pass, rules, credits }, partners] = await Promise.all([
    lockNamedCards(
      tx,
      ofPass,
      items.map(({ target }) => target),
    ),
    passRules(tx, ctx, first.passId, at),
    requirePartners(
      tx,
      ctx,
      items.map(({ partnerId }) => partnerId),
    ),
  ]);
  if (credits !== null) useCredits(tx, credits);
  return { at, pass, rules, partners, held: new Map(items.map((item, place) => [item, held[place]])) };
}

async function postItems<State, Item extends LedgerItem<State>>(
  tx: Tx,
  items: readonly Item[],
  loaded: Loaded,
): Promise<Outcomes<Item, State>> {
  const outcomes: Outcomes<Item, State> = new Map();
  const { pass, rules, at } = loaded;
  const allowed = items.filter((item) => {
    const refused = catchRefusal(() => refuseUnfit(item, loaded));
    if (refused instanceof ApiError) outcomes.set(item, refused);
    return !(refused instanceof ApiError);
  });
  const [first] = allowed;
  if (pass === undefined || rules === undefined || first === undefined) return outcomes;
  const cards = await cardsOf(tx, pass, allowed, loaded, outcomes);
  const wanted = [...cards].map(([{ spends, undone }, card]) => ({ card, spends, undone }));
  const ledgers = await readLedgers(tx, rules.program, wanted, at);
  const posted: { item: Item; card: LockedCard; done: Posted<State>; moved: boolean }[] = [];
  for (const [item, card] of cards) {
    const ledger = ledgers.get(card.instanceId) as AccountLedger;
    if (card.isErased) hideOwnKeys(tx);
    const done = catchRefusal(() => enter(item, card, ledger, { ...loaded, pass, rules }));
    if (done instanceof ApiError) outcomes.set(item, done);
    else posted.push({ item, card, ...done });
  }
  for (const { item, card, done, moved } of posted) {
    const ledger = ledgers.get(card.instanceId) as AccountLedger;
    if (moved) ledger.account = { ...ledger.account, ...restamp(item.ctx, pass, card) };
    // Before the launch no wallet shows it; the API does.
    const shown = moved && rules.program.launchedAt !== null;
    const push =
      done.entry === null && !shown ? nothingToPush : await announceChange(tx, item.ctx, card, shown);
    if (done.audit !== undefined) audit(tx, item.ctx, { action: item.operation, ...done.audit });
    outcomes.set(item, {
      ...done,
      instanceId: encodeId('inst', card.instanceId),
      programId: encodeId('prog', rules.program.programId),
      push,
    });
  }
  writeLedgers(tx, first.ctx, rules.program, [...ledgers.values()], at);
  return outcomes;
}

/** Lets the item enter what it decides, and finds out whether it moves anything that a card may show. */
function enter<State>(
  item: LedgerItem<State>,
  card: LockedCard,
  ledger: AccountLedger,
  { pass, rules, partners, at }: Loaded & { readonly pass: PassRow; readonly rules: LedgerRules },
): { done: Posted<State>; moved: boolean } {
  if (!item.mayBeVoided) refuseVoided(card);
  const expiry = expiryOn(pass, card);
  const time = timeOf(item, at);
  if (item.refusesExpired === true) refuseExpired(expiry, time);
  // The account has moved on to another card since: the transaction starts again and finds it there.
  if ('accountId' in item.target && ledger.account.accountId !== item.target.accountId) throw new LostRace();
  const before = shownOf(ledger, rules);
  const cause = causeOf(item, at, partners.get(item.partnerId ?? '') ?? null);
  // What is said after an erasure would never be erased.
  const said = card.isErased ? { ...cause, reason: null, externalRef: null } : cause;
  const done = item.decide(ledger, rules, said, card, hasExpired(expiry, time));
  return { done, moved: shownOf(ledger, rules) !== before };
}

/** When an item happened, as its caller says: never later than it came, since clocks of tills run ahead. */
function timeOf({ occurredAt }: LedgerItem, at: Date): Date {
  return occurredAt !== null && occurredAt < at ? occurredAt : at;
}

/** What a card shows of its account. */
function shownOf(ledger: AccountLedger, { program: { tiers } }: LedgerRules): string {
  const { balance, lifetimePoints, pendingRewards } = ledger.account;
  const tier = tierOf({ tiers, lifetimePoints });
  return `${balance} ${pendingRewards} ${nextExpiryOf(ledger)} ${tier?.key}`;
}

/** Refuses an item that pass, partner or program do not allow. */
function refuseUnfit(item: LedgerItem, { pass, rules, partners }: Loaded): void {
  if (pass === undefined) throw passNotFound(item.passId);
  refuseForeignPass(item.ctx, pass);
  item.check?.(pass);
  if (item.partnerId !== null && !partners.has(item.partnerId)) throw partnerNotFound();
  if (item.mustBeActive) requireActiveProgram(rules?.program);
  else requireSomeProgram(rules?.program);
  if (item.counts !== undefined && rules !== undefined) requireCounting(rules.program, item.counts);
}

/** The card of each item; those that name none are refused. */
async function cardsOf<Item extends LedgerItem>(
  tx: Tx,
  pass: PassRow,
  items: readonly Item[],
  { held }: Loaded,
  outcomes: Map<Item, unknown>,
): Promise<Map<Item, LockedCard>> {
  const judged = await resolveTargets(
    tx,
    pass,
    items.map(({ target }) => target),
    items.map((item) => held.get(item)),
  );
  const cards = new Map<Item, LockedCard>();
  for (const [place, item] of items.entries()) {
    const card = judged[place];
    if (card instanceof ApiError) outcomes.set(item, card);
    else if (card !== undefined) cards.set(item, card);
  }
  return cards;
}
