import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Punchcard } from '../sdk/typescript/src/index.ts';
import type { EventReceiver } from '../tools/fakes/event-receiver.ts';
import type { ShopifyStore } from '../tools/fakes/shopify-store.ts';

interface Surroundings {
  readonly shop: Punchcard;
  /** Where an owner is signed in. */
  readonly page: Page;
  readonly url: string;
  readonly store: ShopifyStore;
  readonly receiver: EventReceiver;
}

const people = [
  ['Grace Hopper', 'grace'],
  ['Katherine Johnson', 'katherine'],
  ['Edsger Dijkstra', 'edsger'],
  ['Alan Turing', 'alan'],
  ['Barbara Liskov', 'barbara'],
  ['Donald Knuth', 'donald'],
  ['Margaret Hamilton', 'margaret'],
  ['Tony Hoare', 'tony'],
  ['Frances Allen', 'frances'],
  ['Niklaus Wirth', 'niklaus'],
  ['Radia Perlman', 'radia'],
  ['Ken Thompson', 'ken'],
] as const;

/** Fills a workspace with what a coffee bar has after its first days; the ids that pages are about. */
export async function fillShop(around: Surroundings): Promise<Readonly<Record<string, string>>> {
  const { shop, receiver } = around;
  await shop.workspace.update({ name: 'Blue Bean Coffee' });
  for (const [at, role] of (['manager', 'staff', 'viewer'] as const).entries()) {
    const [name, address] = people[at] ?? people[0];
    await shop.people.invite({ name, email: `${address}@bluebean.example`, role });
  }
  const { webhookId } = await shop.webhooks.create({ url: receiver.url, types: ['*'] });
  const passId = await designPass(around);
  await shop.passes.create({ title: 'Summer Special', type: 'coupon', colors: { background: '#e2562f' } });
  const partner = await shop.partners.create({ name: 'Blue Bean Harbour', externalId: 'harbour' });
  await shop.partners.create({ name: 'Blue Bean Old Town', externalId: 'old-town' });
  const instanceId = await issueCards(shop, passId, partner.partnerId);
  const poolId = await makePool(shop);
  const store = await connectStore(around, passId);
  await shop.sweeps.start(passId, { dryRun: true });
  await until(async () => !(await shop.sweeps.get(passId)).state.running);
  await until(async () => (await shop.statistics.get()).isWhole);
  const requests = await shop.requests.list({ limit: 1, op: 'redeemReward' }).page();
  const deliveries = await shop.webhooks.deliveries(webhookId, { limit: 100 }).page();
  const { workspaceId } = await shop.workspace.get();
  return {
    passId,
    'pool.passId': poolId,
    instanceId,
    ...store,
    partnerId: partner.partnerId,
    webhookId,
    deliveryId: deliveries.data.find(({ type }) => type === 'points.awarded')?.deliveryId ?? '',
    requestId: requests.data[0]?.requestId ?? '',
    workspaceId,
  };
}

/** A design of a template, as a merchant begins with it. */
async function designPass({ shop, page, url }: Surroundings): Promise<string> {
  await page.goto(`${url}/console/passes/new`);
  await page.locator('main:not(:has(.skeleton))').waitFor();
  await page.getByRole('button', { name: 'Use this template Coffee bar' }).click();
  await page.waitForURL(/design$/);
  const passId = new URL(page.url()).pathname.split('/').at(-2) ?? '';
  await shop.passes.update(passId, {
    title: 'Blue Bean Club',
    status: 'published',
    join: {
      enabled: true,
      fields: [{ key: 'name', required: true }, { key: 'email' }],
      consents: [{ key: 'news', text: 'Blue Bean may write to me.', required: false }],
    },
  });
  const { programId } = await shop.programs.create({
    passId,
    mode: 'POINTS',
    reward: { title: 'A flat white', cost: 20 },
    earn: { perCurrencyUnit: 1 },
  });
  await shop.programs.update(programId, { status: 'active' });
  return passId;
}

/** Cards with points, some of them in wallets; the id of the one that most has happened to. */
async function issueCards(shop: Punchcard, passId: string, partnerId: string): Promise<string> {
  let first = '';
  for (const [at, [name, address]] of people.entries()) {
    const holder = { name, email: `${address}@example.com`, identifier: `customer-${100 + at}` };
    const { instanceId, links } = await shop.instances.issue(passId, { holder });
    if (at === 0) first = instanceId;
    if (at < 5) {
      const viewer = crypto.randomUUID();
      const body = JSON.stringify({ viewer, installed: true });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${links.add}/card/installation`, { method: 'POST', headers, body });
    }
    await shop.loyalty.earn({ passId, instanceId, points: 5 + at, ...(at < 3 && { partnerId }) });
  }
  await shop.loyalty.earn({ passId, instanceId: first, points: 25, partnerId, reason: 'Catering' });
  const { data } = await shop.loyalty.rewards({ passId, instanceId: first }).page();
  const rewardId = data[0]?.rewardId;
  if (rewardId !== undefined) await shop.loyalty.redeem({ passId, instanceId: first, rewardId, partnerId });
  await shop.messages.send(passId, { text: 'Double points on Friday' });
  await until(async () => (await shop.messages.list(passId).page()).data[0]?.state === 'finished');
  return first;
}

async function makePool(shop: Punchcard): Promise<string> {
  const barcode = { mode: 'pool', format: 'code128' } as const;
  const { passId } = await shop.passes.create({ title: 'Gift vouchers', type: 'giftCard', barcode });
  const barcodes = Array.from({ length: 40 }, (_, at) => `GIFT-${1_000 + at * 7}`);
  await shop.barcodes.upload(passId, { barcodes });
  return passId;
}

/** A store with orders, one of them refunded in part. */
async function connectStore({ shop, store, url }: Surroundings, passId: string) {
  const { storeId, webhookUrl } = await shop.stores.connect({
    platform: 'shopify',
    domain: store.domain,
    credentials: { accessToken: store.accessToken },
    webhookSecret: store.webhookSecret,
    passId,
  });
  await shop.stores.test(storeId);
  store.webhooks.subscribe(webhookUrl.replace(/^https?:\/\/[^/]+/, url));
  const orders = people.slice(0, 6).map(([, address], at) =>
    store.placeOrder({
      email: `${address}@example.com`,
      lines: [{ price: `${8 + at}.50`, quantity: 1 + (at % 3) }],
      paid: true,
    }),
  );
  await store.deliver();
  const [first] = orders;
  if (first !== undefined) store.refund(first.id, {});
  await store.deliver();
  // The same number may be that of another store.
  const orderId = `${first?.id}?storeId=${storeId}`;
  await until(async () => (await shop.orders.list({ limit: 10 }).page()).data.length === orders.length);
  return { storeId, orderId };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not happen within two minutes');
    await sleep(100);
  }
}
