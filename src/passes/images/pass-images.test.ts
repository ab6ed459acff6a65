import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertRefused, type Json } from '../../../test/client.ts';
import { inParallel, makeCard, makeKey, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { startInternet } from '../../../tools/fakes/internet.ts';
import { file } from '../../../tools/fakes/web-host.ts';
import { decodeId } from '../../kit/ids.ts';
import { loadSharp } from '../../kit/pictures/sharp.ts';
import { imageSlots } from '../pass-row.ts';

const internet = await startInternet();
after(() => internet.close());
const app = await startTestApp({ FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const { client } = await app.newWorkspace();
const pngs = {
  wide: await picture(1_200, 400, '#c04020'),
  other: await picture(1_200, 400, '#2040c0'),
  square: await picture(600, 600, '#20a060'),
  small: await picture(60, 60, '#000000'),
};
for (const [name, png] of Object.entries(pngs)) internet.web.on(`/${name}.png`, file(png));
internet.web.on('/wide-again.png', file(pngs.wide));

async function picture(width: number, height: number, background: string): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

const url = (name: string) => internet.url(`/${name}.png`);
const allSlots = () => ({
  iconUrl: url('square'),
  logoUrl: url('square'),
  stripUrl: url('wide'),
  thumbnailUrl: url('square'),
  backgroundUrl: url('square'),
  heroUrl: url('wide'),
  posterUrl: url('square'),
});
const minimal = { title: 'Blue Bean Club', type: 'loyalty' };
const generic = { ...minimal, type: 'generic' };
const hashOf = (image: Json) => /\/images\/([0-9a-f]{64})\.png$/.exec(image.url)?.[1] ?? '';

describe('a strip where cards draw their stamps', () => {
  const stamps = { mode: 'STAMPS', threshold: 10, reward: { title: 'Free coffee' } };
  const codes = (body: Json) => body.warnings?.map(({ code }: Json) => code);

  it('is warned of by whichever answer comes last, and the preview shows the stamps', async () => {
    const { passId } = await makePass(client);
    const made = await client.post('/loyalty/programs', { ...stamps, passId });
    assert.equal(made.status, 201, made.text);
    assert.equal(codes(made.body), undefined);
    const { programId } = made.body;

    const sent = await client.patch(`/passes/${passId}`, { stripUrl: url('wide') });
    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual(codes(sent.body), ['image_not_shown']);
    assert.match(sent.body.warnings[0].message, /in the place of stripUrl, .*"drawsStamps": false/);
    assert.equal(codes((await client.patch(`/passes/${passId}`, { title: 'Blue' })).body), undefined);

    const launched = await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    assert.deepEqual(codes(launched.body), ['image_not_shown']);
    const preview = async () => (await client.get(`/passes/${passId}/preview.svg`)).text;
    const drawn = await preview();
    assert.match(drawn, /stroke-width=".12"/);

    const changed = await client.patch(`/loyalty/programs/${programId}`, { drawsStamps: false });
    assert.equal(codes(changed.body), undefined);
    assert.doesNotMatch(await preview(), /stroke-width=".12"/);
  });

  it('is warned of by the program where the pass has it, and not by one that counts points', async () => {
    const create = async (terms: object) => {
      const { body } = await client.post('/passes', {
        ...minimal,
        stripUrl: url('wide'),
        heroUrl: url('wide'),
      });
      return (await client.post('/loyalty/programs', { ...terms, passId: body.passId })).body;
    };
    const [warning] = (await create(stamps)).warnings;
    assert.match(warning.message, /stripUrl and heroUrl, which are not shown/);
    const points = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 100 } };
    assert.equal(codes(await create(points)), undefined);
  });
});

describe('a poster', () => {
  const poster = { posterUrl: url('square') };

  it('is refused of each type but one, before it is fetched', async () => {
    const before = internet.web.requests.length;
    for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard']) {
      const reply = await client.post('/passes', { ...minimal, type, ...poster });
      assertRefused(reply, 'invalid_request', /^posterUrl: is for passes of the type "generic" alone/);
      assert.equal((await client.post('/passes', { ...minimal, type, posterUrl: null })).status, 201);
    }
    const { body } = await client.post('/passes', minimal);
    const path = `/passes/${body.passId}`;
    assertRefused(await client.patch(path, poster), 'invalid_request', /^posterUrl: .*Send null/);
    assert.equal(internet.web.requests.length, before);
    const changed = await client.patch(path, { type: 'generic', ...poster });
    assert.equal(changed.body.posterUrl, poster.posterUrl);
  });

  it('is removed before, or when, its pass gets another type', async () => {
    const { body } = await client.post('/passes', { ...generic, ...poster });
    const path = `/passes/${body.passId}`;
    assertRefused(await client.patch(path, { type: 'coupon' }), 'invalid_request', /^posterUrl: .*Send null/);
    assert.deepEqual((await client.get(path)).body.images, body.images);
    const { status, body: changed } = await client.patch(path, { type: 'coupon', posterUrl: null });
    assert.deepEqual([status, changed.type, changed.posterUrl, changed.images], [200, 'coupon', null, {}]);
  });
});

