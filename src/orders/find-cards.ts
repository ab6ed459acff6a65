import { findHolders } from '../cards/keep-holder.ts';
import { retryNextRound } from '../engine/batch.ts';
import type { Tx } from '../kit/db/database.ts';
import { LostRace } from '../kit/db/database-errors.ts';
import { ApiError, catchRefusal } from '../kit/http/api-error.ts';
import { encodeId } from '../kit/ids.ts';
import { issueCards } from '../lifecycle/issue-instances.ts';
import { itemOf } from '../lifecycle/issue-item.ts';
import { requireActiveProgram } from '../loyalty/ledger-item.ts';
import { lockTargets } from '../loyalty/lock-targets.ts';
import { findAnyPass, passNotFound, refuseForeignPass } from '../passes/find-pass.ts';
import type { PassRow } from '../passes/pass-row.ts';
import { programOfPass } from '../passes/programs/find-program.ts';
import type { OrderHolder, OrderItem } from './order-item.ts';
import { wasPaid } from './order-state.ts';
import { lockNewcomers } from './orders.sql.ts';
import { type Settlement, stateAfter } from './settlement.ts';

/** A settlement whose order is about to earn for the first time. */
interface Newcomer {
  readonly settlement: Settlement;
  readonly customer: OrderHolder;
}

/**
 * Finds the card of each order that was paid and has none yet: by the customer's number, then by the address; else one
 * is issued. Refuses what the pass, its program or its pool do not allow. Two orders of one new customer follow each other.
 */
export async function findCards(
  tx: Tx,
  settlements: readonly Settlement[],
  cards: ReadonlyMap<OrderItem, string | null>,
): Promise<void> {
  for (const settlement of settlements) assignFoundCard(settlement, cards);
  const unserved = settlements.flatMap((settlement): Newcomer[] => {
    const { customer, instanceId, refused } = settlement;
    const earns = refused === null && instanceId === null && wasPaid(stateAfter(settlement));
    return earns && customer !== null ? [{ settlement, customer }] : [];
  });
  const pass = await passOfNewcomers(tx, unserved);
  if (pass !== null) await issueToNewcomers(tx, pass, unserved, settlements);
}

/**
 * Assigns the customer's present card to a paid order without a card, and to an order that has earned nothing yet: no
 * account links that order to its card, so that it will earn on the present one.
 */
function assignFoundCard(settlement: Settlement, cards: ReadonlyMap<OrderItem, string | null>): void {
  const { items, row, refused } = settlement;
  const found = items.map((item) => cards.get(item)).find((instanceId) => instanceId != null);
  if (found == null || refused !== null) return;
  const earnsFirst = settlement.instanceId === null && wasPaid(stateAfter(settlement));
  if (earnsFirst || (row.rule !== null && row.accountId === null)) settlement.instanceId = found;
}

/** Refuses the newcomers that pass or program do not allow. Returns the pass of the others. */
async function passOfNewcomers(tx: Tx, newcomers: readonly Newcomer[]): Promise<PassRow | null> {
  const [first] = newcomers;
  if (first === undefined) return null;
  const { passId, ctx } = first.settlement.items[0];
  const pass = await findAnyPass(tx, ctx.workspaceId, passId ?? '');
  const program =
    pass?.programId == null ? undefined : await programOfPass(tx, pass.workspaceId, pass.passId);
  for (const { settlement } of newcomers) {
    const refused = catchRefusal(() => {
      if (pass === undefined) throw passNotFound(passId ?? '');
      refuseForeignPass(settlement.items[0].ctx, pass);
      refuseInactive(pass);
      requireActiveProgram(program);
    });
    if (refused instanceof ApiError) settlement.refused = refused;
  }
  return pass ?? null;
}

/** Raises `pass_not_found` for a draft or archived pass: with 400, says the contract of Process Order. */
export function refuseInactive({ status }: PassRow): void {
  if (status === 'published') return;
  throw new ApiError(
    400,
    'pass_not_found',
    `This pass is ${status === 'draft' ? 'a draft' : 'archived'}, so that it takes no orders. Publish it: PATCH /passes/{passId} with {"status":"published"}.`,
  );
}

/** Issues a card to each newcomer, except those who have one now. */
async function issueToNewcomers(
  tx: Tx,
  pass: PassRow,
  newcomers: readonly Newcomer[],
  settlements: readonly Settlement[],
): Promise<void> {
  const waiting = () =>
    newcomers.filter(({ settlement }) => settlement.instanceId === null && settlement.refused === null);
  const held = waiting();
  if (held.length === 0) return;
  await lockNewcomers(
    tx,
    pass,
    held.flatMap(({ customer }) => namesOf(customer)),
  );
  await takePresent(tx, pass, held);
  // Cards are locked before the counts that an issue changes.
  await lockTargets(
    tx,
    pass,
    settlements.flatMap(({ instanceId }) =>
      instanceId === null ? [] : [{ instanceId: encodeId('inst', instanceId) }],
    ),
  );
  await issueEach(tx, pass, firstOfEach(waiting()));
}

async function takePresent(
  tx: Tx,
  pass: Pick<PassRow, 'workspaceId' | 'passId'>,
  newcomers: readonly Newcomer[],
): Promise<void> {
  const found = await findHolders(
    tx,
    pass,
    newcomers.map(({ customer }) => customer),
  );
  for (const [place, { settlement }] of newcomers.entries())
    settlement.instanceId = found[place] ?? settlement.instanceId;
}

/** The first order of each new customer; the others find the card that it gets. */
function firstOfEach(newcomers: readonly Newcomer[]): Newcomer[] {
  const seen = new Set<string>();
  return newcomers.filter(({ settlement, customer }) => {
    const names = namesOf(customer);
    const isFirst = !names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    if (!isFirst) settlement.refused = retryNextRound;
    return isFirst;
  });
}

function namesOf({ identifier, email }: OrderHolder): string[] {
  return email === null ? [identifier] : [identifier, email];
}

async function issueEach(tx: Tx, pass: PassRow, newcomers: readonly Newcomer[]): Promise<void> {
  const passId = encodeId('pass', pass.passId);
  const items = newcomers.map(({ settlement, customer }) => {
    const [{ ctx, partnerId }] = settlement.items;
    const { identifier, email, phone, phoneGiven = null, name } = customer;
    return {
      settlement,
      item: itemOf(ctx, passId, { holder: { identifier, email, phone, phoneGiven, name }, partnerId }, null),
    };
  });
  const issued = await issueCards(
    tx,
    items.map(({ item }) => item),
  );
  for (const { settlement, item } of items) {
    const outcome = issued.get(item);
    if (outcome === undefined || outcome instanceof ApiError) {
      // The pass has changed since it was read: the transaction starts again, and sees the change.
      if (outcome?.code === 'pass_archived' || outcome?.code === 'pass_not_active') throw new LostRace();
      settlement.refused = outcome ?? null;
      continue;
    }
    settlement.instanceId = outcome.row.instanceId;
    settlement.cardIsNew = outcome.isNew;
  }
}
