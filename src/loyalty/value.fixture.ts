import type { Reply } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { Till } from './till.fixture.ts';

export const money = { mode: 'MONEY', currency: 'EUR' };
export const euros = (amount: string) => ({ amount, currency: 'EUR' });

/** The till of a shop whose cards hold euros. */
export function openMoney(app: TestApp, more: object = {}, settings: object = {}): Promise<Till> {
  return Till.open(app, { ...money, ...more }, { design: { type: 'giftCard' }, ...settings });
}

const named = (till: Till, more: object) => ({
  passId: till.passId,
  ...(!('instanceId' in more || 'identifier' in more || 'barcode' in more) && {
    instanceId: till.ada.instanceId,
  }),
  ...more,
});

/** Puts euros on a card, that of "ada" unless another is named. */
export function load(till: Till, amount: string, more: object = {}): Promise<Reply> {
  return till.client.post('/value/load', { amount: euros(amount), ...named(till, more) });
}

/** Pays with a card. */
export function charge(till: Till, amount: string, more: object = {}, by = till.client): Promise<Reply> {
  return by.post('/value/charge', { amount: euros(amount), ...named(till, more) });
}

let refunds = 0;

/** Gives money back, under a number of its own unless one is named. */
export function refund(till: Till, body: object, by = till.client): Promise<Reply> {
  refunds += 1;
  return by.post('/value/refund', { refundId: `refund-${refunds}`, ...body });
}

/** Moves money from one card to another. */
export function transfer(till: Till, from: string, to: string, more: object = {}): Promise<Reply> {
  return till.client.post('/value/transfer', {
    passId: till.passId,
    from: { instanceId: from },
    to: { instanceId: to },
    ...more,
  });
}
