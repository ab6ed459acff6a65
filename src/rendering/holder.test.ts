import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../tools/validator/zip-reader.ts';

const app = await startTestApp();
const rootFile = join(app.config.dataDir, 'apple-development', 'root.pem');
const root = new X509Certificate(readFileSync(rootFile));
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
let client: Client;
let pass: Json;
before(async () => {
  ({ client } = await app.newWorkspace());
  pass = await makePass(client, { details: 'Ten stamps', colors: { background: '#10324a' } });
});

describe('GET /p/{token}', () => {
  it('shows the card, and the right button first', async () => {
    const card = await makeCard(client, pass.passId, { holder: { identifier: 'p1', name: 'Zoë <b>' } });
    const page = await app.anyone.get(card.links.add, {
      headers: { 'user-agent': iphone, accept: 'text/html' },
    });
    assert.equal(page.status, 200);
    assert.match(page.text, /Apple[\s\u00a0]Wallet/);
    assert.match(page.text, /Zoë &lt;b&gt;/);
    assert.doesNotMatch(page.text, /<script/);
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-/,
    );
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('vary'), 'user-agent, accept-language');
  });

  it('is noted on the timeline once an hour', async () => {
    const card = await makeCard(client, pass.passId);
    for (let visit = 0; visit < 3; visit++) await app.anyone.get(card.links.add);
    const kinds = async () =>
      (await client.get(`/instances/${card.instanceId}/timeline`)).body.data.map((event: Json) => event.kind);
    assert.deepEqual(await kinds(), ['instance.link_opened', 'instance.issued']);
  });

  it('answers a wrong, foreign or tampered link with a page, or the error body', async () => {
    const card = await makeCard(client, pass.passId);
    const token = card.links.add.split('/p/')[1];
    const other = (await makeCard(client, pass.passId)).links.add.split('/p/')[1];
    const wrong = [
      'x',
      'A'.repeat(64),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.slice(0, 43) + other.slice(43),
      `${token}A`,
    ];
    for (const text of wrong) {
      assertRefused(await app.anyone.get(`/p/${text}`), 'instance_not_found');
      const page = await app.anyone.get(`/p/${text}`, { headers: { accept: 'text/html' } });
      assert.equal(page.status, 404);
      assert.match(page.text, /^<!doctype html>/);
      assertRefused(await app.anyone.get(`/p/${text}/apple.pkpass`), 'instance_not_found');
      assertRefused(await app.anyone.get(`/p/${text}/qr.svg`), 'instance_not_found');
    }
  });

  it('informs a holder of a voided card, and knows an erased one no longer', async () => {
    const card = await makeCard(client, pass.passId);
    await client.post(`/instances/${card.instanceId}/void`);
    const page = await app.anyone.get(card.links.add, { headers: { accept: 'text/html' } });
    assert.doesNotMatch(page.text, /apple\.pkpass/);
    await client.delete(`/instances/${card.instanceId}`);
    assertRefused(await app.anyone.get(card.links.add), 'instance_not_found');
  });
});

