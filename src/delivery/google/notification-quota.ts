import type { Db } from '../../kit/db/database.ts';
import type { PassKey } from '../../passes/pass-row.ts';
import { listClassNotifications } from './classes.sql.ts';

/** Google announces so many changes and messages of a card in 24 hours. */
export const mostNotifications = 3;
const dayMs = 86_400_000;

/** The notifications that still count, the newest first: those of a card, and those of all cards of its pass. */
export function countedNotifications(notifiedAt: readonly Date[], now: Date): Date[] {
  return notifiedAt
    .filter((at) => at.getTime() > now.getTime() - dayMs)
    .sort((one, other) => other.getTime() - one.getTime());
}

/** Whether Google would announce another one. */
export function mayNotify(notifiedAt: readonly Date[], now: Date): boolean {
  return countedNotifications(notifiedAt, now).length < mostNotifications;
}

/**
 * How many messages to all cards of a pass Google would announce now; null where none of its cards is there. A card whose
 * own changes were announced has fewer.
 */
export async function announcementsLeft(db: Db, pass: PassKey, now: Date): Promise<number | null> {
  const classes = await listClassNotifications(db, pass);
  if (classes.length === 0) return null;
  const announced = classes.map(({ notifiedAt }) => countedNotifications(notifiedAt, now).length);
  return Math.max(mostNotifications - Math.max(...announced), 0);
}

/** When a notification stops to count. */
export function notificationEnd(at: Date): Date {
  return new Date(at.getTime() + dayMs);
}
