import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validatePkpass } from '../src/wallet/apple/validator/validate-pkpass.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { Phone } from '../tools/fakes/phone.ts';
import { ShopifyStore } from '../tools/fakes/shopify-store.ts';
import { startPushes } from '../tools/simulate-phone.ts';
import { showLoyalty } from './demo-loyalty.ts';
import { done, type Json, say, shopAt, until } from './demo-steps.ts';
import { customers, showStore } from './demo-store.ts';

/**
 * The main job end to end, over HTTP, on a service of its own: a coffee shop gives its hundred customers a card,
 * changes one, finds it at the till, two independent judges accept the file that a phone would download, and a simulated
 * phone shows each change, stamps that become a reward, and points that are redeemed.
 */
const publicUrl = 'https://cards.example.com';
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
const shop = shopAt(() => service.url);
const { call, send } = shop;

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

  say('Design a card and publish it');
  const pass = await call(apiKey, 'POST', '/passes', {
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
  await call(apiKey, 'PATCH', `/passes/${pass.passId}`, { status: 'published' });
  done(`${pass.passId} is published`);

  say('Issue a card to each customer of examples/holders.csv');
  const customers = await readCustomers(new URL('../examples/holders.csv', import.meta.url));
  const issue = () =>
    call(apiKey, 'POST', `/passes/${pass.passId}/instances/batch`, { instances: customers.map(cardOf) });
  const first = (await issue()).results;
  assert.deepEqual(new Set(first.map((result: Json) => result.status)), new Set([201]));
  done(`${first.length} cards, from ${customers[0]?.name} to ${customers.at(-1)?.name}`);

  say('Send the same request again, as a till does that heard no answer');
  assert.deepEqual((await issue()).results, first);
  const { counts } = await call(apiKey, 'GET', `/passes/${pass.passId}`);
  assert.equal(counts.issued, customers.length);
  done(`the same ${counts.issued} cards, none twice`);

  say('Scan a barcode at the till and promote its holder');
  const card = first[19].instance;
  const found = await call(apiKey, 'GET', `/instances/lookup?barcode=${card.barcode}`);
  assert.equal(found.instanceId, card.instanceId);
  const updated = await call(apiKey, 'PATCH', `/instances/${card.instanceId}/fields`, {
    fields: { tier: 'Gold' },
  });
  assert.equal(updated.fields.tier, 'Gold');
  done(`${found.holder.name} is now Gold (pushed: ${updated.pushed}, ${updated.pushSkipReason})`);

  say('A mistake gets a clear answer and changes nothing');
  const mistake = await send(apiKey, 'PATCH', `/instances/${card.instanceId}/fields`, {
    fields: { tear: 'Gold' },
  });
  assert.equal(mistake.status, 400);
  done(`${mistake.status} ${mistake.body.code}: ${mistake.body.error}`);

  say('Open the link as the holder and download the pass');
  const page = await fetch(local(card.links.add), { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /Blue Bean Club/);
  const download = await fetch(local(card.links.apple));
  const file = Buffer.from(await download.arrayBuffer());
  done(`${file.length} bytes of ${download.headers.get('content-type')}`);

  say('Let OpenSSL and the strict validator judge it');
  await judge(file);
  await watchPhone(operatorToken);
}

/** Phones take cards, and are told of each change by the push service. */
async function watchPhone(operatorToken: string): Promise<void> {
  const certificates = join(folder, 'data', 'apple-development');
  const pushes = await startPushes(certificates, apnsPort);
  if (pushes.apns === null) throw new Error(pushes.reason);
  const root = new X509Certificate(await readFile(join(certificates, 'root.pem')));
  const phones = new Map<string, Phone>();
  const newPhone = () => {
    const phone = new Phone({ root, reach: local, log: (line) => console.log(`      phone: ${line}`) });
    phones.set(phone.pushToken, phone);
    return phone;
  };
  pushes.apns.onPush(({ token, topic }) => void phones.get(token)?.pushed(topic));
  try {
    await watchChanges(operatorToken, newPhone());
    await showLoyalty(shop, operatorToken, newPhone);
    await watchStore(operatorToken, newPhone);
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

async function watchStore(operatorToken: string, newPhone: () => Phone): Promise<void> {
  const store = await ShopifyStore.start({ authority, customers });
  const mailFolder = join(folder, 'data', 'mail');
  try {
    await showStore(store, { shop, operatorToken, mailFolder, local, newPhone });
  } finally {
    await store.close();
  }
}

/** The shop has two credits. */
async function watchChanges(operatorToken: string, phone: Phone): Promise<void> {
  say('Open a second shop with two credits, and put its first card on a simulated phone');
  const shop = { name: 'Green Bean', plan: 'pro', credits: 2 };
  const { apiKey, workspaceId } = await call(operatorToken, 'POST', '/operator/workspaces', shop);
  const fields = [
    { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary', changeMessage: 'You are now %@' },
  ];
  const { passId } = await call(apiKey, 'POST', '/passes', {
    title: 'Green Bean Club',
    type: 'loyalty',
    fields,
  });
  await call(apiKey, 'PATCH', `/passes/${passId}`, { status: 'published' });
  const { instanceId, links } = await call(apiKey, 'POST', `/passes/${passId}/instances`, {});
  await phone.add(links.add);
  assert.equal((await call(apiKey, 'GET', `/instances/${instanceId}`)).wallets.apple, 1);
  done(`the phone shows tier ${phone.shows('tier')}`);

  say('Change a field of this card');
  const changed = await call(apiKey, 'PATCH', `/instances/${instanceId}/fields`, {
    fields: { tier: 'Gold' },
  });
  assert.equal(changed.pushed, true);
  await until(() => phone.shows('tier') === 'Gold');
  done(
    `the phone shows tier ${phone.shows('tier')}, and its lock screen: ${phone.notifications.at(-1)?.text}`,
  );

  say('Change the design of all cards');
  await call(apiKey, 'PATCH', `/passes/${passId}`, { details: 'The tenth coffee is on the house.' });
  await until(() => phone.shows('details') !== null);
  done(`the phone shows: ${phone.shows('details')}`);

  say('Change the card again, with no credit left');
  const change = { fields: { tier: 'Platinum' } };
  const skipped = await send(apiKey, 'PATCH', `/instances/${instanceId}/fields`, change);
  assert.equal(skipped.status, 202);
  done(
    `202: applied, but not pushed (${skipped.body.pushSkipReason}); the phone shows ${phone.shows('tier')}`,
  );
  assert.equal(phone.shows('tier'), 'Gold');

  say('Top up');
  const invoice = { amount: 100, externalRef: 'invoice-1' };
  await call(operatorToken, 'POST', `/operator/workspaces/${workspaceId}/credits`, invoice);
  await until(() => phone.shows('tier') === 'Platinum');
  done(`the phone shows tier ${phone.shows('tier')}; nobody had to send anything again`);

  say('Void the card');
  await call(apiKey, 'POST', `/instances/${instanceId}/void`);
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
