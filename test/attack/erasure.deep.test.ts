import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { Device, passJsonOf, takeCard } from '../../src/delivery/apple/device.fixture.ts';
import { GoogleShop, googleSettings } from '../../src/delivery/google/google.fixture.ts';
import { shapeCheck } from '../../src/kit/http/schemas/validation.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { auditLedger } from '../../src/ledger/audit-ledger.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import { routes } from '../../src/routes.ts';
import { startGoogle } from '../../tools/fakes/google.ts';
import type { Client, Json, Reply } from '../client.ts';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';
import { bodySchemaOf, isPlain, type Place, placesOf } from '../text-places.ts';
import { until } from '../wallets.ts';

const logged: string[] = [];
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged.push(String(chunk));
    done();
  },
});
const google = await startGoogle({ now: () => new Date() });
after(() => google.close());
const app = await startTestApp(googleSettings(google), pino({ level: 'trace' }, sink));
const ctx = { app: app.running.app, requestId: 'test' };

/** Names of ours, and those of orders and refunds: by these the books are kept. */
const names = /\.(passId|instanceId|partnerId|programId|storeId|entryId|orderId|number|refundId)$/;

/** An invitation to another address than the card's belongs to another person. */
const isOther = (op: string, { path }: Place) => op === 'createInvite' && path === '.email';

/** Operations that take a text about the holder of a card, each with a body that they take. */
const aboutPeople: Readonly<Record<string, (card: Json) => Json>> = {
  issueInstance: () => ({}),
  issueBatch: () => ({ instances: [{}] }),
  importInstances: () => ({ instances: [{ barcode: own('imported') }] }),
  updateInstance: () => ({}),
  updateFields: () => ({ fields: { tier: 'Gold' } }),
  updateFieldsBatch: ({ instanceId }) => ({ updates: [{ instanceId, fields: { tier: 'Gold' } }] }),
  voidInstance: () => ({}),
  voidBatch: ({ instanceId }) => ({ voids: [{ instanceId }] }),
  earnPoints: (card) => ({ ...targetOf(card), points: 3 }),
  earnBatch: (card) => ({ awards: [{ ...targetOf(card), points: 3 }] }),
  adjustBatch: (card) => ({ adjustments: [{ ...targetOf(card), points: 2, reason: 'a slip' }] }),
  redeemReward: targetOf,
  adjustPoints: (card) => ({ ...targetOf(card), points: 2, reason: 'a slip' }),
  previewPoints: (card) => ({ ...targetOf(card), points: 3 }),
  reverseEntry: () => ({}),
  loadValue: (card) => ({ ...targetOf(card), amount: euros('3.00') }),
  chargeValue: (card) => ({ ...targetOf(card), amount: euros('3.00') }),
  refundValue: ({ entryId }) => ({ entryId, refundId: own('refund') }),
  transferValue: ({ passId, instanceId }) => ({
    passId,
    from: { instanceId },
    to: { instanceId: otherGiftCard },
  }),
  processOrder: ({ passId }) => ({
    passId,
    orderId: own('order'),
    customer: { id: own('customer') },
    total: euros('5.00'),
  }),
  createInvite: ({ holder }) => ({ email: holder.email }),
};

