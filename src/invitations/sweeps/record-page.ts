import { StoreTrouble } from '../../connectors/connector.ts';
import type { PublicCtx } from '../../context.ts';
import type { Tx } from '../../kit/db/database.ts';
import { invitePeople, type Judged, judgeInvitees } from '../invite-people.ts';
import { type Considered, cutAtLimit, decideOutcomes, inviteesOf } from './decide-outcomes.ts';
import { findDecided, insertItems, noteContacts } from './sweep-items.sql.ts';
import { addOutcomes, type Counts, type SweepRow } from './sweep-row.ts';

/** What a page has added. */
export interface Recorded {
  readonly counts: Counts;
  /** Whether as many are invited as the sweep may invite. */
  readonly isFull: boolean;
}

/**
 * Decides on the customers of a page, invites those who may be, and records the outcome for each. A dry run records
 * nothing but the addresses that it has met. The caller has locked the sweep.
 */
export async function recordPage(
  tx: Tx,
  ctx: PublicCtx,
  sweep: SweepRow,
  page: readonly Considered[],
): Promise<Recorded> {
  const left = (sweep.most ?? Number.POSITIVE_INFINITY) - sweep.counts.invited;
  const considered = await withoutDecided(tx, sweep, page);
  const { within, isFull, judged } = await judge(tx, ctx, sweep, considered, left);
  const decided = decideOutcomes(within, judged);
  if (!sweep.dryRun) await insertItems(tx, sweep, decided, ctx.app.now());
  const outcomes = decided.map(({ outcome }) => outcome);
  return { counts: addOutcomes(sweep.counts, outcomes), isFull };
}

/** A store whose list moves while it is read may name customers again, but a list without a new customer has no end. */
async function withoutDecided(
  tx: Tx,
  sweep: SweepRow,
  page: readonly Considered[],
): Promise<readonly Considered[]> {
  if (sweep.dryRun || page.length === 0) return page;
  const decided = await findDecided(
    tx,
    sweep,
    page.map(({ customerId }) => customerId),
  );
  const others = page.filter(({ customerId }) => !decided.has(customerId));
  if (others.length === 0)
    throw new StoreTrouble('store_answer_unreadable', 'The list of customers begins anew.', null);
  return others;
}

interface Verdicts {
  readonly within: readonly Considered[];
  readonly isFull: boolean;
  readonly judged: readonly Judged[];
}

async function judge(
  tx: Tx,
  ctx: PublicCtx,
  sweep: SweepRow,
  considered: readonly Considered[],
  left: number,
): Promise<Verdicts> {
  const people = inviteesOf(considered);
  if (sweep.dryRun) {
    const judged = await withoutMet(tx, sweep, await judgeInvitees(tx, ctx, sweep, people));
    return { ...cutAtLimit(considered, judged, left), judged };
  }
  // An invitation cannot be taken back: where not all may be invited, that is checked before.
  if (people.length < left)
    return { within: considered, isFull: false, judged: await invitePeople(tx, ctx, sweep, people) };
  const { within, isFull } = cutAtLimit(considered, await judgeInvitees(tx, ctx, sweep, people), left);
  return { within, isFull, judged: await invitePeople(tx, ctx, sweep, inviteesOf(within)) };
}

/** A real sweep meets the addresses of the pages before as invitations; a dry run has to remember them. */
async function withoutMet(tx: Tx, sweep: SweepRow, judged: readonly Judged[]): Promise<Judged[]> {
  const fresh = judged.flatMap(({ verdict, contact }) =>
    verdict === 'invited' && contact !== null ? [contact.hash] : [],
  );
  const met = await noteContacts(tx, sweep, fresh);
  return judged.map((one) =>
    one.verdict === 'invited' && met.has(one.contact?.hash.toString('hex') ?? '')
      ? { ...one, verdict: 'duplicate_contact' }
      : one,
  );
}
