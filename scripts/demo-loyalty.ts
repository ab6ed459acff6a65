import assert from 'node:assert/strict';
import type { Phone } from '../tools/fakes/phone.ts';
import { showEvents } from './demo-events.ts';
import { done, type Shop, say, until } from './demo-steps.ts';

/** A phone takes a stamp card, another a points card, and they show what is earned and redeemed. */
export async function showLoyalty(shop: Shop, operatorToken: string, newPhone: () => Phone): Promise<void> {
  const account = { name: 'Red Bean', plan: 'pro', credits: 100 };
  const { apiKey } = await shop.call(operatorToken, 'POST', '/operator/workspaces', account);
  const events = await showEvents(shop, apiKey);
  try {
    await collectStamps(shop, apiKey, newPhone());
    await spendPoints(shop, apiKey, newPhone());
    await events.settle();
  } finally {
    await events.close();
  }
}

async function collectStamps(shop: Shop, key: string, phone: Phone): Promise<void> {
  say('Open a third shop: three stamps make a coffee');
  const passId = await launch(shop, key, 'Red Bean Stamps', {
    mode: 'STAMPS',
    threshold: 3,
    reward: { title: 'Free coffee' },
  });
  const card = await shop.call(key, 'POST', `/passes/${passId}/instances`, {
    holder: { identifier: 'cust_1' },
  });
  const shown = await phone.add(card.links.add);
  done(`the phone shows ${shown.shows('loyalty-balance')}`);

  say('Buy two coffees; the till sends the second receipt twice');
  const receipt = { passId, barcode: card.barcode, points: 1 };
  await shop.call(key, 'POST', '/loyalty/points', { ...receipt, externalRef: 'receipt-1' });
  const second = await shop.call(key, 'POST', '/loyalty/points', { ...receipt, externalRef: 'receipt-2' });
  const again = await shop.call(key, 'POST', '/loyalty/points', { ...receipt, externalRef: 'receipt-2' });
  assert.deepEqual(again, second);
  await until(() => shown.shows('loyalty-balance')?.startsWith('2') === true);
  done(`the same answer both times; the phone shows ${shown.shows('loyalty-balance')}`);

  say('Buy the third');
  const third = await shop.call(key, 'POST', '/loyalty/points', { ...receipt, externalRef: 'receipt-3' });
  assert.equal(third.pendingRewards, 1);
  await until(() => shown.shows('loyalty-pending') !== null);
  done(`the phone shows ${shown.shows('loyalty-balance')} and a reward: ${shown.shows('loyalty-pending')}`);

  say('Redeem it');
  const redeemed = await shop.call(key, 'POST', '/loyalty/redeem', {
    passId,
    barcode: card.barcode,
    externalRef: 'receipt-4',
  });
  await until(() => shown.shows('loyalty-pending') === null);
  done(`${redeemed.rewardTitle}; the phone shows no reward any more`);

  say('Try to redeem another');
  const refused = await shop.send(key, 'POST', '/loyalty/redeem', { passId, barcode: card.barcode });
  assert.equal(refused.body.code, 'no_reward_pending');
  done(`${refused.status} ${refused.body.code}: ${refused.body.error}`);
}

async function spendPoints(shop: Shop, key: string, phone: Phone): Promise<void> {
  say('Launch a card with points: a hundred make a cake');
  const passId = await launch(shop, key, 'Red Bean Points', {
    mode: 'POINTS',
    reward: { title: 'A cake', cost: 100 },
    pointName: { one: 'bean', other: 'beans' },
    expiry: { months: 12 },
  });
  const card = await shop.call(key, 'POST', `/passes/${passId}/instances`, {
    holder: { identifier: 'cust_1' },
  });
  const shown = await phone.add(card.links.add);
  const total = { amount: '61.90', currency: 'EUR' };
  const preview = await shop.call(key, 'POST', '/loyalty/points/preview', { passId, total });
  done(`a purchase of 61.90 EUR would earn ${preview.points}`);

  say('Award 61 and 44 points');
  const award = { passId, identifier: 'cust_1' };
  await shop.call(key, 'POST', '/loyalty/points', { ...award, points: 61, externalRef: 'receipt-5' });
  const earned = await shop.call(key, 'POST', '/loyalty/points', {
    ...award,
    points: 44,
    externalRef: 'receipt-6',
  });
  assert.equal(earned.balance, 105);
  await until(() => shown.shows('loyalty-balance')?.includes('105') === true);
  done(`the phone shows ${shown.shows('loyalty-balance')}; ${shown.shows('loyalty-expiry')}`);

  say('Redeem the cake');
  const { entryId, spent, balance } = await shop.call(key, 'POST', '/loyalty/redeem', award);
  assert.deepEqual([spent, balance], [100, 5]);
  await until(() => shown.shows('loyalty-balance') === '5');
  done(`spent ${spent}; the phone shows ${shown.shows('loyalty-balance')}`);

  say('Redeem another, with too few points');
  const refused = await shop.send(key, 'POST', '/loyalty/redeem', award);
  assert.equal(refused.body.code, 'insufficient_points');
  done(`${refused.status} ${refused.body.code}: balance ${refused.body.balance}, cost ${refused.body.cost}`);

  say('The cake was burnt: undo the redemption');
  await shop.call(key, 'POST', `/loyalty/entries/${entryId}/reverse`, { reason: 'The cake was burnt' });
  await until(() => shown.shows('loyalty-balance') === '105');
  done(`the phone shows ${shown.shows('loyalty-balance')} again`);

  say('Read the ledger');
  const { data } = await shop.call(key, 'GET', `/loyalty/entries?passId=${passId}&identifier=cust_1`);
  for (const entry of data.toReversed())
    done(`${entry.seq}. ${entry.kind} ${entry.points} → ${entry.balance}`);
}

async function launch(shop: Shop, key: string, title: string, terms: object): Promise<string> {
  const { passId } = await shop.call(key, 'POST', '/passes', { title, type: 'loyalty' });
  await shop.call(key, 'PATCH', `/passes/${passId}`, { status: 'published' });
  const { programId } = await shop.call(key, 'POST', '/loyalty/programs', { passId, ...terms });
  await shop.call(key, 'PATCH', `/loyalty/programs/${programId}`, { status: 'active' });
  return passId;
}
