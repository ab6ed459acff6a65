import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { assertRefused, type Json } from '../../test/client.ts';
import { inParallel, makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';
import { extractZip, listZip } from '../../tools/validator/zip-reader.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { allSlots, imageSettings, startImageHost } from '../passes/images/images.fixture.ts';
import { openCard } from './open-card.ts';
import { createPassFiles } from './pass-file.ts';

const lines: string[] = [];
const log = pino(
  { level: 'error' },
  new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }),
);
const host = await startImageHost();
const apns = await startDevelopmentApns();
const app = await startTestApp({ ...imageSettings, APNS_URL: apns.url }, log);
const phones = new Phones(app, apns);
const { client } = await app.newWorkspace('pro', 1_000);
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));

const atAllScales = (...names: string[]) =>
  names.flatMap((name) => [`${name}.png`, `${name}@2x.png`, `${name}@3x.png`]).toSorted();
const tenStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

/** The pass file of a card, which the validator has nothing against, and its images by their names. */
async function download(card: Json): Promise<{ bytes: Buffer; json: Json; images: Map<string, Buffer> }> {
  const { status, headers, body } = await app.anyone.get(card.links.apple);
  assert.equal(status, 200);
  assert.equal(headers.get('content-length'), String(body.length));
  const findings = validatePkpass(body, { root, now: new Date() });
  // One strip does for all types: Wallet shows the middle of it on a ticket.
  const serious = findings.filter(({ rule }) => !(card.type === 'eventTicket' && rule === 'image-size'));
  assert.deepEqual(serious, []);
  return { bytes: body, ...unpack(body) };
}

function unpack(file: Buffer): { json: Json; images: Map<string, Buffer> } {
  const silent = () => undefined;
  const limits = { entries: 100, bytes: 64 * 1024 * 1024 };
  const files = extractZip(file, listZip(file, silent) ?? [], limits, silent) ?? new Map<string, Buffer>();
  const images = [...files].filter(([name]) => name.endsWith('.png'));
  return { json: JSON.parse(String(files.get('pass.json'))), images: new Map(images) };
}

async function namesIn(card: Json): Promise<string[]> {
  return [...(await download(card)).images.keys()].toSorted();
}

