import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { eventsOf } from '../../test/events.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { checkIdentities } from '../commands/check-identities.ts';
import { auth, passJsonOf, takeCard } from '../delivery/apple/device.fixture.ts';
import { trimIdentities } from '../delivery/trim-identities.job.ts';
import { decodeId } from '../kit/ids.ts';
import { daysFromNow, leafKeys } from '../wallet/apple/certificates/signing.fixture.ts';
import { developmentRoot, issue, issueFor, issuer, p12For, signFor } from './identities.fixture.ts';
import { warnOfWorkspaceCertificates } from './warn-of-workspace-certificates.job.ts';

const apns = await startDevelopmentApns();
const app = await startTestApp({ APNS_URL: apns.url });
const ctx = { app: app.running.app, requestId: 'test' };
const phones = new Phones(app, apns);
const installation = app.running.app.apple.passTypeIdentifier;

const wallets = '/workspace/wallets';
const apple = `${wallets}/apple`;
const request = `${apple}/signing-request`;

let count = 0;
/** A merchant with a pass, and the name of an unused pass type. */
async function newMerchant() {
  const { client, workspaceId } = await app.newWorkspace('pro', 1_000);
  const { passId } = await makePass(client);
  const passType = `pass.com.example.merchant${++count}`;
  return { client, workspaceId, passId, passType, card: () => makeCard(client, passId) as Promise<Json> };
}
type Merchant = Awaited<ReturnType<typeof newMerchant>>;

async function fileOf(card: Json): Promise<Json> {
  const { body } = await app.anyone.get(card.links.apple);
  assert.deepEqual(validatePkpass(body, { root: developmentRoot, now: app.running.app.now() }), []);
  return passJsonOf(body);
}

const change = ({ client }: Merchant, { instanceId }: Json, tier: string) =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier } });

let one: Merchant;
let other: Merchant;
beforeEach(async () => {
  apns.unscript();
  one = await newMerchant();
  other = await newMerchant();
});

describe('two merchants with certificates of their own', () => {
  it('are served side by side, and so is one without', async () => {
    const plain = await newMerchant();
    await signFor(one.client, one.passType, { unit: 'TEAMONE001' });
    await signFor(other.client, other.passType, { unit: 'TEAMTWO002' });
    const merchants = [one, other, plain];
    const cards = await Promise.all(merchants.map(({ card }) => card()));
    const files = await Promise.all(cards.map(fileOf));
    assert.deepEqual(
      files.map(({ passTypeIdentifier }) => passTypeIdentifier),
      [one.passType, other.passType, installation],
    );
    assert.deepEqual(
      files.slice(0, 2).map(({ teamIdentifier }) => teamIdentifier),
      ['TEAMONE001', 'TEAMTWO002'],
    );

    const single = await Promise.all(cards.map((card) => phones.add([card])));
    const all = await phones.add(cards);
    for (const [place, merchant] of merchants.entries()) {
      const topic = files[place]?.passTypeIdentifier;
      assert.equal((await change(merchant, cards[place], `Gold ${place}`)).body.pushed, true);
      await until('both phones show it', () =>
        [single[place], all].every((phone) =>
          phone?.cards.some(({ pass }) => JSON.stringify(pass).includes(`Gold ${place}`)),
        ),
      );
      assert.equal(apns.lastDelivery(single[place]?.pushToken ?? '')?.topic, topic);
      assert.equal(apns.lastDelivery(all.pushToken)?.topic, topic);
    }
    assert.deepEqual(
      single.map(({ pushToken }) => apns.deliveriesTo(pushToken)),
      [1, 1, 1],
    );
    for (const { client } of merchants)
      await until('all is settled', async () => (await client.get('/credits')).body.reserved === 0);
    await assertInvariants(app.sql);
  });

  it('reach their own cards alone, whatever certificate they have', async () => {
    await signFor(one.client, one.passType);
    const held = await takeCard(app, await one.card());
    const foreign = await takeCard(app, await other.card());
    const asked = (passType: string, card: typeof held) =>
      app.anyone.get(`/apple/v1/passes/${passType}/${card.serialNumber}`, auth(card));
    assert.equal((await asked(one.passType, held)).status, 200);
    for (const [passType, card] of [
      [one.passType, foreign],
      [other.passType, held],
    ] as const) {
      assert.equal((await asked(passType, card)).body.code, 'invalid_pass_token');
      const path = `/apple/v1/devices/d1/registrations/${passType}/${card.serialNumber}`;
      const body = { pushToken: 'ab'.repeat(32) };
      assert.equal((await app.anyone.post(path, body, auth(card))).body.code, 'invalid_pass_token');
      assert.equal((await app.anyone.delete(path, auth(card))).body.code, 'invalid_pass_token');
    }
    // The same pass type of another: who has its key may use it, for cards of their own.
    await signFor(other.client, one.passType);
    assert.equal((await asked(one.passType, foreign)).status, 200);
    assert.equal(
      (await asked(one.passType, { ...foreign, token: held.token })).body.code,
      'invalid_pass_token',
    );
  });

  it('do not stop the pushes of each other', async () => {
    await signFor(one.client, one.passType);
    await signFor(other.client, other.passType);
    const [bad, good] = [await one.card(), await other.card()];
    const refused = await phones.add([bad]);
    const phone = await phones.add([good]);
    apns.script({ status: 403, reason: 'BadCertificate' }, { token: refused.pushToken });
    await change(one, bad, 'Gold');
    const stops = () => app.sql("select scope from wallet_stops where scope like 'ws_%'");
    await until('the pass type is stopped', async () => (await stops()).length === 1);
    assert.deepEqual(await stops(), [{ scope: `${one.workspaceId}/${one.passType}` }]);
    await change(other, good, 'Gold');
    await until('the phone of the other shows it', () => phone.shows('tier') === 'Gold');
    assert.equal((await one.client.get('/credits')).body.reserved, 1, 'nothing is lost');
    apns.unscript();
    await signFor(one.client, one.passType);
    assert.deepEqual(await stops(), []);
    app.advance(900_000);
    await until('it goes on', () => refused.shows('tier') === 'Gold');
  });
});

