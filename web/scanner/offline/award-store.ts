import type { Database } from './database.ts';
import { isConflict, isOpen, type QueuedAward } from './entry.ts';

/** What changes of an award that is kept. */
export type AwardChange = Partial<
  Pick<QueuedAward, 'state' | 'undo' | 'arrived' | 'refusal' | 'dropped' | 'passId' | 'card' | 'label'>
>;

/** Keeps an award before anything of it leaves; answers it with its place. It is on the disk when the promise is. */
export async function addAward(database: Database, award: Omit<QueuedAward, 'seq'>): Promise<QueuedAward> {
  const change = database.transaction('awards', 'readwrite', { durability: 'strict' });
  const seq = await change.store.add(award as QueuedAward);
  await change.done;
  return { ...award, seq };
}

/** All awards that are kept, in the order of entering. */
export function listAwards(database: Database): Promise<QueuedAward[]> {
  return database.getAll('awards');
}

/**
 * Changes an award by what is known of it at that moment, in one transaction; undefined where it is gone. `null` as change forgets
 * it, undefined leaves it alone.
 */
export async function changeAward(
  database: Database,
  seq: number,
  decide: (award: QueuedAward) => AwardChange | null | undefined,
): Promise<QueuedAward | undefined> {
  const change = database.transaction('awards', 'readwrite', { durability: 'strict' });
  const award = await change.store.get(seq);
  const decided = award && decide(award);
  if (award !== undefined && decided === null) await change.store.delete(seq);
  if (award !== undefined && decided) await change.store.put({ ...award, ...decided });
  await change.done;
  return award && (decided === null ? undefined : { ...award, ...decided });
}

/** How long what has ended stays in sight, by the clock of the device. */
const keptMs = { sent: 3_600_000, dropped: 30 * 86_400_000 };

/** Forgets what has ended long ago. What is open, or waits for a decision, stays. */
export async function trimAwards(database: Database, now: number): Promise<void> {
  const change = database.transaction('awards', 'readwrite');
  for (const award of await change.store.getAll()) {
    const { state, dropped, stamp } = award;
    const endedAt = dropped?.at ?? stamp.wall;
    const kept = state === 'dropped' ? keptMs.dropped : keptMs.sent;
    if (!isOpen(award) && !isConflict(award) && now - endedAt > kept) await change.store.delete(award.seq);
  }
  await change.done;
}