describe('GET /p/{token}/apple.pkpass', () => {
  it('is a signed pass that the strict validator and OpenSSL accept, for every type and barcode', async () => {
    const types = ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic'];
    const formats = ['qr', 'pdf417', 'aztec', 'code128', 'ean13', 'code39', 'codabar', 'itf'];
    for (const [at, format] of formats.entries()) {
      const type = types[at % types.length];
      const made = await makePass(client, { type, barcode: { mode: 'unique', format } });
      const card = await makeCard(client, made.passId, { fields: { tier: 'שלום 日本 🎟' } });
      const reply = await app.anyone.get(card.links.apple);
      assert.equal(reply.headers.get('content-type'), 'application/vnd.apple.pkpass');
      const findings = validatePkpass(reply.body, { root, now: new Date() });
      assert.deepEqual(findings, [], format);
      opensslAccepts(reply.body);
    }
  });

  it('shows what the API says of the card', async () => {
    const made = await makePass(client, {
      terms: 'One each',
      expiry: { kind: 'afterIssue', days: 30 },
      locations: [{ latitude: 52.5, longitude: 13.4, relevantText: 'Nearby' }],
    });
    const card = await makeCard(client, made.passId, { fields: { tier: 'Gold' } });
    const json = passJsonOf((await app.anyone.get(card.links.apple)).body);
    assert.equal(json.formatVersion, 1);
    assert.equal(json.organizationName, 'Blue Bean');
    assert.equal(json.description, 'Blue Bean Club');
    assert.equal(json.barcodes[0].message, card.barcode);
    assert.equal(new Date(json.expirationDate).toISOString().slice(0, 19), card.expiresAt.slice(0, 19));
    assert.equal(json.storeCard.secondaryFields[0].value, 'Gold');
    assert.deepEqual(json.locations, [{ latitude: 52.5, longitude: 13.4, relevantText: 'Nearby' }]);
    assert.equal(json.webServiceURL, 'https://cards.example.test/apple');
    assert.ok(json.authenticationToken.length >= 16);
    assert.equal(json.voided, undefined);
    await client.post(`/instances/${card.instanceId}/void`);
    const voided = passJsonOf((await app.anyone.get(card.links.apple)).body);
    assert.equal(voided.voided, true);
    assert.equal(voided.serialNumber, json.serialNumber, 'a device would lose the card');
    assert.equal(voided.authenticationToken, json.authenticationToken, 'a device would be locked out');
  });

  it('has the same bytes until the card changes', async () => {
    const card = await makeCard(client, pass.passId);
    const first = await app.anyone.get(card.links.apple);
    const twin = await app.twin();
    assert.deepEqual(
      (await twin.as(null).get(card.links.apple)).body,
      first.body,
      'another process signs otherwise',
    );
    await client.patch(`/instances/${card.instanceId}`, { metadata: { note: 'not shown' } });
    assert.deepEqual((await app.anyone.get(card.links.apple)).body, first.body);
  });

  it('answers 304 to a client that has it, and 200 after every change', async () => {
    const card = await makeCard(client, pass.passId);
    let last = (await app.anyone.get(card.links.apple)).headers.get('last-modified') ?? '';
    const conditional = (since: string) =>
      app.anyone.get(card.links.apple, { headers: { 'if-modified-since': since } });
    assert.equal((await conditional(last)).status, 304);
    const changes = [
      () => client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Silver' } }),
      () => client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Gold' } }),
      () => client.patch(`/passes/${pass.passId}`, { details: 'Eleven stamps' }),
      () => client.patch(`/passes/${pass.passId}`, { title: 'Blue Bean Circle' }),
      () => client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: null } }),
      () => client.post(`/instances/${card.instanceId}/void`),
      () => client.post(`/instances/${card.instanceId}/reactivate`),
      () => client.patch('/workspace', { name: 'Bluer Bean' }),
      () => client.patch(`/passes/${pass.passId}`, { details: 'Twelve stamps' }),
      () => client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Iron' } }),
    ];
    for (const [at, change] of changes.entries()) {
      app.advance(1_000);
      assert.equal((await change()).status, 200);
      const fresh = await conditional(last);
      assert.equal(fresh.status, 200, `change ${at} was missed`);
      const modified = fresh.headers.get('last-modified') ?? '';
      assert.ok(
        Date.parse(modified) > Date.parse(last),
        `change ${at}: ${modified} is not later than ${last}`,
      );
      last = modified;
      assert.equal((await conditional(last)).status, 304);
    }
    assert.equal((await conditional('yesterday')).status, 200, 'an unreadable date gets the file');
  });
});

describe('GET /p/{token}/qr.svg and /google', () => {
  it('is the link as a picture; Google says that it is not set up', async () => {
    const card = await makeCard(client, pass.passId);
    const qr = await app.anyone.get(card.links.qr);
    assert.equal(qr.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assertRefused(await app.anyone.get(card.links.google), 'wallet_not_configured');
    const page = await app.anyone.get(card.links.google, { headers: { accept: 'text/html' } });
    assert.match(page.text, /not available here/);
  });
});

function passJsonOf(file: Buffer): Json {
  return JSON.parse(filesOf(file).get('pass.json')?.toString('utf8') ?? '');
}

function filesOf(file: Buffer): Map<string, Buffer> {
  const report = (_rule: string, message: string) => assert.fail(message);
  const files = extractZip(file, listZip(file, report) ?? [], { entries: 100, bytes: 10_000_000 }, report);
  assert.ok(files !== null);
  return files;
}

function opensslAccepts(file: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'punchcard-openssl-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, bytes] of filesOf(file)) writeFileSync(join(folder, name), bytes);
  const verify = `cms -verify -binary -inform DER -in signature -content manifest.json -CAfile ${rootFile} -purpose any -out /dev/null`;
  execFileSync('openssl', verify.split(' '), { cwd: folder, stdio: 'pipe' });
  const manifest = readFileSync(join(folder, 'manifest.json'));
  manifest[20] = (manifest[20] ?? 0) ^ 1;
  writeFileSync(join(folder, 'manifest.json'), manifest);
  assert.throws(() => execFileSync('openssl', verify.split(' '), { cwd: folder, stdio: 'pipe' }));
}
