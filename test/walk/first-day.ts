import assert from 'node:assert/strict';
import { photo } from '../../src/passes/images/pictures.fixture.ts';
import type { Mailbox } from '../../tools/fakes/mailbox.ts';
import type { ReceivedMail } from '../../tools/fakes/received-mail.ts';
import { linksOf } from '../../tools/fakes/received-mail.ts';
import type { ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { longestWaitMs } from '../chromium.ts';
import type { TestApp } from '../harness.ts';
import { type Phones, until } from '../wallets.ts';
import type { Walker } from './walker.ts';

/** Where a first day happens, and who works there. */
export interface Day {
  readonly app: TestApp;
  readonly phones: Phones;
  readonly mailbox: Mailbox;
  readonly store: ShopifyStore;
  readonly owner: Walker;
  readonly colleague: Walker;
}

const imported = 500;

/**
 * A merchant's first day: from the link of the first start to cards, points, a message and a colleague. The ways of working
 * differ, the day does not.
 */
export async function walkFirstDay(day: Day): Promise<void> {
  await begin(day);
  await design(day);
  await setUpProgram(day);
  const phone = await issueCard(day);
  await importCards(day);
  await usePoints(day);
  await sendMessage(day, phone);
  await connectStore(day);
  await sweep(day);
  await invite(day);
  await compareFigures(day);
}

async function begin({ app, owner }: Day): Promise<void> {
  await owner.open(app.running.firstRun?.consoleUrl ?? '');
  await owner.press('button', 'Sign in');
  await owner.arrive('So that you get back in');
  await owner.press('button', 'Later');
  await owner.arrive('Home');
  await owner.press('link', 'Settings');
  await owner.arrive('Workspace');
  await owner.write('textbox', 'Name', 'Blue Bean Coffee');
  await owner.press('button', 'Save');
  await owner.hear('Saved.');
}

async function design({ app, owner }: Day): Promise<void> {
  await owner.press('link', 'Passes');
  await owner.arrive('Passes');
  await owner.press('link', 'Choose a template');
  await owner.arrive('New pass');
  await owner.press('button', 'Use this template Coffee bar');
  await owner.arrive('Coffee Club · Design');
  const buffer = await photo(900, 600).png().toBuffer();
  await owner.attach('Strip Replace', { name: 'beans.png', mimeType: 'image/png', buffer });
  await owner.hear('Strip');
  await owner.press('button', 'Use this image');
  await owner.hear('Unsaved changes');
  await owner.write('textbox', 'Title', 'Bean Circle');
  await owner.press('button', 'Save and publish');
  await owner.hear('Bean Circle is published.');
  const [pass] = (await app.client.get('/passes')).body.data;
  assert.deepEqual([pass.title, pass.status], ['Bean Circle', 'published']);
  assert.match(pass.stripUrl, /^upload:/);
}

async function setUpProgram({ owner }: Day): Promise<void> {
  await owner.press('link', 'Program');
  await owner.arrive('Bean Circle · Program');
  await owner.press('button', 'Set up a program');
  await owner.press('button', 'Points');
  await owner.write('textbox', 'Reward', 'Free coffee');
  await owner.write('spinbutton', 'Points for the reward', '10');
  await owner.press('button', 'Make program');
  await owner.hear('The program is ready.');
  await owner.press('button', 'Launch');
  await owner.hear('Launch this program?');
  await owner.press('button', 'Launch');
  await owner.hear('The program is launched.');
}

/** A card for Grace, which goes to her phone by its link. */
async function issueCard({ owner, phones }: Day) {
  await owner.press('link', 'Customers');
  await owner.arrive('Customers');
  await owner.press('button', 'New card');
  await owner.hear('New card of Bean Circle');
  await owner.write('textbox', 'Name', 'Grace Hopper');
  await owner.write('textbox', 'E-mail address', 'grace@example.com');
  await owner.press('button', 'Issue card');
  await owner.hear('The card is issued.');
  await owner.arrive('Grace Hopper');
  await owner.press('button', 'Link and QR code');
  await owner.hear('Link and QR code');
  const phone = await phones.add([{ links: { add: await owner.read('Link to the card') } }]);
  await owner.escape();
  return phone;
}

async function importCards({ app, owner }: Day): Promise<void> {
  await owner.press('link', 'All customers');
  await owner.arrive('Customers');
  await owner.press('link', 'Import from CSV');
  await owner.arrive('Import cards');
  const lines = Array.from({ length: imported }, (_, at) => `OLD-${at},Holder ${at},${at % 5}`);
  const buffer = Buffer.from(['code,name,points', ...lines].join('\n'));
  await owner.attach('File', { name: 'old.csv', mimeType: 'text/csv', buffer });
  await owner.press('button', 'Read the file');
  await owner.hear(`Cards to import: ${imported}`);
  await owner.press('button', 'Import');
  await owner.hear(`Imported or known before: ${imported}`);
  await owner.press('link', 'See the cards');
  await owner.arrive('Customers');
  const { body } = await app.client.get('/instances/lookup?barcode=OLD-499');
  assert.deepEqual([body.holder.name, body.loyalty.balance], ['Holder 499', 4]);
}

async function usePoints({ owner }: Day): Promise<void> {
  await owner.write('searchbox', 'Search', 'grace');
  await owner.press('link', 'Grace Hopper');
  await owner.arrive('Grace Hopper');
  await owner.press('button', 'Award');
  await owner.hear('Award');
  await owner.write('spinbutton', 'How many', '12');
  await owner.press('button', 'Award');
  await owner.hear('12 added. The balance is 12.');
  await owner.press('button', 'Redeem');
  await owner.hear('Redeem a reward');
  await owner.press('button', 'Redeem');
  await owner.hear('Redeemed: Free coffee.');
  await owner.press('button', 'Undo Reward redeemed');
  await owner.hear('Undo "Reward redeemed"?');
  await owner.press('button', 'Undo');
  await owner.hear('Undone.');
}

async function sendMessage({ owner }: Day, phone: Awaited<ReturnType<Phones['add']>>): Promise<void> {
  await owner.press('link', 'Passes');
  await owner.arrive('Passes');
  await owner.press('link', 'Bean Circle');
  await owner.arrive('Bean Circle · Design');
  await owner.press('link', 'Messages');
  await owner.arrive('Bean Circle · Messages');
  await owner.press('link', 'New message');
  // Said when it is counted, which may be before the first letter.
  await owner.hear('Goes to 1 card for 1 credit.');
  await owner.write('textbox', 'Message', 'Double points on Friday');
  await owner.press('button', 'Send');
  await owner.hear('The message is on its way.');
  await until(
    'the phone shows it',
    () => phone.notifications.some(({ text }) => text.includes('Double points on Friday')),
    longestWaitMs,
  );
}

/** A store of Shopify, of whose orders the first is Grace's. */
async function connectStore({ app, owner, store }: Day): Promise<void> {
  await owner.press('link', 'Stores');
  await owner.arrive('Stores');
  await owner.press('link', 'Connect a store');
  await owner.arrive('Connect a store');
  await owner.press('link', 'Shopify');
  await owner.hear('Let us read your Shopify');
  await owner.write('textbox', 'Address of the shop', `https://${store.domain}/admin`);
  await owner.write('textbox', 'Access token', store.accessToken);
  await owner.write('textbox', 'Secret that signs messages', store.webhookSecret);
  await owner.press('button', 'Connect and test');
  await owner.hear('The shop answers, as Blue Bean Coffee.');
  store.webhooks.subscribe(await owner.read('Address for messages'));
  await owner.press('link', 'Done: to the store');
  await owner.arrive(store.domain);
  store.placeOrder({ email: 'grace@example.com', lines: [{ price: '10.00', quantity: 2 }], paid: true });
  await store.deliver();
  const orders = async () => (await app.client.get('/orders')).body.data;
  await until('the order has earned', async () => (await orders())[0]?.points === 20, longestWaitMs);
}

/** Those of the store's customers are invited who have agreed to it. */
async function sweep({ app, owner, mailbox }: Day): Promise<void> {
  await owner.press('link', 'Passes');
  await owner.arrive('Passes');
  await owner.press('link', 'Bean Circle');
  await owner.arrive('Bean Circle · Design');
  await owner.press('link', 'Invites');
  await owner.arrive('Bean Circle · Invites');
  await owner.press('button', 'Count first');
  await owner.hear('customers would be invited.');
  const [{ passId }] = (await app.client.get('/passes')).body.data;
  const { invited } = (await app.client.get(`/passes/${passId}/invites/sweep`)).body.state;
  assert.ok(invited > 1 && mailbox.mails.length === 0);
  await owner.press('button', `Invite ${invited} customers`);
  await owner.hear(`Invite ${invited} customers?`);
  await owner.press('button', `Invite ${invited} customers`);
  await owner.hear(`${invited} customers were invited.`);
  assert.equal(new Set(mailbox.mails.flatMap(({ recipients }) => recipients)).size, invited);
}

/** Staff are invited by mail, and do what staff may and nothing else. */
async function invite({ app, owner, colleague, mailbox }: Day): Promise<void> {
  await owner.press('link', 'Settings');
  await owner.arrive('Workspace');
  await owner.press('link', 'People');
  await owner.arrive('People');
  await owner.press('button', 'Invite someone');
  await owner.hear('Invite someone');
  await owner.write('textbox', 'Name', 'Katherine Johnson');
  await owner.write('textbox', 'E-mail address', 'katherine@example.com');
  await owner.choose('Role', 'Staff: look up, award and redeem');
  await owner.press('button', 'Send the invitation');
  await owner.hear('Katherine Johnson is invited.');
  const find = () => mailbox.mails.find(({ recipients }) => recipients.includes('katherine@example.com'));
  await until('the mail is there', () => find() !== undefined, longestWaitMs);
  const [link = ''] = linksOf(find() as ReceivedMail);

  const base = app.config.publicUrl;
  await colleague.open(link);
  await colleague.press('button', 'Sign in');
  await colleague.page.waitForURL(`${base}/scan`);
  await colleague.open(`${base}/console`);
  await colleague.arrive('Welcome');
  const entries = await colleague.page.getByRole('navigation').getByRole('link').allInnerTexts();
  assert.deepEqual(entries, ['Home', 'Customers', 'Scanner']);
  for (const path of ['passes', 'settings', 'settings/people', 'developers', 'cards/import']) {
    await colleague.open(`${base}/console/${path}`);
    await colleague.arrive('This page is not for your role');
  }
  const workspaceId = app.running.firstRun?.workspaceId ?? '';
  const headers = { 'sec-fetch-site': 'same-origin', 'x-workspace': workspaceId };
  for (const path of ['people', 'statistics', 'webhooks', 'audit']) {
    const reply = await colleague.page.request.get(`${base}/v1/${path}`, { headers });
    assert.deepEqual([path, reply.status(), (await reply.json()).code], [path, 403, 'role_required']);
  }
  await colleague.open(`${base}/console/cards`);
  await colleague.arrive('Customers');
  await colleague.write('textbox', 'Code on the card', 'OLD-7');
  await colleague.press('button', 'Find');
  await colleague.arrive('Holder 7');
  await colleague.press('button', 'Award');
  await colleague.hear('Award');
  await colleague.write('spinbutton', 'How many', '3');
  await colleague.press('button', 'Award');
  await colleague.hear('3 added. The balance is 5.');
}

/** Compares the figures of the first page with what was done; what was undone is in none of them. */
async function compareFigures({ app, owner }: Day): Promise<void> {
  await until(
    'all is counted',
    async () => (await app.client.get('/statistics')).body.isWhole === true,
    longestWaitMs,
  );
  await owner.press('link', 'Home');
  await owner.arrive('Home');
  const figures = owner.page.locator('.tiles');
  await figures.waitFor();
  const seen = await figures.locator('dt').allInnerTexts();
  const values = await figures.locator('dd > :first-child').allInnerTexts();
  const shown = Object.fromEntries(seen.map((name, at) => [name, values[at]]));
  const done = {
    'Cards issued': '501',
    'Added to a wallet': '1',
    // Without what was imported.
    'Points given': '35',
    'Points used': '0',
    'Rewards redeemed': '1',
    'Points outstanding': '1,035',
  };
  assert.deepEqual({ ...shown, ...done }, shown);
}