/** Every file of an image slot as the store has it. */
async function storedFiles({ passId }: Json): Promise<Map<string, Buffer>> {
  const rows = await app.sql<{ name: string; bytes: Buffer }>(
    `select f.key as name, i.bytes
     from passes p, jsonb_each(p.images) s, jsonb_each(s.value->'files') f, image_files i
     where p.title = $1 and i.workspace_id = p.workspace_id and i.hash = f.value->>'hash'`,
    [passId],
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

describe('the images of a pass file', () => {
  const shown: Record<string, string[]> = {
    loyalty: ['icon', 'logo', 'strip'],
    giftCard: ['icon', 'logo', 'strip'],
    coupon: ['icon', 'logo', 'strip'],
    eventTicket: ['icon', 'logo', 'strip'],
    generic: ['icon', 'logo', 'thumbnail'],
  };
  for (const [type, names] of Object.entries(shown)) {
    it(`are those that Wallet shows of a ${type}, byte for byte as they are stored`, async () => {
      const title = `All images of a ${type}`;
      const pass = await makePass(client, { title, type, ...(await host.urls()) });
      const { images } = await download({ ...(await makeCard(client, pass.passId)), type });
      assert.deepEqual([...images.keys()].toSorted(), atAllScales(...names));
      const stored = await storedFiles({ passId: title });
      for (const [name, bytes] of images) assert.deepEqual(bytes, stored.get(name), name);
      const heights = ['icon', 'logo'].map((name) => images.get(`${name}@3x.png`)?.readUInt32BE(20));
      assert.deepEqual(heights, [87, 150]);
    });
  }

  it('of a ticket without a strip are its background and its thumbnail', async () => {
    const urls = await host.urls(['thumbnailUrl', 'backgroundUrl', 'heroUrl']);
    const pass = await makePass(client, { type: 'eventTicket', ...urls });
    const names = await namesIn(await makeCard(client, pass.passId));
    assert.deepEqual(names, atAllScales('background', 'icon', 'thumbnail'));
  });

  it('of a poster are its artwork and its logo, next to those of the card that older phones show', async () => {
    const title = 'A membership with a poster';
    const urls = await host.urls([...allSlots, 'posterUrl']);
    const fields = ['header', 'primary', 'secondary', 'auxiliary', 'back'].map((section) => ({
      ...{ key: section, label: section, value: section, section },
    }));
    const pass = await makePass(client, { title, type: 'generic', fields, ...urls });
    const plain = await makePass(client, { title, type: 'generic', fields, ...urls, posterUrl: null });
    const card = await makeCard(client, pass.passId);
    const { images, json } = await download(card);
    const names = atAllScales('artwork', 'icon', 'logo', 'primaryLogo', 'thumbnail');
    assert.deepEqual([...images.keys()].toSorted(), names);
    const stored = await storedFiles({ passId: title });
    for (const [name, bytes] of images) assert.deepEqual(bytes, stored.get(name), name);
    const keys = Object.entries<Json[]>(json.posterGeneric).map(([group, all]) => [
      group,
      all.map(({ key }) => key),
    ]);
    assert.deepEqual(Object.fromEntries(keys), {
      ...{ headerFields: ['header'], primaryFields: ['primary'], footerFields: ['secondary'] },
      ...{ backFields: ['back', 'latest-news'], additionalInfoFields: ['auxiliary'] },
    });
    const { posterGeneric: _, ...classic } = json;
    const other = await download(await makeCard(client, plain.passId));
    assert.deepEqual(Object.keys(other.json), Object.keys(classic));
    assert.deepEqual(other.json.generic, classic.generic);
    assert.deepEqual([...other.images.keys()].toSorted(), atAllScales('icon', 'logo', 'thumbnail'));

    const removed = await client.patch(`/passes/${pass.passId}`, { posterUrl: null });
    assert.equal(removed.status, 200, removed.text);
    assert.deepEqual(Object.keys((await download(card)).json), Object.keys(classic));
  });

  it('of a pass without any are an icon of ours', async () => {
    const pass = await makePass(client, { type: 'generic', ...(await host.urls(['stripUrl', 'heroUrl'])) });
    const bare = await makePass(client, { type: 'generic' });
    const cards = [await makeCard(client, pass.passId), await makeCard(client, bare.passId)];
    const [dressed, plain] = [await download(cards[0]), await download(cards[1])];
    assert.deepEqual([...dressed.images.keys()].toSorted(), atAllScales('icon'));
    assert.deepEqual(dressed.images, plain.images);
  });

  it('have the stamps in the place of the strip, and of what a strip hides', async () => {
    for (const type of ['loyalty', 'eventTicket']) {
      const design = { type, ...(await host.urls()) };
      const { pass } = await makeProgram(client, tenStamps, { design });
      const { images } = await download(await makeCard(client, pass.passId));
      assert.deepEqual([...images.keys()].toSorted(), atAllScales('icon', 'logo', 'strip'));
      assert.equal(images.get('strip@3x.png')?.readUInt32BE(20), type === 'loyalty' ? 369 : 294);
    }
  });

  it('are shared by all cards, which differ in all else', async () => {
    const pass = await makePass(client, await host.urls());
    const cards = await inParallel(8, () => makeCard(client, pass.passId));
    const files = await Promise.all(cards.map((card) => download(card)));
    assert.equal(new Set(files.map(({ json }) => json.serialNumber)).size, 8);
    for (const { images } of files) assert.deepEqual(images, files[0]?.images);
    const refetch = await Promise.all(cards.map((card) => download(card)));
    assert.deepEqual(refetch, files);
  });

  it('are not kept with the files that show them, so that these take little memory', async () => {
    const pass = await makePass(client, await host.urls(['logoUrl', 'stripUrl']));
    const card = await makeCard(client, pass.passId);
    const { appleIssuers, images, config, nearestPlaces } = app.running.app;
    const read: Buffer[] = [];
    const store = {
      async read(hash: string) {
        const bytes = Buffer.from((await images.read(hash)) ?? assert.fail(hash));
        read.push(bytes);
        return bytes;
      },
    };
    const files = createPassFiles({
      publicUrl: config.publicUrl,
      images: store,
      nearestPlaces,
    });
    const ctx = { app: app.running.app, requestId: 'req_test' };
    const row = await openCard(ctx, card.links.add.split('/').at(-1));
    const first = await files.build(row, appleIssuers.installation);
    read.length = 0;
    const second = await files.build(row, appleIssuers.installation);
    assert.deepEqual(Buffer.concat(second), Buffer.concat(first));
    assert.ok(read.length > 0, 'the images were kept');
    assert.ok(read.every((bytes) => second.includes(bytes)));
  });

  it('stay on a voided card, and leave the one that was erased for its devices', async () => {
    const pass = await makePass(client, await host.urls());
    const card = await makeCard(client, pass.passId);
    const { json } = await download(card);
    await client.post(`/instances/${card.instanceId}/void`);
    const voided = await download(card);
    assert.equal(voided.json.voided, true);
    assert.deepEqual([...voided.images.keys()].toSorted(), atAllScales('icon', 'logo', 'strip'));
    await client.delete(`/instances/${card.instanceId}`);
    assertRefused(await app.anyone.get(card.links.apple), 'instance_not_found');
    const path = `/apple/v1/passes/${json.passTypeIdentifier}/${json.serialNumber}`;
    const headers = { authorization: `ApplePass ${json.authenticationToken}` };
    const erased = await app.anyone.get(path, { headers });
    assert.equal(erased.status, 200);
    assert.deepEqual([...unpack(erased.body).images.keys()].toSorted(), atAllScales('icon', 'logo', 'strip'));
  });
});

describe('a change of an image', () => {
  it('makes another file, and the phones that have the card come for it', async () => {
    const slots = ['iconUrl', 'logoUrl', 'stripUrl'] as const;
    const pass = await makePass(client, await host.urls(slots));
    const card = await makeCard(client, pass.passId);
    const phone = await phones.add([card]);
    const before = await download(card);
    const since = (await app.anyone.get(card.links.apple)).headers.get('last-modified') ?? '';
    const refetch = () => app.anyone.get(card.links.apple, { headers: { 'if-modified-since': since } });
    const path = `/passes/${pass.passId}`;
    assert.equal((await refetch()).status, 304);

    const pushed = apns.pushes;
    const other = await client.patch(path, await host.urls(slots));
    assert.equal(other.status, 200);
    assert.notEqual(other.body.stripUrl, pass.stripUrl);
    assert.deepEqual(other.body.images, pass.images);
    assert.equal(other.body.rollout, null, 'the same pictures from elsewhere');
    assert.equal((await refetch()).status, 304, 'the same pictures from elsewhere');
    assert.deepEqual((await download(card)).bytes, before.bytes);

    const changed = await client.patch(path, { stripUrl: await host.url('stripUrl', 20) });
    assert.notDeepEqual(changed.body.images.stripUrl, pass.images.stripUrl);
    assert.equal((await refetch()).status, 200);
    const after = await download(card);
    for (const [name, bytes] of after.images)
      assert.equal(bytes.equals(before.images.get(name) ?? Buffer.alloc(0)), !name.startsWith('strip'), name);
    await until('the phone has it', () => phone.card().lastModified !== since);
    assert.equal(apns.pushes, pushed + 1);
    assert.deepEqual(phone.complaints, []);
  });

  it('is none when all are fetched again from elsewhere', async () => {
    const pass = await makePass(client, await host.urls());
    const card = await makeCard(client, pass.passId);
    const before = await download(card);
    const { body } = await client.patch(`/passes/${pass.passId}`, await host.urls());
    assert.deepEqual(body.images, pass.images);
    assert.deepEqual((await download(card)).bytes, before.bytes);
  });

  it('to none leaves what there is without it', async () => {
    const pass = await makePass(client, { type: 'eventTicket', ...(await host.urls()) });
    const card = { ...(await makeCard(client, pass.passId)), type: 'eventTicket' };
    const own = await download(card);
    await client.patch(`/passes/${pass.passId}`, { iconUrl: null, stripUrl: null });
    const without = await download(card);
    const names = [...without.images.keys()].toSorted();
    assert.deepEqual(names, atAllScales('background', 'icon', 'logo', 'thumbnail'));
    assert.notDeepEqual(without.images.get('icon@2x.png'), own.images.get('icon@2x.png'));
  });

  it('goes along when the pass is cloned', async () => {
    const pass = await makePass(client, await host.urls());
    const { body: clone } = await client.post(`/passes/${pass.passId}/clone`, {});
    await client.patch(`/passes/${clone.passId}`, { status: 'published' });
    const files = [await makeCard(client, pass.passId), await makeCard(client, clone.passId)].map(download);
    const [one, other] = await Promise.all(files);
    assert.deepEqual(other?.images, one?.images);
    assert.equal(one?.images.size, 9);
  });
});

describe('an image that the store has lost', () => {
  it('fails loudly: no pass is made without it', async () => {
    const pass = await makePass(client, await host.urls(['iconUrl', 'logoUrl'], 310));
    const card = await makeCard(client, pass.passId);
    const { images } = await download(card);
    const icon = images.get('icon@2x.png') ?? assert.fail('no icon');
    const hash = createHash('sha256').update(icon).digest('hex');
    await app.sql('delete from image_files where hash = $1', [hash]);
    // A process that has it in memory goes on.
    assert.deepEqual((await download(card)).images, images);
    const twin = (await app.twin()).as(null);
    const before = lines.length;
    const reply = await twin.get(card.links.apple);
    assert.equal(reply.status, 500);
    assertRefused(reply, 'internal_error');
    assert.match(lines.slice(before).join(''), new RegExp(`${hash} .* is not in the store`));
  });
});
