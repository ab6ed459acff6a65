import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InstanceResults, Punchcard } from '../sdk/typescript/src/index.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { Phone } from '../tools/fakes/phone.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { startPushes } from '../tools/simulate-phone.ts';
import { validatePkpass } from '../tools/validator/validate-pkpass.ts';
import { showLoyalty } from './demo-loyalty.ts';
import { done, type OpenShop, refusalOf, say, until } from './demo-steps.ts';
import { customers, showStore } from './demo-store.ts';

/**
 * The main job end to end, over HTTP, on a service of its own: a coffee shop gives its hundred customers a card,
 * changes one, finds it at the till, two independent judges accept the file that a phone would download, and a simulated
 * phone shows each change, stamps that become a reward, and points that are redeemed.
 */
const publicUrl = 'https://cards.example.com';
/** By the name of a shop: how its owner signs in. */
const consoleLinks = new Map<string, string>();
const folder = await mkdtemp(join(tmpdir(), 'punchcard-demo-'));
const apnsPort = await freePort();
const authority = makeAuthority('Simulated Internet CA');
await writeFile(join(folder, 'authority.pem'), authority.certificate.toString());
const service = new ServiceProcess(await freePort(), {
  DATA_DIR: join(folder, 'data'),
  PUBLIC_URL: publicUrl,
  APNS_URL: `https://localhost:${apnsPort}`,
  DRAIN_MS: '0',
  // The online shop is on this machine, too.
  FETCH_ALLOW_CIDRS: '127.0.0.1/32',
  WEBHOOK_ALLOW_HTTP: 'yes',
  NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
});

