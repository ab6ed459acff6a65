import assert from 'node:assert/strict';
import { InsufficientPointsError, type NewProgram, type Punchcard } from '../sdk/typescript/src/index.ts';
import type { Phone } from '../tools/fakes/phone.ts';
import { showEvents } from './demo-events.ts';
import { done, type OpenShop, refusalOf, say, until } from './demo-steps.ts';

/** A phone takes a stamp card, another a points card, and they show what is earned and redeemed. */
export async function showLoyalty(openShop: OpenShop, newPhone: () => Phone): Promise<void> {
  const { shop } = await openShop({ name: 'Red Bean', plan: 'pro', credits: 100 });
  const events = await showEvents(shop);
  try {
    await collectStamps(shop, newPhone());
    await spendPoints(shop, newPhone());
    await events.settle();
  } finally {
    await events.close();
  }
}

async function collectStamps(shop: Punchcard, phone: Phone): Promise<void> {
  say('Open a third shop: three stamps make a coffee');
  const passId = await launch(shop, 'Red Bean Stamps', {
    mode: 'STAMPS',
    threshold: 3,
    reward: { title: 'Free coffee' },
  });
  const card = await shop.instances.issue(passId, { holder: { identifier: 'cust_1' } });
  const shown = await phone.add(card.links.add);
  done(`the phone shows ${shown.shows('loyalty-balance')}`);

  say('Buy two coffees; the till sends the second receipt twice');
  const receipt = { passId, barcode: card.barcode ?? '', points: 1 };
  await shop.loyalty.earn({ ...receipt, externalRef: 'receipt-1' });
  const second = await shop.loyalty.earn({ ...receipt, externalRef: 'receipt-2' });
  const repeat = await shop.loyalty.earn({ ...receipt, externalRef: 'receipt-2' });
  assert.deepEqual(repeat, second);
  await until(() => shown.shows('loyalty-balance')?.startsWith('2') === true);
  done(`the same answer both times; the phone shows ${shown.shows('loyalty-balance')}`);

  say('Buy the third');
  const third = await shop.loyalty.earn({ ...receipt, externalRef: 'receipt-3' });
  assert.equal(third.pendingRewards, 1);
  await until(() => shown.shows('loyalty-pending') !== null);
  done(`the phone shows ${shown.shows('loyalty-balance')} and a reward: ${shown.shows('loyalty-pending')}`);

  say('Redeem it');
  const redeemed = await shop.loyalty.redeem({
    passId,
    barcode: card.barcode ?? '',
    externalRef: 'receipt-4',
  });
  await until(() => shown.shows('loyalty-pending') === null);
  done(`${redeemed.rewardTitle}; the phone no longer shows a reward`);

  say('Try to redeem another');
  const refused = await refusalOf(shop.loyalty.redeem({ passId, barcode: card.barcode ?? '' }));
  assert.equal(refused.code, 'no_reward_pending');
  done(`${refused.status} ${refused.code}: ${refused.message}`);
}

async function spendPoints(shop: Punchcard, phone: Phone): Promise<void> {
  say('Launch a card with points: a hundred make a cake');
  const passId = await launch(shop, 'Red Bean Points', {
    mode: 'POINTS',
    reward: { title: 'A cake', cost: 100 },
    pointName: { one: 'bean', other: 'beans' },
    expiry: { months: 12 },
  });
  const card = await shop.instances.issue(passId, { holder: { identifier: 'cust_1' } });
  const shown = await phone.add(card.links.add);
  const total = { amount: '61.90', currency: 'EUR' };
  const preview = await shop.loyalty.preview({ passId, total });
  done(`a purchase of 61.90 EUR would earn ${preview.points}`);

  say('Award 61 and 44 points');
  const award = { passId, identifier: 'cust_1' };
  await shop.loyalty.earn({ ...award, points: 61, externalRef: 'receipt-5' });
  const earned = await shop.loyalty.earn({
    ...award,
    points: 44,
    externalRef: 'receipt-6',
  });
  assert.equal(earned.balance, 105);
  await until(() => shown.shows('loyalty-balance')?.includes('105') === true);
  done(`the phone shows ${shown.shows('loyalty-balance')}; ${shown.shows('loyalty-expiry')}`);

  say('Redeem the cake');
  const { entryId, spent, balance } = await shop.loyalty.redeem(award);
  assert.deepEqual([spent, balance], [100, 5]);
  await until(() => shown.shows('loyalty-balance') === '5');
  done(`spent ${spent}; the phone shows ${shown.shows('loyalty-balance')}`);

  say('Redeem another, with too few points');
  const refused = await refusalOf(shop.loyalty.redeem(award));
  assert.ok(refused instanceof InsufficientPointsError);
  done(`${refused.status} ${refused.code}: balance ${refused.balance}, cost ${refused.cost}`);

  say('The cake was burnt: undo the redemption');
  await shop.loyalty.reverse(entryId, { reason: 'The cake was burnt' });
  await until(() => shown.shows('loyalty-balance') === '105');
  done(`the phone shows ${shown.shows('loyalty-balance')} again`);

  say('Read the ledger');
  const entries = await shop.loyalty.entries({ passId, identifier: 'cust_1' }).toArray();
  for (const entry of entries.toReversed())
    done(`${entry.seq}. ${entry.kind} ${entry.points} → ${entry.balance}`);
}

async function launch(shop: Punchcard, title: string, terms: Terms): Promise<string> {
  const { passId } = await shop.passes.create({ title, type: 'loyalty' });
  await shop.passes.update(passId, { status: 'published' });
  const { programId } = await shop.programs.create({ passId, ...terms });
  await shop.programs.update(programId, { status: 'active' });
  return passId;
}

/** A program without its pass. */
type Terms = NewProgram extends infer Kind ? (Kind extends unknown ? Omit<Kind, 'passId'> : never) : never;
