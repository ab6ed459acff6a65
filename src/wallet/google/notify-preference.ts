import type { GoogleCardType } from './card.ts';

/**
 * What a PATCH says besides the change so that phones announce it. Google forgets it after the request, so it belongs
 * into each one; generic passes have no such member, and refuse it. Only changes of certain fields are announced, such
 * as a balance of points, never those of text modules: those need a message.
 */
export function notifyPreference(
  type: GoogleCardType,
  notify: boolean,
): { notifyPreference?: 'NOTIFY_ON_UPDATE' } {
  return notify && type !== 'generic' ? { notifyPreference: 'NOTIFY_ON_UPDATE' } : {};
}