try {
  await demo();
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

async function demo(): Promise<void> {
  say('Start the service on an empty folder');
  const started = performance.now();
  await service.start();
  done(`ready after ${((performance.now() - started) / 1_000).toFixed(1)} s, database included`);
  const { apiKey, operatorToken } = JSON.parse(
    await readFile(join(folder, 'data', 'first-run.json'), 'utf8'),
  );

  const shop = new Punchcard({ baseUrl: service.url, apiKey });
  await shop.workspace.update({ name: 'Blue Bean' });
  await inviteOwner(shop, 'Blue Bean');

  say('Design a card and publish it');
  const pass = await shop.passes.create({
    title: 'Blue Bean Club',
    type: 'loyalty',
    details: 'Ten coffees, one on the house.',
    terms: 'One card per person.',
    fields: [
      { key: 'name', label: 'Member', value: null, section: 'primary' },
      { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary', changeMessage: 'You are now %@' },
    ],
    colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  });
  await shop.passes.update(pass.passId, { status: 'published' });
  done(`${pass.passId} is published`);

  say('Issue a card to each customer of examples/holders.csv');
  const customers = await readCustomers(new URL('../examples/holders.csv', import.meta.url));
  const issue = () => shop.instances.issueBatch(pass.passId, { instances: customers.map(cardOf) });
  const first = await issue();
  assert.deepEqual(new Set(first.results.map(({ status }) => status)), new Set([201]));
  done(`${first.results.length} cards, from ${customers[0]?.name} to ${customers.at(-1)?.name}`);

  say('Send the same request again, as a till does that heard no answer');
  assert.deepEqual((await issue()).results, first.results);
  const { counts } = await shop.passes.get(pass.passId);
  assert.equal(counts.issued, customers.length);
  done(`the same ${counts.issued} cards, none twice`);

  say('Scan a barcode at the till and promote its holder');
  const card = cardAt(first, 19);
  const found = await shop.instances.lookUp({ barcode: card.barcode ?? '' });
  assert.equal(found.instanceId, card.instanceId);
  const updated = await shop.instances.updateFields(card.instanceId, { fields: { tier: 'Gold' } });
  assert.equal(updated.fields.tier, 'Gold');
  done(`${found.holder?.name} is now Gold (pushed: ${updated.pushed}, ${updated.pushSkipReason})`);

  say('A mistake gets a clear answer and changes nothing');
  const mistake = await refusalOf(shop.instances.updateFields(card.instanceId, { fields: { tear: 'Gold' } }));
  assert.equal(mistake.code, 'unknown_field_key');
  done(`${mistake.status} ${mistake.code}: ${mistake.message}`);

  say('Open the link as the holder and download the pass');
  const page = await fetch(local(card.links.add), { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /Blue Bean Club/);
  const download = await fetch(local(card.links.apple));
  const file = Buffer.from(await download.arrayBuffer());
  done(`${file.length} bytes of ${download.headers.get('content-type')}`);

  say('Let OpenSSL and the strict validator judge it');
  await judge(file);
  await watchPhone(new Punchcard({ baseUrl: service.url, operatorToken }));
  await showConsole();
}

async function inviteOwner(shop: Punchcard, name: string): Promise<void> {
  const { link } = await shop.people.invite({ name: 'Ada', email: 'ada@example.com', role: 'owner' });
  if (link !== null) consoleLinks.set(name, local(link));
}

/** Prints a link that signs in as the owner of a shop. The service runs on, so that its console can be explored. */
async function showConsole(): Promise<void> {
  say('Look at it in the console: each link signs you in, once');
  // The service ends with this program: a link that is read later would be dead.
  if (!process.stdin.isTTY)
    return done('Run it on a terminal: it waits there, and prints links that open the console.');
  for (const [name, link] of consoleLinks) done(`${name}: ${link}`);
  console.log('  The service runs until you press Enter.');
  await once(process.stdin, 'data');
  process.stdin.pause();
}

/** Phones take cards, and the push service notifies them of each change. */
async function watchPhone(operator: Punchcard): Promise<void> {
  const certificates = join(folder, 'data', 'apple-development');
  const pushes = await startPushes(certificates, apnsPort);
  if (pushes.apns === null) throw new Error(pushes.reason);
  const root = new X509Certificate(await readFile(join(certificates, 'root.pem')));
  const openShop: OpenShop = async (account) => {
    const { apiKey, workspaceId } = await operator.operator.createWorkspace(account);
    const shop = new Punchcard({ baseUrl: service.url, apiKey });
    await inviteOwner(shop, account.name);
    return { shop, workspaceId };
  };
  const phones = new Map<string, Phone>();
  const newPhone = () => {
    const phone = new Phone({ root, reach: local, log: (line) => console.log(`      phone: ${line}`) });
    phones.set(phone.pushToken, phone);
    return phone;
  };
  pushes.apns.onPush(({ token, topic }) => void phones.get(token)?.pushed(topic));
  try {
    await watchChanges(operator, openShop, newPhone());
    await showLoyalty(openShop, newPhone);
    await watchStore(openShop, newPhone);
    say('Ask the phones what they have to complain about');
    assert.deepEqual(
      [...phones.values()].flatMap((phone) => phone.complaints),
      [],
    );
    done('nothing');
  } finally {
    await pushes.apns.close();
  }
}

async function watchStore(openShop: OpenShop, newPhone: () => Phone): Promise<void> {
  const store = await ShopifyStore.start({ authority, customers });
  const mailFolder = join(folder, 'data', 'mail');
  try {
    await showStore(store, { openShop, mailFolder, local, newPhone });
  } finally {
    await store.close();
  }
}

/** The shop has two credits. */
async function watchChanges(operator: Punchcard, openShop: OpenShop, phone: Phone): Promise<void> {
  say('Open a second shop with two credits, and put its first card on a simulated phone');
  const { shop, workspaceId } = await openShop({ name: 'Green Bean', plan: 'pro', credits: 2 });
  const { passId } = await shop.passes.create({
    title: 'Green Bean Club',
    type: 'loyalty',
    fields: [
      { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary', changeMessage: 'You are now %@' },
    ],
  });
  await shop.passes.update(passId, { status: 'published' });
  const { instanceId, links } = await shop.instances.issue(passId);
  await phone.add(links.add);
  assert.equal((await shop.instances.get(instanceId)).wallets.apple, 1);
  done(`the phone shows tier ${phone.shows('tier')}`);

  say('Change a field of this card');
  const changed = await shop.instances.updateFields(instanceId, { fields: { tier: 'Gold' } });
  assert.equal(changed.pushed, true);
  await until(() => phone.shows('tier') === 'Gold');
  done(
    `the phone shows tier ${phone.shows('tier')}, and its lock screen: ${phone.notifications.at(-1)?.text}`,
  );

  say('Change the design of all cards');
  await shop.passes.update(passId, { details: 'The tenth coffee is on the house.' });
  await until(() => phone.shows('details') !== null);
  done(`the phone shows: ${phone.shows('details')}`);

  say('Change the card again, with no credit left');
  const skipped = await shop.instances.updateFields(instanceId, { fields: { tier: 'Platinum' } });
  assert.equal(skipped.$response.status, 202);
  done(`202: applied, but not pushed (${skipped.pushSkipReason}); the phone shows ${phone.shows('tier')}`);
  assert.equal(phone.shows('tier'), 'Gold');

  say('Top up');
  await operator.operator.addCredits(workspaceId, { amount: 100, externalRef: 'invoice-1' });
  await until(() => phone.shows('tier') === 'Platinum');
  done(`the phone shows tier ${phone.shows('tier')}; no call had to be sent again`);

  say('Void the card');
  await shop.instances.void(instanceId);
  await until(() => phone.voided());
  done('the phone shows it as void');
}

async function judge(file: Buffer): Promise<void> {
  const rootFile = join(folder, 'data', 'apple-development', 'root.pem');
  const root = new X509Certificate(await readFile(rootFile));
  const findings = validatePkpass(file, { root, now: new Date() });
  assert.deepEqual(findings, []);
  done('the strict validator has nothing to say');
  for (const name of ['manifest.json', 'signature']) {
    await writeFile(join(folder, name), storedFile(file, name));
  }
  const verify = (content: string) =>
    execFileSync(
      'openssl',
      `cms -verify -binary -inform DER -in signature -content ${content} -CAfile ${rootFile} -purpose any -out /dev/null`.split(
        ' ',
      ),
      { cwd: folder, stdio: 'pipe' },
    );
  verify('manifest.json');
  done('openssl cms -verify accepts signature and chain');
  const changed = Buffer.from(storedFile(file, 'manifest.json'));
  changed[10] = (changed[10] ?? 0) ^ 1;
  await writeFile(join(folder, 'changed.json'), changed);
  assert.throws(() => verify('changed.json'));
  done('and refuses the same manifest with one bit changed');
}

/** The card that an item of a batch has become. */
function cardAt({ results }: InstanceResults, index: number) {
  const result = results[index];
  assert.ok(result?.instance !== undefined);
  return result.instance;
}

/** Links are built on the public address; here there is nothing in front of the service. */
function local(link: string): string {
  return link.replace(publicUrl, service.url);
}

interface Customer {
  readonly customer: string;
  readonly name: string;
  readonly email: string;
  readonly language: string;
  readonly tier: string;
}

async function readCustomers(file: URL): Promise<Customer[]> {
  const [, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const [customer = '', name = '', email = '', language = '', tier = ''] = line.split(',');
    return { customer, name, email, language, tier };
  });
}

function cardOf({ customer, name, email, language, tier }: Customer) {
  return {
    externalRef: `demo-${customer}`,
    holder: { identifier: customer, name, email, locale: language },
    fields: { name, tier },
  };
}

/** A file out of a zip whose entries are stored as they are. */
function storedFile(zip: Buffer, name: string): Buffer {
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength, extraLength] = [
      zip.readUInt32LE(at + 22),
      zip.readUInt16LE(at + 26),
      zip.readUInt16LE(at + 28),
    ];
    const begin = at + 30 + nameLength + extraLength;
    if (zip.toString('utf8', at + 30, at + 30 + nameLength) === name)
      return zip.subarray(begin, begin + size);
    at = begin + size;
  }
  throw new Error(`${name} is not in the file`);
}
