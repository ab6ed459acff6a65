import type { GoogleCardType } from './card.ts';

/** The word for each type in the paths and in the save link: `loyaltyClass`, `loyaltyObject`, `loyaltyObjects`. */
export const googleWord = {
  loyalty: 'loyalty',
  coupon: 'offer',
  eventTicket: 'eventTicket',
  giftCard: 'giftCard',
  generic: 'generic',
} as const satisfies Record<GoogleCardType, string>;