describe('a pass with images', () => {
  it('takes all seven, shows where each came from, and serves what was made of it', async () => {
    const { status, body, text } = await client.post('/passes', { ...generic, ...allSlots() });
    assert.equal(status, 201, text);
    for (const [slot, sent] of Object.entries(allSlots())) {
      assert.equal(body[slot], sent);
      const image = body.images[slot];
      assert.ok(image.url.startsWith('https://cards.example.test/images/'), image.url);
      const { bytes, headers } = await download(image);
      assert.equal(createHash('sha256').update(bytes).digest('hex'), hashOf(image));
      assert.equal(headers.get('content-type'), 'image/png');
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const sharp = await loadSharp();
      const { width, height } = await sharp(bytes).metadata();
      assert.deepEqual({ width, height }, { width: image.width, height: image.height });
    }
    assert.deepEqual((await client.get(`/passes/${body.passId}`)).body.images, body.images);
    assert.deepEqual(Object.keys(body.images), [...imageSlots]);
  });

  it('is answered 304 to a client that has the image', async () => {
    const { body } = await client.post('/passes', { ...minimal, logoUrl: url('square') });
    const path = `${app.url}/images/${hashOf(body.images.logoUrl)}.png`;
    const first = await fetch(path);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[0-9a-f]{64}"$/);
    const second = await fetch(path, { headers: { 'if-none-match': `"other", ${etag}` } });
    assert.equal(second.status, 304);
    assert.equal((await second.arrayBuffer()).byteLength, 0);
    for (const known of [`W/${etag}`, '*'])
      assert.equal((await fetch(path, { headers: { 'if-none-match': known } })).status, 304, known);
  });

  it('knows no other images', async () => {
    for (const name of ['0'.repeat(64), 'x', '..%2f..%2fetc%2fpasswd', "' or 1=1 --"]) {
      const { status, body } = await app.anyone.get(`/images/${encodeURIComponent(name)}.png`);
      assert.deepEqual([status, body.code], [404, 'image_not_found'], name);
    }
  });

  it('stores equal bytes once a workspace, however many passes show them, at once too', async () => {
    const own = await app.newWorkspace();
    const replies = await inParallel(12, () =>
      own.client.post('/passes', { ...minimal, stripUrl: url('wide'), heroUrl: url('wide') }),
    );
    assert.ok(replies.every(({ status }) => status === 201));
    assert.equal(new Set(replies.map(({ body }) => body.images.stripUrl.url)).size, 1);
    const rows = await app.sql<{ files: number; hashes: number }>(
      'select count(*)::int as files, count(distinct (workspace_id, hash))::int as hashes from image_files',
    );
    assert.equal(rows[0]?.files, rows[0]?.hashes);
  });

  it('shows a workspace what it has stored, also when another has the same', async () => {
    const [one, other] = await inParallel(2, async () => {
      const { client: own } = await app.newWorkspace();
      return (await own.post('/passes', { ...minimal, logoUrl: url('square') })).body;
    });
    assert.deepEqual(one?.images, other?.images);
    const [row] = await app.sql<{ workspaces: number }>(
      'select count(distinct workspace_id)::int as workspaces from image_files where hash = $1',
      [hashOf(one?.images.logoUrl)],
    );
    assert.ok((row?.workspaces ?? 0) >= 2);
  });
});