describe('a card in a wallet', () => {
  it('keeps the certificate that signed it when the merchant gets one, another, or none', async () => {
    const earlier: { phone: Awaited<ReturnType<Phones['add']>>; card: Json; passType: string }[] = [];
    const install = async (passType: string) => {
      const card = await one.card();
      assert.equal((await fileOf(card)).passTypeIdentifier, passType);
      earlier.push({ phone: await phones.add([card]), card, passType });
    };
    await install(installation);
    await signFor(one.client, one.passType);
    await install(one.passType);
    const next = `${one.passType}.next`;
    await signFor(one.client, next);
    await install(next);
    const { body } = await one.client.delete(apple);
    assert.deepEqual([body.apple.own, body.apple.passTypeIdentifier], [false, installation]);
    assert.deepEqual(
      body.apple.earlier.map(({ passTypeIdentifier }: Json) => passTypeIdentifier),
      [one.passType, next],
    );
    await install(installation);
    for (const { phone, card, passType } of earlier) {
      await change(one, card, passType);
      await until(`a card of ${passType} is updated`, () => phone.shows('tier') === passType);
      assert.equal(phone.card().pass.passTypeIdentifier, passType);
      assert.equal(apns.lastDelivery(phone.pushToken)?.topic, passType);
    }
  });

  it('is served with the new certificate when that was renewed', async () => {
    await signFor(one.client, one.passType, { notAfter: daysFromNow(5) });
    const card = await one.card();
    const phone = await phones.add([card]);
    const renewed = await signFor(one.client, one.passType);
    const { body } = await one.client.get(wallets);
    assert.equal(body.apple.expiresAt, renewed.validToDate.toISOString());
    assert.deepEqual(body.apple.earlier, []);
    await until('the new one signs', async () => {
      const answer = await app.anyone.get(card.links.apple);
      return answer.body.includes(renewed.raw);
    });
    await change(one, card, 'Gold');
    await until('it is updated', () => phone.shows('tier') === 'Gold');
  });

  it('has it as long as it is in a wallet; then the key is forgotten', async () => {
    const kept = async () => {
      while (await trimIdentities(ctx));
      const rows = await app.sql('select 1 from apple_identities where pass_type_identifier = $1', [
        one.passType,
      ]);
      return rows.length === 1;
    };
    await signFor(one.client, one.passType);
    const phone = await phones.add([await one.card()]);
    await one.client.delete(apple);
    assert.equal(await kept(), true);
    app.advance(86_400_000);
    assert.equal(await kept(), true);
    await phone.remove();
    assert.equal(await kept(), false);
    assert.deepEqual((await one.client.get(wallets)).body.apple.earlier, []);
    const left = 'select 1 from apple_signing_keys where workspace_id = $1';
    assert.deepEqual(await app.sql(left, [decodeId('ws', one.workspaceId)]), []);
  });
});

