import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { until } from '../../test/wallets.ts';
import { startGoogleApp } from '../delivery/google/google.fixture.ts';
import { classIdOf, objectIdOf } from '../delivery/google/google-card.ts';
import { trimIdentities } from '../delivery/trim-identities.job.ts';
import { decodeId } from '../kit/ids.ts';

const { app, google } = await startGoogleApp();
const bare = await startTestApp({ WORKERS: 'off' });
const ctx = { app: app.running.app, requestId: 'test' };
const wallets = '/workspace/wallets';
const path = `${wallets}/google`;
const callbackUrl = `${app.url}/google/callback`;
const uuidOf = (prefix: Parameters<typeof decodeId>[0], id: string) =>
  decodeId(prefix, id) ?? assert.fail(id);

let count = 0;
/** A merchant with a pass, and an unused issuer. */
async function newMerchant() {
  const { client, workspaceId } = await app.newWorkspace('pro', 1_000);
  const { passId } = await makePass(client);
  const issuerId = `33880000000000001${String(++count).padStart(2, '0')}`;
  const serviceAccount = google.addIssuer(issuerId);
  return {
    client,
    workspaceId,
    passId,
    issuerId,
    serviceAccount,
    card: () => makeCard(client, passId) as Promise<Json>,
    async own() {
      const { status, text, body } = await client.put(path, { serviceAccount, issuerId });
      assert.equal(status, 200, text);
      return body.google;
    },
    objectId: ({ instanceId }: Json, of = issuerId) =>
      objectIdOf(of, { workspaceId: uuidOf('ws', workspaceId), instanceId: uuidOf('inst', instanceId) }),
    classId: (of = issuerId) =>
      classIdOf(of, { workspaceId: uuidOf('ws', workspaceId), passId: uuidOf('pass', passId) }),
  };
}
type Merchant = Awaited<ReturnType<typeof newMerchant>>;

async function press(card: Json): Promise<string> {
  const reply = await app.anyone.get(card.links.google);
  assert.equal(reply.status, 302, reply.text);
  return reply.headers.get('location') ?? assert.fail('no location');
}

async function save(card: Json): Promise<void> {
  const reports = await google.save(await press(card), { callbackUrl });
  assert.deepEqual(
    reports.map(({ status }) => status),
    [200],
  );
}

const change = ({ client }: Merchant, { instanceId }: Json, tier: string) =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier } });
const shown = (objectId: string) => JSON.stringify(google.find('loyaltyObject', objectId) ?? {});
const wallet = async ({ client }: Merchant, { instanceId }: Json): Promise<number> =>
  (await client.get(`/instances/${instanceId}`)).body.wallets.google;

let one: Merchant;
let other: Merchant;
beforeEach(async () => {
  one = await newMerchant();
  other = await newMerchant();
});

