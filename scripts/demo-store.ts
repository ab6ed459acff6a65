import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Punchcard, StartSweepBody, Sweep } from '../sdk/typescript/src/index.ts';
import type { Phone } from '../tools/fakes/phone.ts';
import { linksOf, type ReceivedMail, readMail } from '../tools/fakes/received-mail.ts';
import type { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { done, type OpenShop, say, until } from './demo-steps.ts';

/** What the walk-through of an online shop needs besides the service. */
interface Surroundings {
  readonly openShop: OpenShop;
  /** Where mails are written. */
  readonly mailFolder: string;
  /** A link of the service, as it is reached here. */
  local(link: string): string;
  newPhone(): Phone;
}

/** How many the shop has. */
export const customers = 200;

/**
 * An online shop is connected, and those of its customers are invited who have agreed to it. One of them takes the card
 * on her phone, which shows what she earns with an order, and what is left of it after refunds.
 */
export async function showStore(store: ShopifyStore, around: Surroundings): Promise<void> {
  const { shop } = await around.openShop({ name: 'Violet Bean', plan: 'pro', credits: 100 });
  const passId = await launch(shop);
  await connect(store, around, shop, passId);
  const mails = await inviteCustomers(around, shop, passId);
  const [mail] = mails;
  assert.ok(mail !== undefined);
  const customer = Array.from({ length: customers }, (_, index) => store.customerAt(index)).find(
    ({ email }) => email?.toLowerCase() === recipientOf(mail),
  );
  assert.ok(customer !== undefined);
  const phone = await takeCard(around, mail);
  await buyAndReturn(store, phone, customer.id);
}

async function connect(
  store: ShopifyStore,
  { local }: Surroundings,
  shop: Punchcard,
  passId: string,
): Promise<void> {
  say(`Connect a store of Shopify with ${customers} customers`);
  const connected = await shop.stores.connect({
    platform: 'shopify',
    domain: store.domain,
    credentials: { accessToken: store.accessToken },
    webhookSecret: store.webhookSecret,
    passId,
  });
  store.webhooks.subscribe(local(connected.webhookUrl));
  const tested = await shop.stores.test(connected.storeId);
  assert.ok(tested.ok);
  done(`${tested.shop?.name} answers; its webhooks go to ${connected.webhookUrl}`);
}

async function inviteCustomers(
  { mailFolder }: Surroundings,
  shop: Punchcard,
  passId: string,
): Promise<ReceivedMail[]> {
  const invite = async (body: StartSweepBody): Promise<Sweep['state']> => {
    await shop.sweeps.start(passId, body);
    for (;;) {
      const { state } = await shop.sweeps.get(passId);
      if (!state.running && state.waiting === 0) return state;
      await sleep(100);
    }
  };
  say('Count whom an invitation would reach');
  const counted = await invite({ dryRun: true });
  done(`${counted.found} customers: ${counted.invited} may be invited, ${counted.noConsent} have not agreed`);

  say('Invite them');
  const state = await invite({});
  assert.deepEqual([state.status, state.invited], ['completed', counted.invited]);
  const files = await readdir(mailFolder);
  const mails = await Promise.all(
    files.map(async (file) =>
      readMail(await readFile(join(mailFolder, file), 'utf8'), { sender: '', recipients: [] }),
    ),
  );
  assert.equal(new Set(mails.map(recipientOf)).size, state.sent);
  done(`${state.sent} mails, each to another person; the first: “${mails[0]?.headers.get('subject')}”`);

  say('Invite them again');
  const repeat = await invite({});
  assert.deepEqual([repeat.invited, repeat.alreadyInvited], [0, state.invited]);
  done(`no person is mailed twice: ${repeat.alreadyInvited} were invited before`);
  return mails;
}

/** The bare address. */
function recipientOf({ headers }: ReceivedMail): string {
  const to = headers.get('to') ?? '';
  return /<(.+)>/.exec(to)?.[1] ?? to;
}

/** The customer presses the button of her mail's page. */
async function takeCard({ local, newPhone }: Surroundings, mail: ReceivedMail): Promise<Phone> {
  say(`${recipientOf(mail)} follows the link of the mail, and adds the card to her phone`);
  const [claim = ''] = linksOf(mail);
  const page = await fetch(local(claim), { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /Violet Bean Club/);
  const accepted = await fetch(local(claim), { method: 'POST', redirect: 'manual' });
  assert.equal(accepted.status, 303);
  const phone = newPhone();
  const card = await phone.add(accepted.headers.get('location') ?? '');
  done(`the phone shows ${card.shows('loyalty-balance')}`);
  return phone;
}

async function buyAndReturn(store: ShopifyStore, phone: Phone, customerId: number): Promise<void> {
  const shows = (points: string) => phone.shows('loyalty-balance')?.startsWith(points) === true;
  say('She orders two bags of coffee at 12 EUR each');
  const order = store.placeOrder({ customerId, lines: [{ price: '12.00', quantity: 2 }], paid: true });
  await store.deliver({ times: 2 });
  await until(() => shows('24'));
  done(`each webhook came twice; the phone shows ${phone.shows('loyalty-balance')}`);

  say('She sends one of them back');
  store.refund(order.id, { lines: [{ line: 0, quantity: 1 }] });
  await store.deliver({ times: 2, order: 'reversed' });
  await until(() => shows('12'));
  done(`the webhooks came in reverse; the phone shows ${phone.shows('loyalty-balance')}`);

  say('The shop cancels the order, and gives back the rest');
  store.cancel(order.id, { refunds: true });
  await store.deliver();
  await until(() => shows('0'));
  done(`the phone shows ${phone.shows('loyalty-balance')}`);
}

async function launch(shop: Punchcard): Promise<string> {
  const { passId } = await shop.passes.create({
    title: 'Violet Bean Club',
    type: 'loyalty',
    colors: { background: '#3b1d5a', foreground: '#ffffff', label: '#d9c8ee' },
  });
  await shop.passes.update(passId, { status: 'published' });
  const { programId } = await shop.programs.create({
    passId,
    mode: 'POINTS',
    reward: { title: 'A bag of coffee', cost: 100 },
    earn: { perCurrencyUnit: 1 },
  });
  await shop.programs.update(programId, { status: 'active' });
  return passId;
}
