import type { GoogleCardType } from './card.ts';

/** The word for each type in the paths and in the save link: `loyaltyClass`, `loyaltyObject`, `loyaltyObjects`. */
export const googleWord = {
  loyalty: 'loyalty',
  coupon: 'offer',
  eventTicket: 'eventTicket',
  giftCard: 'giftCard',
  generic: 'generic',
} as const satisfies Record<GoogleCardType, string>;

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