/** The other operations that take a text: about passes, shops and keys, of devices, or about no card yet. */
const aboutNoPerson = new Set([
  'createWorkspace',
  'updateAnyWorkspace',
  'addCredits',
  'updateWorkspace',
  'createApiKey',
  'createAnyApiKey',
  'updateApiKey',
  'rotateApiKey',
  'createPass',
  'updatePass',
  'clonePass',
  'previewDesign',
  'uploadBarcodes',
  'uploadImage',
  'setAppleIdentity',
  'setGoogleIdentity',
  'setNfcReaders',
  'sendMessage',
  'updateMessage',
  'takeBackMessage',
  'sendCards',
  'createProgram',
  'updateProgram',
  'previewProgram',
  'importBalances',
  'refundOrder',
  'cancelOrder',
  'createPartner',
  'updatePartner',
  'connectStore',
  'updateStore',
  'startSweep',
  'submitJoinForm',
  'joinByApp',
  'confirmJoin',
  'acceptInvite',
  'unsubscribe',
  'installWebCard',
  'removeWebCard',
  'registerDevice',
  'logDeviceErrors',
  'googleCallback',
  'receiveWebhook',
  'createWebhook',
  'updateWebhook',
  'recoverWebhook',
  // A person who works with the service has no card.
  'createPerson',
  'inviteOwner',
  'updatePerson',
  'updateOwnPerson',
  'confirmOwnAddress',
  'sendSignInLink',
  'createDevice',
  'pairDevice',
  'createSession',
  'createPasskey',
  'updatePasskey',
  'setPassword',
  'askForLink',
  'choosePassword',
  'acceptInvitation',
  'answerInvitation',
]);

const euros = (amount: string) => ({ amount, currency: 'EUR' });
const ofMoney = new Set(['loadValue', 'chargeValue', 'refundValue', 'transferValue']);

let serial = 0;
/** A text that occurs nowhere else. */
function own(name: string): string {
  serial += 1;
  return `${name}-${serial}`;
}

function targetOf({ passId, instanceId }: Json): Json {
  return { passId, instanceId };
}

/** A call that was taken, to be made again. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  readonly key: string;
  readonly isIdempotent: boolean;
}

let client: Client;
let shop: GoogleShop;
let pass: Json;
let program: Json;
let giftCards: Json;
let otherGiftCard: string;
/** Marks, each with the place that it was sent in. */
const marks = new Map<string, string>();
const cards: Json[] = [];
const calls: Call[] = [];

/** A mark, in each of the forms that a place may ask for. */
function marksFor(place: string): string[] {
  serial += 1;
  const number = String(7_000_000 + serial);
  const forms = [`Mark${number}x`, `mark${number}x@example.com`, `+4930${number}`, `qm-Mk${number.slice(1)}`];
  for (const form of forms) marks.set(form, place);
  return forms;
}

/** Lays one value over another; lists item by item. */
function lay(base: Json, top: Json): Json {
  if (Array.isArray(base) && Array.isArray(top)) return top.map((one, at) => lay(base[at], one));
  if (!isPlain(base) || !isPlain(top)) return top;
  const merged: Json = { ...base };
  for (const [name, value] of Object.entries(top)) merged[name] = lay(base[name], value);
  return merged;
}

async function issue(body: object = {}, { passId } = pass): Promise<Json> {
  const reply = await client.post(`/passes/${passId}/instances`, body);
  assert.equal(reply.status, 201, reply.text);
  cards.push(reply.body);
  return reply.body;
}

/** A card of a marked holder, with points or money. */
async function markedCard(op: string): Promise<Json> {
  const [name, email] = marksFor(`the holder of ${op}`);
  const holder = { identifier: own('holder'), name, email };
  if (ofMoney.has(op)) {
    const card = await issue({ holder, value: euros('20.00') }, giftCards);
    const charged = await client.post('/value/charge', { ...targetOf(card), amount: euros('5.00') });
    assert.equal(charged.status, 200, charged.text);
    return { ...card, entryId: charged.body.entryId };
  }
  const card = await issue({ holder });
  const earned = await client.post('/loyalty/points', { ...targetOf(card), points: 20 });
  assert.equal(earned.status, 200, earned.text);
  return { ...card, entryId: earned.body.entryId };
}

