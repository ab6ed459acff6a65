import { PunchcardError } from '../../../sdk/typescript/src/core/punchcard-error.ts';
import { formatMoment } from '../../shared/format.ts';
import { scannerOffline } from '../../texts/scanner-offline.ts';
import type { TillApi } from '../api.ts';
import type { Arrived, Enterer, QueuedAward } from './entry.ts';
import { ageOf, momentOf, type Reading } from './scan-clock.ts';

/** Each attempt by itself: what to do after it is decided here. */
const once = { maxRetries: 0, timeoutMs: 20_000 };

/** What is known when an award is sent. */
export interface Sending {
  readonly by: Enterer;
  readonly now: Reading;
  /** How far the service is ahead of the device. */
  readonly ahead: number;
}

const lateMs = 60_000;

/** Whether the ledger needs to know when it was entered and by which person, since it is sent later or by another person. */
export function isLate({ stamp, person }: QueuedAward, { by, now }: Pick<Sending, 'by' | 'now'>): boolean {
  return ageOf(stamp, now) > lateMs || person.personId !== by.person.personId;
}

/**
 * Sends an award, once. A late one carries the moment at which it was entered, and says in its reason that it was entered
 * without a network, by whom and where: the ledger itself names who is signed in now.
 */
export async function callAward(api: TillApi, award: QueuedAward, sending: Sending) {
  const { passId, card, points, ref } = award;
  const facts = isLate(award, sending) ? lateFacts(award, sending) : {};
  const body = { ...(passId !== undefined && { passId }), ...card, points, externalRef: ref, ...facts };
  const answer = await api.loyalty.earn(body, once);
  const { entryId, instanceId, balance, limitedBy } = answer;
  const arrived: Arrived = {
    entryId,
    instanceId,
    points: answer.points,
    balance,
    ...(limitedBy !== undefined && { limitedBy }),
  };
  return { arrived, headers: answer.$response.headers };
}

/** Whether the card has to rest before it may have the award: the ledger would make it one of nothing now, but not later. */
export async function mustRest(api: TillApi, { passId, card, points }: QueuedAward): Promise<boolean> {
  const body = { ...(passId !== undefined && { passId }), ...card, points };
  try {
    return (await api.loyalty.preview(body, once)).limitedBy === 'min_seconds_between';
  } catch (error) {
    // It is asked about now, and the award may have been entered before the card expired.
    if (error instanceof PunchcardError && error.code === 'instance_expired') return false;
    throw error;
  }
}

/** Undoes an award that the ledger has. */
export async function callUndo(api: TillApi, { ref, arrived }: QueuedAward): Promise<void> {
  if (arrived === undefined) throw new Error(`the award ${ref} has no entry to undo`);
  await api.loyalty.reverse(arrived.entryId, { externalRef: `${ref}-undo` }, once);
}

function lateFacts(award: QueuedAward, { by, now, ahead }: Sending) {
  const t = scannerOffline().late;
  const at = momentOf(award.stamp, now, ahead);
  const when =
    at === null
      ? t.clockWasSet(formatMoment(new Date(award.stamp.wall).toISOString()))
      : formatMoment(at.toISOString());
  const who = award.person.personId === by.person.personId ? null : award.person.name;
  const said = t.reason({ when, who, till: award.till });
  return {
    reason: said.slice(0, 500),
    ...(at !== null && { occurredAt: at.toISOString() }),
  };
}
