import type { PublicCtx } from '../context.ts';
import { changeLeased, leaseDue, lockLeased } from '../engine/queue.sql.ts';
import { lockCursor } from '../events/log-cursor.sql.ts';
import type { Tx } from '../kit/db/database.ts';
import { firstId } from '../kit/ids.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import { addDays } from './days.sql.ts';
import { type Calendar, tallyAccounts, tallyCards } from './tally.sql.ts';
import {
  deleteWalk,
  findStepEnd,
  listNextAccounts,
  type StatisticsWalk,
  statisticsWalks,
} from './walks.sql.ts';

const step = { cards: 500, accounts: 500, entries: 20_000 };
/** Another worker repeats a step after this time, if the first one dies in the middle. */
const leaseMs = 60_000;

/**
 * Counts the next cards or accounts of a pass that has some from before its events were counted. False when none is due. A
 * step is one transaction that also keeps how far it came.
 */
export async function walkStatistics(ctx: PublicCtx): Promise<boolean> {
  const { database, now } = ctx.app;
  const at = now();
  const lease = { now: at, until: new Date(at.getTime() + leaseMs), most: 1 };
  const [taken] = await leaseDue({ app: ctx.app, queue: statisticsWalks }, lease);
  if (taken === undefined) return false;
  await database.transaction(async (tx) => {
    const walk = await lockLeased(tx, statisticsWalks, taken);
    if (walk !== undefined) await takeStep(tx, walk, at);
  });
  return true;
}

async function takeStep(tx: Tx, walk: StatisticsWalk, at: Date): Promise<void> {
  const cursor = await lockCursor(tx, walk.workspaceId, 'wait');
  const { timezone } = await ownWorkspace(tx, walk);
  const calendar = { timezone, countsFrom: cursor?.countsFrom ?? null };
  const next = await (walk.stage === 'cards' ? countCards : countAccounts)(tx, walk, calendar);
  if (next === null) return deleteWalk(tx, walk);
  await changeLeased(tx, statisticsWalks, walk, { ...next, dueAt: at });
}

type Place = Pick<StatisticsWalk, 'stage' | 'cursor'>;

async function countCards(tx: Tx, walk: StatisticsWalk, calendar: Calendar): Promise<Place> {
  const end = await findStepEnd(tx, walk, step.cards);
  if (end === undefined) return { stage: 'accounts', cursor: null };
  const { through, isLast } = end;
  const ids = { after: walk.cursor ?? firstId, through };
  await addDays(tx, walk.workspaceId, await tallyCards(tx, walk, ids, calendar));
  return isLast ? { stage: 'accounts', cursor: null } : { stage: 'cards', cursor: through };
}

/** Null: these were the last. */
async function countAccounts(tx: Tx, walk: StatisticsWalk, calendar: Calendar): Promise<Place | null> {
  const { accountIds, isLast } = await listNextAccounts(tx, walk, step);
  await addDays(tx, walk.workspaceId, await tallyAccounts(tx, walk, accountIds, calendar));
  return isLast ? null : { stage: 'accounts', cursor: accountIds.at(-1) ?? null };
}