/** Calls an operation with a mark in one place; false where it takes none there. */
async function send(route: (typeof routes)[number], place: Place): Promise<boolean> {
  const { method, path, endpoint } = route;
  const schema = bodySchemaOf(endpoint);
  assert.ok(schema !== undefined);
  const fits = shapeCheck(schema as never);
  const card = await markedCard(endpoint.op);
  const base = aboutPeople[endpoint.op]?.(card);
  const local = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => card[name]);
  for (const mark of marksFor(`${endpoint.op}${place.path}`)) {
    const body = lay(base, place.with(mark));
    if (fits(body) !== null) continue;
    const ref = place.path === '.externalRef' ? String(mark) : null;
    const key =
      ref ?? (endpoint.idempotent === true ? marksFor(`the key of ${endpoint.op}`)[0] : null) ?? own('key');
    const reply = await client.send(method, local, body, { headers: { 'idempotency-key': key } });
    const results = reply.body.results ?? [{ status: reply.status, instance: reply.body }];
    if (results.some(({ status }: Json) => status >= 300)) continue;
    for (const { instance } of results) if (typeof instance?.instanceId === 'string') cards.push(instance);
    calls.push({ method, path: local, body, key, isIdempotent: endpoint.idempotent === true });
    return true;
  }
  return false;
}

/** All rows of all tables, with the text inside bytes. */
async function rows(): Promise<string> {
  const text = await app.dump();
  return text.replaceAll(/\\x([0-9a-f]{4,})/g, (_, hex: string) =>
    Buffer.from(hex, 'hex').toString('latin1'),
  );
}

function assertUnmarked(text: string, where: string): void {
  const folded = text.toLowerCase();
  const found = [...marks]
    .filter(([mark]) => folded.includes(mark.toLowerCase()))
    .map(([mark, place]) => `${place}: ${mark}`);
  assert.deepEqual(found, [], where);
}