describe('PATCH of images', () => {
  it('leaves alone what is absent, removes by null, and fetches what is sent', async () => {
    const { body: before } = await client.post('/passes', { ...generic, ...allSlots() });
    const { body: after } = await client.patch(`/passes/${before.passId}`, {
      stripUrl: url('other'),
      heroUrl: null,
    });
    assert.equal(after.stripUrl, url('other'));
    assert.notEqual(after.images.stripUrl.url, before.images.stripUrl.url);
    assert.equal(after.heroUrl, null);
    const { stripUrl: _, heroUrl: __, ...rest } = before.images;
    const { stripUrl: ___, ...kept } = after.images;
    assert.deepEqual(kept, rest);
  });

  it('is a new revision for the cards, unless the picture is the same', async () => {
    const pass = await makePass(client, { stripUrl: url('wide') });
    await makeCard(client, pass.passId);
    const revision = async () =>
      (
        await app.sql<{ revision: number }>('select revision::int from passes where title = $1', ['Revised'])
      )[0]?.revision;
    await client.patch(`/passes/${pass.passId}`, { title: 'Revised' });
    const first = await revision();
    const second = await client.patch(`/passes/${pass.passId}`, { stripUrl: url('wide-again') });
    assert.equal(second.body.stripUrl, url('wide-again'));
    assert.equal(await revision(), first);
    await client.patch(`/passes/${pass.passId}`, { stripUrl: url('other') });
    assert.equal(await revision(), (first ?? 0) + 1);
  });

  it('is none for the cards when something else changes that they do not show', async () => {
    const { body } = await client.post('/passes', { ...generic, ...allSlots() });
    const path = `/passes/${body.passId}`;
    await client.patch(path, { metadata: { season: 'winter' } });
    await client.patch(path, { iconUrl: url('square') });
    const { body: instance } = await client.patch(path, { status: 'published' });
    assert.equal(instance.rollout, null);
    const rows = await app.sql('select from passes where pass_id = $1 and revision > 1', [
      decodeId('pass', body.passId),
    ]);
    assert.equal(rows.length, 0);
  });

  it('changes nothing when one of the images is refused', async () => {
    const { body: before } = await client.post('/passes', { ...generic, ...allSlots() });
    const refused = await client.patch(`/passes/${before.passId}`, {
      title: 'Other',
      iconUrl: null,
      logoUrl: url('other'),
      stripUrl: url('small'),
    });
    assert.equal(refused.status, 422);
    assert.equal(refused.body.code, 'asset_fetch_failed');
    assert.deepEqual([refused.body.slot, refused.body.reason], ['stripUrl', 'too_small']);
    assert.deepEqual((await client.get(`/passes/${before.passId}`)).body, before);
  });

  it('of two at once loses none', async () => {
    const { body } = await client.post('/passes', minimal);
    const path = `/passes/${body.passId}`;
    await Promise.all([
      client.patch(path, { logoUrl: url('square') }),
      client.patch(path, { stripUrl: url('wide') }),
    ]);
    const { images } = (await client.get(path)).body;
    assert.deepEqual(Object.keys(images), ['logoUrl', 'stripUrl']);
  });
});

