import type { Words } from './words.ts';

export const en: Words = {
  join: {
    get: {
      card: 'Get your card',
      coupon: 'Get your coupon',
      ticket: 'Get your ticket',
      giftCard: 'Get your gift card',
    },
    lead: 'Fill this in and take it along on your phone. No app, no account.',
    leadBare: 'One tap, and you have it on your phone. No app, no account.',
    name: 'Name',
    email: 'E-mail address',
    phone: 'Telephone number',
    optional: 'optional',
    wait: 'One moment…',
    privacy: 'What you enter here goes to {shop}.',
    sentTitle: 'Look into your mail',
    sentText: 'A message is on its way to {email}. Its button opens what you asked for.',
    sentHint: 'Nothing there? Look among unwanted mail, or go back and check the address.',
    proveTitle: 'One more step',
    proveText: 'The button confirms your address {email}. Then it goes on to your phone.',
    prove: 'Confirm and open',
    subject: '{title}: confirm your address',
    hello: 'Hello {name},',
    helloNobody: 'Hello,',
    asked:
      'Somebody asked {shop} for “{title}” with this address. If that was you, press the button. If you have it already, the button opens the one you have.',
    notYou: 'If it was not you, do nothing. Without this button nobody gets anything with your address.',
    once: 'The button works once, for 24 hours.',
    scan: 'Scan with the camera of your phone',
    ways: 'In Apple\u00a0Wallet, Google\u00a0Wallet or your browser.',
  },
};
