import { refusal } from '../../errors.ts';
import { replay } from '../../idempotency.ts';
import { keepNewAnswers, keptAnswers, releaseClaims, takeClaims } from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { ApiError, invalidRequest, outcomeOf } from '../../kit/http/api-error.ts';
import { decodeId, encodeId } from '../../kit/ids.ts';
import { linksOf } from '../instances/find-links.ts';
import { postToLedger } from '../loyalty/post-to-ledger.ts';
import { type Draft, nameOf, openDrafts } from './draft.ts';
import { findCards } from './find-cards.ts';
import { ledgerItemOf } from './ledger-item-of.ts';
import { claimOf, type OrderItem, type OrderOutcome } from './order-item.ts';
import { learn, refundedOf } from './order-state.ts';
import { insertOrders, keepRefunds, lockOrders, readRefunds, updateOrders } from './orders.sql.ts';

type Outcomes = Map<OrderItem, OrderOutcome>;

/**
 * Settles news of many orders of one pass in one transaction. What an order has earned follows from all that is known
 * of it; the ledger gets the difference. Each item has its own outcome: a refusal or a replay never affects its
 * neighbours. A refused item leaves nothing behind, nor does the card that it would have got.
 */
export async function settleOrders(
  tx: Tx,
  _lane: string,
  items: readonly OrderItem[],
): Promise<readonly OrderOutcome[]> {
  const outcomes: Outcomes = new Map();
  await replayKnown(tx, items, outcomes);
  const drafts = await draftEach(tx, unanswered(items, outcomes), outcomes);
  await findCards(tx, drafts, outcomes);
  await postEach(tx, drafts, outcomes);
  await writeEach(
    tx,
    drafts.filter(({ item }) => !(outcomes.get(item) instanceof ApiError || outcomes.get(item) === 'again')),
    outcomes,
  );
  await replayLate(tx, items, outcomes);
  return items.map(
    (item) => outcomes.get(item) ?? new ApiError(500, 'internal_error', 'Nothing was settled.'),
  );
}