describe('what is refused before anything is fetched', () => {
  const fetches = async (send: () => Promise<{ status: number; body: Json }>) => {
    const before = internet.web.requests.length;
    const { status, body } = await send();
    return [status, body.code, internet.web.requests.length - before];
  };

  it('a pass that does not exist, or is another account’s, or beyond the key', async () => {
    const change = { logoUrl: url('square') };
    const foreign = await makePass((await app.newWorkspace()).client);
    const own = await makePass(client);
    const restricted = await makeKey(client, { passIds: [own.passId] });
    const other = await makePass(client);
    assert.deepEqual(await fetches(() => client.patch('/passes/pass_none', change)), [
      404,
      'pass_not_found',
      0,
    ]);
    assert.deepEqual(await fetches(() => client.patch(`/passes/${foreign.passId}`, change)), [
      403,
      'forbidden',
      0,
    ]);
    assert.deepEqual(await fetches(() => restricted.client.patch(`/passes/${other.passId}`, change)), [
      403,
      'insufficient_scope',
      0,
    ]);
  });

  it('what the body alone shows to be wrong', async () => {
    const wrong = { ...minimal, logoUrl: url('square'), barcode: { mode: 'simple' } };
    assert.deepEqual(await fetches(() => client.post('/passes', wrong)), [400, 'invalid_request', 0]);
    const pass = await makePass(client);
    assert.deepEqual(await fetches(() => client.patch(`/passes/${pass.passId}`, { ...wrong, title: 'x' })), [
      400,
      'invalid_request',
      0,
    ]);
  });

  it('a draft beyond the limit, new or returned', async () => {
    const { client: entry } = await app.newWorkspace('entry');
    const published = await makePass(entry);
    for (let count = 0; count < 10; count++) await entry.post('/passes', minimal);
    const create = () => entry.post('/passes', { ...minimal, logoUrl: url('square') });
    assert.deepEqual(await fetches(create), [409, 'draft_limit_reached', 0]);
    const change = { status: 'draft', logoUrl: url('square') };
    const send = () => entry.patch(`/passes/${published.passId}`, change);
    assert.deepEqual(await fetches(send), [409, 'draft_limit_reached', 0]);
  });

  it('what cards that exist do not allow, and a status that cannot come next', async () => {
    const pass = await makePass(client);
    await makeCard(client, pass.passId);
    const path = `/passes/${pass.passId}`;
    const logoUrl = url('square');
    assert.deepEqual(await fetches(() => client.patch(path, { type: 'coupon', logoUrl })), [
      400,
      'invalid_request',
      0,
    ]);
    const draft = await makePass(client, {}, 'draft');
    const send = () => client.patch(`/passes/${draft.passId}`, { status: 'archived', logoUrl });
    assert.deepEqual(await fetches(send), [400, 'invalid_request', 0]);
  });

  it('a repetition: it is answered as before', async () => {
    const send = () =>
      client.post(
        '/passes',
        { ...minimal, logoUrl: url('square') },
        { headers: { 'idempotency-key': 'logo' } },
      );
    const first = await send();
    assert.deepEqual(await fetches(send), [201, undefined, 0]);
    assert.equal((await send()).text, first.text);
  });
});

it('a repetition is answered as before when the host has gone since', async () => {
  internet.web.on('/gone.png', file(pngs.square));
  const send = () =>
    client.post('/passes', { ...minimal, logoUrl: url('gone') }, { headers: { 'idempotency-key': 'gone' } });
  const replies = await inParallel(5, send);
  internet.web.on('/gone.png', (_request, response) => response.writeHead(410).end());
  replies.push(await send());
  assert.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1);
  assert.equal(replies[0]?.status, 201);
});

it('a clone has all images, and nothing is fetched', async () => {
  const { body: original } = await client.post('/passes', { ...generic, ...allSlots() });
  const before = internet.web.requests.length;
  const { status, body } = await client.post(`/passes/${original.passId}/clone`);
  assert.equal(status, 201);
  assert.equal(internet.web.requests.length, before);
  assert.deepEqual(body.images, original.images);
  for (const slot of imageSlots) assert.equal(body[slot], original[slot]);
});

async function download(image: Json) {
  const response = await fetch(`${app.url}/images/${hashOf(image)}.png`);
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}