describe('PUT /workspace/wallets/apple', () => {
  it('is used by every process at once', async () => {
    const twin = await app.twin();
    const { client } = app;
    const { passId } = await makePass(client);
    const { passType } = one;
    const path = new URL((await makeCard(client, passId)).links.apple).pathname;
    const typeAt = async (at: Client) => passJsonOf((await at.as(null).get(path)).body).passTypeIdentifier;
    assert.deepEqual([await typeAt(client), await typeAt(twin)], [installation, installation]);
    await signFor(client, passType);
    assert.deepEqual([await typeAt(client), await typeAt(twin)], [passType, passType]);
    await client.delete(apple);
    assert.deepEqual([await typeAt(client), await typeAt(twin)], [installation, installation]);
  });

  it('takes a .p12 and a .cer, and its intermediate where that is not known', async () => {
    const p12 = await one.client.put(apple, { p12: p12For(one.passType), passphrase: 'secret' });
    assert.equal(p12.body.apple?.passTypeIdentifier, one.passType, p12.text);
    const bare = await one.client.put(apple, { p12: p12For(one.passType, []), passphrase: 'secret' });
    assert.equal(bare.status, 200, bare.text);
    const { csr } = (await other.client.post(request)).body;
    const certificate = issueFor(csr, other.passType).raw.toString('base64');
    const cer = { certificate, intermediate: issuer.raw.toString('base64') };
    assert.equal((await other.client.put(apple, cer)).status, 200);
    assert.equal((await fileOf(await other.card())).passTypeIdentifier, other.passType);
  });

  it('finds the key among the newest five signing requests of the workspace', async () => {
    const csrs: string[] = [];
    for (let n = 0; n < 6; n++) csrs.push((await one.client.post(request)).body.csr);
    const send = ({ client }: Merchant, csr = '') =>
      client.put(apple, { certificate: issueFor(csr, one.passType).toString() });
    assert.equal((await send(one, csrs[1])).status, 200);
    assert.equal((await send(one, csrs[1])).status, 200, 'Apple renews a certificate for the same request');
    for (const { body } of [await send(one, csrs[0]), await send(other, csrs[1])])
      assert.match(body.error, /none of the newest signing requests of this workspace/);
  });

  it('makes no more keys than a merchant needs', async () => {
    let status = 201;
    for (let n = 0; n < 50 && status === 201; n++) ({ status } = await one.client.post(request));
    assert.equal(status, 429);
    assert.equal((await other.client.post(request)).status, 201);
  });

  const refusals: Record<string, [make: (passType: string, csr: string) => Json, message: RegExp]> = {
    nothing: [() => ({}), /Give either certificate/],
    both: [(type) => ({ certificate: 'x', p12: p12For(type) }), /Give either certificate/],
    'a passphrase for a certificate': [
      () => ({ certificate: 'x', passphrase: 'y' }),
      /Give either certificate/,
    ],
    'no certificate': [() => ({ certificate: '/etc/passwd' }), /^certificate: this is no certificate/],
    'a path': [() => ({ p12: '/etc/passwd' }), /^p12: this is no PKCS#12 file/],
    'a wrong passphrase': [
      (type) => ({ p12: p12For(type), passphrase: 'x' }),
      /^p12: the passphrase does not open/,
    ],
    'no passphrase': [(type) => ({ p12: p12For(type) }), /Set passphrase/],
    'a .p12 that takes too long to open': [
      (type) => ({ p12: p12For(type, ['-iter', '1000000']), passphrase: 'secret' }),
      /more rounds than are done here/,
    ],
    'a .p12 without a key': [
      (type) => ({ p12: p12For(type, ['-nokeys']), passphrase: 'secret' }),
      /holds no private key/,
    ],
    'an expired certificate': [
      (type, csr) => ({ certificate: issueFor(csr, type, { notAfter: daysFromNow(-1) }).toString() }),
      /The pass certificate expired on/,
    ],
    'a certificate of another key': [
      (type) => ({ certificate: issue(type, leafKeys.publicKey).toString() }),
      /none of the newest signing requests/,
    ],
    'a certificate of another kind': [
      (_type, csr) => ({
        certificate: issueFor(csr, 'x', {
          userId: null,
          extensionPassType: null,
          commonName: 'Apple Development',
        }).toString(),
      }),
      /is not a Pass Type ID certificate/,
    ],
    'no team': [
      (type, csr) => ({ certificate: issueFor(csr, type, { unit: 'Sales' }).toString() }),
      /must be the team identifier/,
    ],
    'an unknown issuer': [
      (type, csr) => {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        return { certificate: issueFor(csr, type, { issuerKey: privateKey }).toString() };
      },
      /the pass certificate was issued by .* set intermediate/s,
    ],
    "the installation's pass type": [
      (_type, csr) => ({ certificate: issueFor(csr, installation).toString() }),
      /is the pass type of this installation/,
    ],
  };
  for (const [name, [make, message]] of Object.entries(refusals))
    it(`refuses ${name}, and says what to do`, async () => {
      const { csr } = (await one.client.post(request)).body;
      const { status, body } = await one.client.put(apple, make(one.passType, csr));
      assert.deepEqual([status, body.code], [400, 'invalid_request'], body.error);
      assert.match(body.error, message);
      assert.equal((await one.client.get(wallets)).body.apple.own, false);
    });

  it('keeps the key sealed: no answer shows it', async () => {
    await one.client.put(apple, { p12: p12For(one.passType), passphrase: 'secret' });
    await signFor(other.client, other.passType);
    const dump = await app.dump();
    assert.ok(!dump.includes('PRIVATE KEY'));
    for (const { client } of [one, other]) {
      const { text } = await client.get(wallets);
      assert.ok(!/key|sealed|v1\./i.test(text), text);
      const audit = (await client.get('/audit')).body.data;
      const [line] = audit.filter(({ action }: Json) => action === 'setAppleIdentity');
      assert.deepEqual(Object.keys(line.detail.after).sort(), [
        'expiresAt',
        'fingerprint256',
        'passTypeIdentifier',
        'teamIdentifier',
      ]);
    }
  });

  it('has passes signed by the installation once its certificate has ended', async () => {
    const notAfter = new Date(app.running.app.now().getTime() + 86_400_000);
    await signFor(one.client, one.passType, { notAfter });
    const card = await one.card();
    assert.equal((await fileOf(card)).passTypeIdentifier, one.passType);
    app.advance(86_400_000);
    assert.equal((await fileOf(card)).passTypeIdentifier, installation);
  });
});

describe('what the operator sees', () => {
  it('is of the certificate that a card has, and of what Apple says of it', async () => {
    await signFor(one.client, one.passType, {
      notAfter: new Date(app.running.app.now().getTime() + 20 * 86_400_000),
    });
    const card = await one.card();
    const phone = await phones.add([card]);
    const found = async (): Promise<Json[]> =>
      (await app.operator.get(`/operator/instances/${card.instanceId}/diagnosis`)).body.findings;
    const ending = (await found()).find(({ what }) => what.startsWith('Pass certificate: 19 days left'));
    assert.match(ending?.advice, /PUT \/workspace\/wallets\/apple/);
    assert.ok((await found()).every(({ what }) => !/never pushed to|refused everything/.test(what)));
    apns.script({ status: 400, reason: 'TopicDisallowed' }, { token: phone.pushToken });
    await change(one, card, 'Gold');
    const stopped = async () => (await found()).find(({ what }) => /refused everything/.test(what));
    await until('it is stopped', async () => (await stopped()) !== undefined);
    const scope = `${one.workspaceId}/${one.passType}`;
    assert.ok((await stopped())?.what.startsWith(`Apple has refused everything for ${scope} since`));
    assert.match(
      (await stopped())?.advice,
      /Its owner gives another one with PUT \/workspace\/wallets\/apple/,
    );
    const all = await checkIdentities(app.running.app.database.db, app.running.app.now());
    assert.ok(all.every(({ level }) => level === 'warning'));
    assert.ok(
      all.some(({ what }) =>
        what.startsWith(`The certificate of ${one.workspaceId} for ${one.passType} ends on`),
      ),
    );
    assert.ok(all.some(({ what }) => what.includes(scope)));
    assert.doesNotMatch((await app.anyone.get('/metrics')).text, /^wallet_stopped\{wallet="apple"\} 1$/m);
  });
});

describe('the end of a certificate of their own', () => {
  it('is reported to the workspace alone, a month, two weeks, a week and a day before, once each', async () => {
    const certificate = await signFor(one.client, one.passType, { notAfter: daysFromNow(200) });
    await signFor(other.client, other.passType, { notAfter: daysFromNow(400) });
    const warnings = async () =>
      (await eventsOf(one.client, 'type=certificate.expiring')).map(({ data }) => data);
    const start = app.running.app.now().getTime();
    for (const left of [40, 29.5, 28, 13.5, 6.5, 3, 0.5, -2]) {
      app.advance(certificate.validToDate.getTime() - left * 86_400_000 - app.running.app.now().getTime());
      await Promise.all([warnOfWorkspaceCertificates(ctx), warnOfWorkspaceCertificates(ctx)]);
      while (await warnOfWorkspaceCertificates(ctx));
    }
    const all = await warnings();
    assert.deepEqual(
      all.map(({ daysLeft }) => daysLeft),
      [29, 13, 6, 0],
    );
    assert.deepEqual(all[0], {
      wallet: 'apple',
      passTypeIdentifier: one.passType,
      expiresAt: certificate.validToDate.toISOString(),
      daysLeft: 29,
    });
    assert.deepEqual(await eventsOf(other.client, 'type=certificate.expiring'), []);
    app.advance(start - app.running.app.now().getTime());
  });
});