describe('two merchants with accounts of their own', () => {
  it('are served side by side, and so is one without', async () => {
    const plain = await newMerchant();
    await one.own();
    await other.own();
    const issuers = [one.issuerId, other.issuerId, google.issuerId];
    const merchants = [one, other, plain];
    const cards = await Promise.all(merchants.map(({ card }) => card()));
    for (const card of cards) await save(card);
    for (const [place, merchant] of merchants.entries()) {
      const card = cards[place];
      const objectId = merchant.objectId(card, issuers[place]);
      assert.ok(shown(objectId).includes(`"classId":"${merchant.classId(issuers[place])}"`), shown(objectId));
      assert.equal(await wallet(merchant, card), 1);
      assert.equal((await change(merchant, card, `Gold ${place}`)).body.pushed, true);
      await until('Google has it', () => shown(objectId).includes(`Gold ${place}`));
      const text = `Hello ${place}`;
      assert.equal((await merchant.client.post(`/passes/${merchant.passId}/messages`, { text })).status, 202);
      const of = merchant.classId(issuers[place]);
      await until('the class has the message', () =>
        JSON.stringify(google.find('loyaltyClass', of)).includes(text),
      );
      await until('all is settled', async () => (await merchant.client.get('/credits')).body.reserved === 0);
    }
    for (const [place, merchant] of merchants.entries()) {
      await google.remove(merchant.objectId(cards[place], issuers[place]), { callbackUrl });
      assert.equal(await wallet(merchant, cards[place]), 0);
    }
    await assertInvariants(app.sql);
  });

  it('are not stopped by what Google refuses the other', async () => {
    await one.own();
    await other.own();
    const [bad, good] = [await one.card(), await other.card()];
    await save(bad);
    await save(good);
    // The account that the merchant names next is none of this issuer.
    const { serviceAccount } = other;
    await one.client.put(path, { issuerId: one.issuerId, serviceAccount });
    await change(one, bad, 'Gold');
    const scope = `${one.workspaceId}/${one.issuerId}`;
    const stops = () => app.sql<{ scope: string }>("select scope from wallet_stops where wallet = 'google'");
    await until('it is stopped', async () => (await stops()).some((stop) => stop.scope === scope));
    assert.equal((await stops()).length, 1);
    await change(other, good, 'Gold');
    await until('the other is served', () => shown(other.objectId(good)).includes('Gold'));
    await one.own();
    assert.deepEqual(await stops(), []);
    app.advance(900_000);
    await until('it goes on', () => shown(one.objectId(bad)).includes('Gold'));
  });

  it('hear of their own cards alone', async () => {
    await one.own();
    const card = await one.card();
    await save(card);
    const foreign = await other.card();
    await press(foreign);
    const callBack = (issuerId: string, objectId: string, classId: string) =>
      google.deliver(google.signCallback({ issuerId, objectId, classId, event: 'del' }), callbackUrl);
    // Signed by Google for an issuer, of a card that is not of it.
    await callBack(one.issuerId, other.objectId(foreign, one.issuerId), other.classId(one.issuerId));
    assert.equal(
      await callBack(other.issuerId, one.objectId(card, other.issuerId), one.classId(other.issuerId)),
      401,
    );
    assert.equal(await callBack(google.issuerId, one.objectId(card), one.classId()), 401);
    assert.equal(
      await callBack(google.issuerId, one.objectId(card, google.issuerId), one.classId(google.issuerId)),
      200,
    );
    assert.equal(await wallet(one, card), 1, 'the card is none of the installation');
    assert.equal(await callBack(one.issuerId, one.objectId(card), one.classId()), 200);
    assert.equal(await wallet(one, card), 0);
  });
});

describe('a card at Google', () => {
  it('stays that of the issuer that made it, as long as a holder keeps it', async () => {
    const first = await one.card();
    await save(first);
    const unsaved = await one.card();
    await press(unsaved);
    await one.own();
    const second = await one.card();
    await save(second);
    await save(unsaved);
    const { body } = await one.client.delete(path);
    assert.deepEqual(body.google, {
      own: false,
      issuerId: google.issuerId,
      serviceAccount: null,
      earlier: [{ issuerId: one.issuerId }],
    });
    const third = await one.card();
    await save(third);
    const all = [
      [first, google.issuerId],
      [second, one.issuerId],
      [unsaved, one.issuerId],
      [third, google.issuerId],
    ] as const;
    for (const [card, issuerId] of all) {
      await save(card);
      const tier = `Tier ${all.findIndex(([each]) => each === card)}`;
      await change(one, card, tier);
      await until(`a card of ${issuerId} is updated`, () =>
        shown(one.objectId(card, issuerId)).includes(tier),
      );
    }
    app.advance(2 * 86_400_000);
    while (await trimIdentities(ctx));
    assert.deepEqual((await one.client.get(wallets)).body.google.earlier, [{ issuerId: one.issuerId }]);
    const { findings } = (await app.operator.get(`/operator/instances/${second.instanceId}/diagnosis`)).body;
    assert.ok(
      findings.every(({ what }: Json) => !/no account there/.test(what)),
      JSON.stringify(findings),
    );
  });

  it('is wiped there when it is erased', async () => {
    await one.own();
    const card = await makeCard(one.client, one.passId, {
      holder: { identifier: 'c1', name: 'Ada Lovelace' },
    });
    await save(card);
    await until('Google has it', () => shown(one.objectId(card)).includes('Ada Lovelace'));
    await one.client.delete(`/instances/${card.instanceId}`);
    await until('Google has forgotten her', () => !shown(one.objectId(card)).includes('Ada Lovelace'));
  });

  it('is forgotten with its account where none was made', async () => {
    await one.own();
    await one.client.delete(path);
    app.advance(86_400_000);
    while (await trimIdentities(ctx));
    assert.deepEqual((await one.client.get(wallets)).body.google.earlier, []);
    assert.deepEqual(
      await app.sql('select 1 from google_identities where issuer_id = $1', [one.issuerId]),
      [],
    );
  });
});