/** The orders as they are known, held; one item of each. */
async function draftEach(tx: Tx, items: readonly OrderItem[], outcomes: Outcomes): Promise<Draft[]> {
  const byName = Map.groupBy(items, ({ order }) => nameOf(order));
  for (const [, ...others] of byName.values()) for (const item of others) outcomes.set(item, 'again');
  const chosen = [...byName.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
  const [first] = chosen;
  if (first === undefined) return [];
  const { workspaceId } = first.ctx;
  const rows = await lockOrders(
    tx,
    workspaceId,
    chosen.map(({ order }) => order),
  );
  const refunds = await readRefunds(tx, workspaceId, rows);
  // Somebody who was waited for may have answered the same call.
  if (rows.length > 0) await replayKnown(tx, chosen, outcomes);
  const drafts = openDrafts(unanswered(chosen, outcomes), rows, refunds);
  for (const draft of drafts) {
    const unfit = unfitOf(draft);
    if (unfit !== null) outcomes.set(draft.item, unfit);
  }
  return drafts.filter(({ item }) => !outcomes.has(item));
}

/** Why the item does not fit what is known of its order. */
function unfitOf({ item, row }: Draft): OrderOutcome | null {
  if (row.passId !== null && item.passId !== encodeId('pass', row.passId))
    return item.operation === 'processOrder' ? earnsElsewhere(row.passId) : 'again';
  const currency = item.news.state?.total?.currency ?? row.currency;
  const isForeign = row.currency !== null && currency !== row.currency;
  if (item.operation !== 'processOrder' || !isForeign) return null;
  return invalidRequest(`total.currency: the store has told this order in ${row.currency}.`);
}

function earnsElsewhere(passId: string): ApiError {
  return refusal('external_ref_reused', `This order was processed for ${encodeId('pass', passId)}.`);
}

/** Posts what the orders with a card have gained or lost. */
async function postEach(tx: Tx, drafts: readonly Draft[], outcomes: Outcomes): Promise<void> {
  const posted = drafts.flatMap((draft) => {
    if (outcomes.has(draft.item)) return [];
    const entry = ledgerItemOf(draft);
    return entry === null ? [] : [{ draft, entry }];
  });
  const results = await postToLedger(
    tx,
    '',
    posted.map(({ entry }) => entry),
  );
  for (const [place, { draft }] of posted.entries()) {
    const result = results[place];
    if (!(result instanceof ApiError)) {
      draft.posted = result ?? null;
      continue;
    }
    // It takes the card along that was issued for it: alone in a transaction, everything is taken back.
    if (draft.cardIsNew) throw result;
    outcomes.set(draft.item, result);
  }
}

/** Writes orders and refunds, and keeps the answers. */
async function writeEach(tx: Tx, drafts: readonly Draft[], outcomes: Outcomes): Promise<void> {
  const [first] = drafts;
  if (first === undefined) return;
  const { ctx } = first.item;
  for (const draft of drafts) {
    // News of an order without a card change nothing but what is known of it.
    if (draft.posted === null) draft.state = learn(draft.state, draft.item.news);
  }
  const rows = drafts.map((draft) => ({ draft, row: rowOf(draft) }));
  await insertOrders(
    tx,
    ctx.workspaceId,
    rows.flatMap(({ draft, row }) => (draft.isNew ? [row] : [])),
  );
  await updateOrders(
    tx,
    ctx.workspaceId,
    rows.flatMap(({ draft, row }) => (draft.isNew ? [] : [row])),
  );
  await keepRefunds(
    tx,
    ctx.workspaceId,
    drafts.flatMap(({ item, state, refundsBefore }) =>
      [...state.refunds].flatMap(([refundId, refund]) =>
        refundsBefore.get(refundId) === refund
          ? []
          : [{ ...item.order, refundId, ...refund, createdAt: ctx.app.now() }],
      ),
    ),
  );
  const links = await linksOf(
    tx,
    ctx,
    rows.flatMap(({ row }) => (row.instanceId === null ? [] : [row.instanceId])),
  );
  for (const { draft, row } of rows) {
    const { item, posted, state, gained } = draft;
    const account =
      posted === null
        ? null
        : {
            status: posted.status,
            state: JSON.parse(String(posted.body)),
            links: links.get(row.instanceId ?? '') ?? {},
            points: gained,
          };
    const { status, body } = item.present({ row, refunded: refundedOf(state), account });
    outcomes.set(item, { status, body: JSON.stringify(body) });
  }
  await keepNewAnswers(
    tx,
    ctx.workspaceId,
    drafts.flatMap(({ item }) => {
      const outcome = outcomes.get(item);
      if (item.claim === null || outcome === undefined || outcome === 'again' || outcome instanceof ApiError)
        return [];
      return [{ ...claimOf(item), status: outcome.status, body: String(outcome.body) }];
    }),
  );
}

function rowOf(draft: Draft) {
  const { item, row, state, instanceId, cardIsNew, settled } = draft;
  const { refunds: _, ...told } = state;
  return {
    ...row,
    ...told,
    ...settled,
    passId: row.passId ?? (instanceId === null ? null : decodeId('pass', item.passId ?? '')),
    instanceId,
    issued: row.issued || cardIsNew,
    items: row.items ?? item.items,
    partnerId: row.partnerId ?? draft.partnerId,
    updatedAt: item.ctx.app.now(),
  };
}

/** Answers the items whose call was made before. */
async function replayKnown(tx: Tx, items: readonly OrderItem[], outcomes: Outcomes): Promise<void> {
  const asked = items.filter(({ claim }) => claim !== null);
  const [first] = asked;
  if (first === undefined) return;
  const keys = asked.map((item) => claimOf(item).key);
  const kept = await keptAnswers(tx, first.ctx.workspaceId, first.operation, keys);
  for (const item of asked) {
    const answer = kept.get(claimOf(item).key);
    if (answer !== undefined)
      outcomes.set(
        item,
        outcomeOf(() => replay(claimOf(item), answer)),
      );
  }
}

/** A refusal stands only where nobody else has made the same call since it was looked for. */
async function replayLate(tx: Tx, items: readonly OrderItem[], outcomes: Outcomes): Promise<void> {
  const refused = items.filter((item) => item.claim !== null && outcomes.get(item) instanceof ApiError);
  const claims = new Map(refused.map((item) => [claimOf(item).key, claimOf(item)]));
  const [first] = refused;
  if (first === undefined) return;
  const { workspaceId } = first.ctx;
  const free = await takeClaims(tx, workspaceId, [...claims.values()]);
  await releaseClaims(tx, workspaceId, first.operation, [...free]);
  await replayKnown(
    tx,
    refused.filter((item) => !free.has(claimOf(item).key)),
    outcomes,
  );
}

function unanswered(items: readonly OrderItem[], outcomes: Outcomes): OrderItem[] {
  return items.filter((item) => !outcomes.has(item));
}
