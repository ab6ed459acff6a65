import { unique } from './load-plan.ts';
import { postText, type Shop } from './shop.ts';

/** An order of each card's customer, with a new number each time it is sent. */
export function orderTexts(shop: Shop): string[] {
  return shop.cards.map(({ identifier }) => orderText(shop, identifier));
}

/** An order of a customer. */
export function orderText({ service, publicPassId }: Shop, customer: string, orderId = unique): string {
  return postText(service, '/orders/process', {
    passId: publicPassId,
    orderId,
    customer: { id: customer, email: `${customer}@example.com` },
    total: { amount: '12.50', currency: 'EUR' },
  });
}