describe('PUT /workspace/wallets/google', () => {
  after(() => assertInvariants(app.sql));

  it('makes cards there although the installation has no account', async () => {
    const { client } = await bare.newWorkspace();
    assert.equal((await client.get(wallets)).body.google, null);
    const card = await makeCard(client, (await makePass(client)).passId);
    assert.equal((await bare.anyone.get(card.links.google)).status, 404);
    const account = JSON.stringify({ ...JSON.parse(one.serviceAccount), token_uri: undefined });
    const { status, body } = await client.put(path, { serviceAccount: account, issuerId: one.issuerId });
    assert.equal(status, 200);
    assert.deepEqual(body.google.own, true);
    const page = await bare.anyone.get(card.links.add);
    assert.match(page.text, /\/google"/);
  });

  const refusals: Record<string, [body: (merchant: Merchant) => Json, message: RegExp]> = {
    'no account': [
      ({ issuerId }) => ({ issuerId, serviceAccount: '/etc/passwd' }),
      /^serviceAccount: .*whole key file/,
    ],
    'another kind of credentials': [
      ({ issuerId }) => ({ issuerId, serviceAccount: '{"type":"authorized_user"}' }),
      /another kind of credentials/,
    ],
    'tokens of another place': [
      ({ issuerId, serviceAccount }) => ({
        issuerId,
        serviceAccount: JSON.stringify({
          ...JSON.parse(serviceAccount),
          token_uri: 'https://169.254.169.254/token',
        }),
      }),
      /token_uri must be https:\/\/oauth2\.googleapis\.com\/token/,
    ],
    "the installation's issuer": [
      ({ serviceAccount }) => ({ issuerId: google.issuerId, serviceAccount }),
      /^issuerId: this is the issuer of the installation/,
    ],
    'no number': [({ serviceAccount }) => ({ issuerId: '12.34', serviceAccount }), /issuerId/],
  };
  for (const [name, [make, message]] of Object.entries(refusals))
    it(`refuses ${name}, and says what to do`, async () => {
      const { status, body } = await one.client.put(path, make(one));
      assert.deepEqual([status, body.code], [400, 'invalid_request'], body.error);
      assert.match(body.error, message);
      assert.equal((await one.client.get(wallets)).body.google.own, false);
    });

  it('keeps the account sealed: no answer shows it', async () => {
    const shownAs = await one.own();
    assert.deepEqual(shownAs, {
      own: true,
      issuerId: one.issuerId,
      serviceAccount: `merchant-${one.issuerId}@throw-away.iam.gserviceaccount.com`,
      earlier: [],
    });
    assert.ok(!(await app.dump()).includes('PRIVATE KEY'));
    const lines: Json[] = (await one.client.get('/audit')).body.data;
    const line = lines.find(({ action }) => action === 'setGoogleIdentity');
    assert.deepEqual(Object.keys(line?.detail.after).sort(), ['clientEmail', 'issuerId']);
  });
});
