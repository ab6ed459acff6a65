import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { passJsonOf } from '../delivery/apple/device.fixture.ts';
import { GoogleShop, startGoogleApp } from '../delivery/google/google.fixture.ts';
import { developmentRoot, signFor } from '../wallet-credentials/identities.fixture.ts';

const apns = await startDevelopmentApns();
const { app, google } = await startGoogleApp({ APNS_URL: apns.url });
const phones = new Phones(app, apns);
const readers = '/workspace/wallets/nfc';
const issuers = { redemptionIssuers: ['3388000000000000042'] };

let count = 0;
/** A merchant whose certificate is one for NFC, and a pass whose cards readers take. */
async function newMerchant(nfc: 'code' | 'identifier' = 'code', options: object = {}) {
  const { client } = await app.newWorkspace('pro', 1_000);
  const passType = `pass.com.example.nfc${++count}`;
  await signFor(client, passType, { commonName: `Pass Type ID with NFC: ${passType}` });
  const { passId } = await makePass(client, { walletOptions: { nfc, ...options } });
  return { client, passId };
}

let client: Client;
let passId: string;
beforeEach(async () => {
  ({ client, passId } = await newMerchant());
});

async function fileOf(card: Json): Promise<Json> {
  const { body } = await app.anyone.get(card.links.apple);
  assert.deepEqual(validatePkpass(body, { root: developmentRoot, now: app.running.app.now() }), []);
  return passJsonOf(body);
}

const spki = (base64: string) =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });

const { publicKey: readersKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const readersPem = readersKey.export({ type: 'spki', format: 'pem' }).toString();

describe('PUT /workspace/wallets/nfc', () => {
  it('makes a key that pass files name, and whose private half is shown to owners', async () => {
    const card = await makeCard(client, passId);
    assert.equal((await fileOf(card)).nfc, undefined);
    const { status, body } = await client.put(readers, {});
    assert.equal(status, 200);
    assert.equal(body.apple.nfc, true);
    const { publicKey } = body.nfc;
    assert.deepEqual(body.nfc, { publicKey, keptHere: true, redemptionIssuers: [] });
    assert.deepEqual((await fileOf(card)).nfc, { message: card.barcode, encryptionPublicKey: publicKey });

    const shown = await client.post(`${readers}/key`);
    assert.equal(shown.status, 200);
    const pair = createPublicKey(createPrivateKey(shown.body.privateKey));
    assert.ok(pair.equals(spki(publicKey)));
    assert.ok(pair.equals(createPublicKey(shown.body.publicKey)));
    const audit = await client.get('/audit?limit=1');
    assert.equal(audit.body.data[0].action, 'showNfcKey');
    assert.ok(!audit.text.includes('PRIVATE'));
  });

  it('keeps its key, unless another one is asked for', async () => {
    const first = (await client.put(readers, {})).body.nfc;
    assert.deepEqual((await client.put(readers, {})).body.nfc, first);
    assert.deepEqual((await client.put(readers, issuers)).body.nfc, { ...first, ...issuers });
    const renewed = (await client.put(readers, { publicKey: null })).body.nfc;
    assert.notEqual(renewed.publicKey, first.publicKey);
    assert.deepEqual(renewed.redemptionIssuers, issuers.redemptionIssuers);
  });

  it('makes one key for a call that is repeated', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const [one, again] = [
      await client.put(readers, { publicKey: null }, { headers }),
      await client.put(readers, { publicKey: null }, { headers }),
    ];
    assert.equal(again.text, one.text);
  });

  it("takes the key of the readers' maker in any spelling, and has passes name it with a compressed point", async () => {
    const der = readersKey.export({ type: 'spki', format: 'der' }).toString('base64');
    for (const publicKey of [readersPem, der]) {
      const { body } = await client.put(readers, { publicKey });
      assert.equal(body.nfc.keptHere, false);
      assert.match(body.nfc.publicKey, /^MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgA[CD]/);
      assert.ok(spki(body.nfc.publicKey).equals(readersKey));
    }
    assertRefused(await client.post(`${readers}/key`), 'invalid_request');
  });

  it('refuses what is no public key on P-256', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const wrong = [
      'bm8ga2V5',
      'no key',
      ...[rsa, p384].map((key) => key.export({ type: 'spki', format: 'pem' }).toString()),
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ];
    for (const publicKey of wrong) {
      const refused = await client.put(readers, { publicKey });
      assertRefused(refused, 'invalid_request', /^publicKey: must be a public key on the curve P-256/);
    }
    assert.equal((await client.get('/workspace/wallets')).body.nfc, null);
  });

  it('reaches cards that phones have, and leaves those of other passes alone', async () => {
    const card = await makeCard(client, passId);
    const plain = await makeCard(client, (await makePass(client)).passId);
    const phone = await phones.add([card, plain]);
    const { publicKey } = (await client.put(readers, {})).body.nfc;
    const shown = (at: number) => phone.cards[at]?.pass as Json;
    await until('the phone can be held to readers', () => shown(0).nfc?.encryptionPublicKey === publicKey);
    assert.equal(shown(1).nfc, undefined);

    assert.equal((await client.delete(readers)).body.nfc, null);
    await until('no reader gets it', () => shown(0).nfc === undefined);
    assertRefused(await client.post(`${readers}/key`), 'invalid_request');
  });
});

describe('walletOptions.nfc', () => {
  it('is not in the files of other certificates, which phones would refuse', async () => {
    const { client: other } = await app.newWorkspace('pro', 1_000);
    const { body } = await other.put(readers, {});
    assert.equal(body.apple.nfc, false);
    const pass = await makePass(other, { walletOptions: { nfc: 'code' } });
    assert.equal((await fileOf(await makeCard(other, pass.passId))).nfc, undefined);
  });

  it('gives readers the identifier of the holder, or else the code, and nothing that would be cut', async () => {
    const merchant = await newMerchant('identifier', { unlock: true });
    await merchant.client.put(readers, {});
    const issue = (identifier: string) =>
      makeCard(merchant.client, merchant.passId, { holder: { identifier } });
    const { nfc } = await fileOf(await issue('M-1'));
    assert.deepEqual([nfc.message, nfc.requiresAuthentication], ['M-1', true]);
    assert.equal((await fileOf(await issue('é'.repeat(32)))).nfc.message, 'é'.repeat(32));
    assert.equal((await fileOf(await issue('é'.repeat(33)))).nfc, undefined);
    const unnamed = await makeCard(merchant.client, merchant.passId, { holder: { name: 'Ada' } });
    assert.equal((await fileOf(unnamed)).nfc.message, unnamed.barcode);
  });

  it('opens cards at Google to the readers of the issuers that are named', async () => {
    const shop = await GoogleShop.open(app, google, 1_000);
    const pass = await shop.pass({ walletOptions: { nfc: 'code' } });
    const card = await shop.savedCard(pass);
    await shop.synced(card);
    assert.equal(shop.class(pass).enableSmartTap, undefined);
    await shop.client.put(readers, issuers);
    await until('readers may ask for it', () => shop.object(card).smartTapRedemptionValue === card.barcode);
    const { enableSmartTap, redemptionIssuers } = shop.class(pass);
    assert.deepEqual({ enableSmartTap, redemptionIssuers }, { enableSmartTap: true, ...issuers });
    await shop.client.delete(readers);
    await until('they may not', () => shop.object(card).smartTapRedemptionValue === undefined);
    assert.equal(shop.class(pass).enableSmartTap, undefined);
  });
});