describe('erasing a card', { concurrency: false }, () => {
  const taken = new Set<string>();
  let balances = '';

  before(async () => {
    const { workspaceId, client: own } = await app.newWorkspace('pro', 100_000);
    client = own;
    shop = new GoogleShop(app, google, decodeId('ws', workspaceId) ?? '', client);
    const terms = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };
    const fields = [{ key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' }];
    ({ pass, program } = await makeProgram(client, terms, { design: { fields } }));
    const money = { mode: 'MONEY', currency: 'EUR' };
    giftCards = (await makeProgram(client, money, { design: { type: 'giftCard', fields } })).pass;
    otherGiftCard = (await issue({}, giftCards)).instanceId;
  });

  it('is tried with each operation that takes a text: a new one says whether about a person', () => {
    const texts = routes.filter(({ endpoint }) => placesOf(bodySchemaOf(endpoint)).length > 0);
    const unknown = texts.filter(({ endpoint: { op } }) => !(op in aboutPeople) && !aboutNoPerson.has(op));
    assert.deepEqual(
      unknown.map(({ endpoint }) => endpoint.op),
      [],
    );
  });

  for (const route of routes.filter(({ endpoint }) => endpoint.op in aboutPeople)) {
    const { op } = route.endpoint;
    it(`with a mark in each text of ${op}`, async () => {
      for (const place of placesOf(bodySchemaOf(route.endpoint))) {
        if (place.isMoment || names.test(place.path) || isOther(op, place)) continue;
        if (await send(route, place)) taken.add(`${op}${place.path}`);
      }
    });
  }

  it('that has a code of the pool, a balance that was imported, and is in all wallets', async () => {
    const [code] = marksFor('a code of the pool');
    const pooled = (await makeProgram(client, undefined, { design: { barcode: { mode: 'pool' } } })).pass;
    assert.equal((await client.post(`/passes/${pooled.passId}/barcodes`, { barcodes: [code] })).status, 200);
    const fromPool = await client.post(`/passes/${pooled.passId}/instances`, {});
    assert.equal(fromPool.body.barcode, code);
    cards.push(fromPool.body);

    const [identifier, , , barcode] = marksFor('a card in wallets');
    const kept = await issue({ holder: { identifier }, barcode, fields: { tier: identifier } });
    const file = `identifier,balance\n${identifier},40\n`;
    const path = `/loyalty/programs/${program.programId}/balances`;
    // The key of a file, which names many, is kept in the audit log.
    const headers = { 'content-type': 'text/csv', 'idempotency-key': own('key') };
    assert.equal((await client.send('POST', path, file, { headers })).status, 200);
    const held = await takeCard(app, kept);
    const device = new Device(app);
    assert.equal((await device.register(held)).status, 201);
    await shop.save(kept);
    await shop.synced(kept);
    await app.anyone.get(kept.links.card);
    Object.assign(kept, { device, held });
  });

  it('finds the marks before it', async () => {
    const before = (await rows()).toLowerCase();
    const seen = new Set(
      [...marks].filter(([mark]) => before.includes(mark.toLowerCase())).map(([, place]) => place),
    );
    assert.ok(
      [...seen].filter((place) => place.startsWith('the key of ')).length > 8,
      'keys are kept until then',
    );
    const lost = [...taken].filter((place) => !seen.has(place) && !place.startsWith('previewPoints'));
    assert.deepEqual(lost, [], 'no table keeps these');
    for (const place of [
      'issueInstance.barcode',
      'adjustPoints.reason',
      'processOrder.items[].name',
      'createInvite.name',
    ])
      assert.ok(taken.has(place), place);
    assert.ok(taken.size > 40, `${taken.size} places`);
  });

  it('leaves no mark in any table', async () => {
    balances = await sums();
    for (const { instanceId } of cards)
      assert.equal((await client.delete(`/instances/${instanceId}`)).status, 204);
    await until('Google has the change', () => shop.synced(cards.at(-1)).then(() => true));
    assertUnmarked(await rows(), 'the tables');
  });

  it('leaves none in what a repeated call is answered, which has no effect again', async () => {
    for (const { method, path, body, key, isIdempotent } of calls) {
      const repeat = () => client.send(method, path, body, { headers: { 'idempotency-key': key } });
      if (!isIdempotent) continue;
      const reply = await repeat();
      assert.ok(reply.status < 300, reply.text);
      assertUnmarked(reply.text, `${method} ${path}`);
    }
    assert.equal(await sums(), balances);
    assertUnmarked(await rows(), 'the tables');
  });

  it('refuses a key for another effect as before, and shows it to no other caller', async () => {
    const issued = calls.find(({ path, body }) => path.endsWith('/instances') && body.holder !== undefined);
    assert.ok(issued);
    const other = { ...issued.body, holder: { identifier: own('another-one') } };
    const reply = await client.post(issued.path, other, { headers: { 'idempotency-key': issued.key } });
    assert.equal(reply.body.code, 'external_ref_reused', reply.text);
    const found = await client.get(
      `/passes/${pass.passId}/instances?externalRef=${encodeURIComponent(issued.key)}`,
    );
    for (const { externalRef, holder } of found.body.data)
      assert.deepEqual([externalRef, holder], [null, null]);
  });

  it('leaves none in what can be read, looked up and exported', async () => {
    for (const card of cards) {
      const reads = routes.filter(({ method, access }) => method === 'GET' && access.startsWith('read'));
      for (const { path } of reads.filter(({ path }) => path.includes('{instanceId}')))
        assertUnmarked((await client.get(path.replace('{instanceId}', card.instanceId))).text, path);
      assertUnmarked((await client.get(`/loyalty/entries?instanceId=${card.instanceId}`)).text, 'entries');
    }
    for (const passId of new Set(cards.map((card) => card.passId)))
      for (const what of ['instances', 'barcodes', 'invites', 'invites/sweep', ''])
        await pages(`/passes/${passId}/${what}`.replace(/\/$/, ''));
    await pages(`/loyalty/entries?passId=${pass.passId}`);
    for (const { path, body } of calls.filter(({ path }) => path === '/orders/process')) {
      const order = await client.get(`/orders/${body.orderId}`);
      assert.equal(order.status, 200, path);
      assertUnmarked(order.text, 'an order');
    }
    const { text } = await client.get(`/loyalty/programs/${program.programId}/balances.csv`);
    assertUnmarked(text, 'the balances');
    for (const mark of marks.keys()) {
      const text = encodeURIComponent(mark);
      const found = await client.get(`/instances/lookup?barcode=${text}`);
      assert.equal(found.body.code, 'instance_not_found', mark);
    }
  });

  it('leaves none in the wallets', async () => {
    const kept = cards.at(-1);
    const json = passJsonOf((await kept.device.fetch(kept.held, kept.held.lastModified)).body);
    assert.equal(json.voided, true);
    assertUnmarked(JSON.stringify(json), 'the pass file');
    assertUnmarked(JSON.stringify(shop.object(kept)), 'the object at Google');
    assert.equal(shop.object(kept).state, 'INACTIVE');
    for (const link of Object.values<string>(kept.links)) {
      const reply = await app.anyone.get(link);
      assert.equal(reply.status, 404, link);
      assertUnmarked(reply.text, link);
    }
  });

  it('leaves the figures of the ledger whole', async () => {
    const audited = await auditLedger(ctx.app.database, shop.workspaceId, ctx.app.now);
    assert.deepEqual(audited.findings, []);
  });

  it('leaves none in the logs', () => {
    assert.ok(logged.length > 100);
    assertUnmarked(logged.join(''), 'the logs');
  });

  it('reaches what was said of a card whose points the next one has', async () => {
    const [reason] = marksFor('a reason of a former card');
    const holder = { identifier: own('holder') };
    const former = await issue({ holder });
    const said = { ...targetOf(former), points: 5, reason };
    assert.equal((await client.post('/loyalty/points', said)).status, 200);
    await client.post(`/instances/${former.instanceId}/void`);
    const next = await issue({ holder });
    assert.equal(next.loyalty.balance, 5);
    const own5 = { ...targetOf(next), points: 5, reason: 'of the next card' };
    assert.equal((await client.post('/loyalty/points', own5)).status, 200);
    await client.delete(`/instances/${former.instanceId}`);
    const left = await rows();
    assertUnmarked(left, 'the tables');
    assert.ok(left.includes(own5.reason), 'the next card is not erased');
  });

  it('takes no reason and no name for what is undone afterwards, and knows its repeat', async () => {
    const card = await markedCard('reverseEntry');
    const [erasing = ''] = marksFor('the key of the erasure');
    const erase = () =>
      client.send('DELETE', `/instances/${card.instanceId}`, undefined, {
        headers: { 'idempotency-key': erasing },
      });
    assert.equal((await erase()).status, 204);
    assert.equal((await erase()).headers.get('idempotent-replayed'), 'true');
    const [reason, , , externalRef] = marksFor('reverseEntry.reason, after the erasure');
    const undo = () => client.post(`/loyalty/entries/${card.entryId}/reverse`, { reason, externalRef });
    const reply = await undo();
    assert.equal(reply.status, 200, reply.text);
    const repeat = await undo();
    assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
    assert.equal(repeat.text, reply.text);
    assertUnmarked(await rows(), 'the tables');
    await assertInvariants(app.sql);
  });
});

/** What the ledger has, all in all. */
async function sums(): Promise<string> {
  const found = await app.sql(
    'select count(*) as entries, sum(points) as points, (select sum(balance) from loyalty_accounts) as balance from loyalty_entries',
  );
  return JSON.stringify(found);
}

/** Reads a list to its end. */
async function pages(path: string): Promise<void> {
  for (let next = path; next !== ''; ) {
    const reply: Reply = await client.get(next);
    assertUnmarked(reply.text, path);
    const cursor = reply.body.nextCursor ?? null;
    next = cursor === null ? '' : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
  }
}
