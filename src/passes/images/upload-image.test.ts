import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertRefused, type Client, type Reply } from '../../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { startInternet } from '../../../tools/fakes/internet.ts';
import { file } from '../../../tools/fakes/web-host.ts';
import { RawClient } from '../../kit/http/server/raw-client.fixture.ts';
import { decodeId } from '../../kit/ids.ts';
import { animatedPng, photo, plain, png } from './pictures.fixture.ts';
import { trimImages } from './trim-images.job.ts';

const internet = await startInternet();
after(() => internet.close());
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const { client } = await app.newWorkspace();
const day = 24 * 3_600_000;
const mebibyte = 1_048_576;
const minimal = { title: 'Blue Bean Club', type: 'loyalty' };

const wide = await photo(1_200, 400).jpeg().toBuffer();
const square = await plain(600, 600, '#20a060').png().toBuffer();
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** As its bytes. */
function upload(bytes: Buffer, by: Client = client, headers: Record<string, string> = {}): Promise<Reply> {
  return by.post('/images', bytes, { headers: { 'content-type': 'image/png', ...headers } });
}

/** As a browser sends a form. */
function uploadForm(bytes: Buffer, by: Client = client): Promise<Reply> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'picture.png');
  return by.post('/images', form);
}

async function uploaded(bytes: Buffer, by?: Client): Promise<string> {
  const { status, body, text } = await upload(bytes, by);
  assert.equal(status, 201, text);
  return body.url;
}

const create = (images: object, by: Client = client) => by.post('/passes', { ...minimal, ...images });

const assertGone = (reply: Reply, slot: string) =>
  assertRefused(
    reply,
    'asset_fetch_failed',
    new RegExp(`^${slot}: The workspace has no such upload; .*3 days`),
    {
      slot,
      reason: 'invalid_url',
    },
  );

/** Uploads that are kept. */
async function kept(...hashes: string[]): Promise<string[]> {
  const rows = await app.sql<{ hash: string }>('select hash from image_uploads');
  return hashes.filter((hash) => rows.some((row) => row.hash === hash));
}

/** An image of some bytes that differs from all others. */
let count = 0;
const another = (padding = 0) =>
  Buffer.concat([png({ width: 100, height: 100 }), Buffer.alloc(padding), Buffer.from(`${count++}`)]);

describe('an uploaded image', () => {
  it('is taken as bytes of any of the types, and as a form, and is the same image then', async () => {
    const before = Date.now();
    const { status, body } = await upload(wide);
    assert.equal(status, 201);
    const { expiresAt, ...rest } = body;
    assert.deepEqual(rest, { url: `upload:${hashOf(wide)}`, width: 1_200, height: 400 });
    assert.ok(Date.parse(expiresAt) >= before + 3 * day);
    for (const type of ['image/jpeg', 'image/webp', 'Image/PNG'])
      assert.equal((await upload(wide, client, { 'content-type': type })).body.url, body.url, type);
    assert.equal((await uploadForm(wide)).body.url, body.url);
    const webp = await photo(300, 200).webp().toBuffer();
    assert.equal((await uploadForm(webp)).body.width, 300);
    const turned = await photo(300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    assert.deepEqual([(await upload(turned)).body.width], [200], 'as it is to be shown');
  });

  it('becomes what an image at a URL becomes, in each slot, without being fetched', async () => {
    internet.web.on('/wide.jpg', file(wide));
    internet.web.on('/square.png', file(square));
    const [wideUrl, squareUrl] = [await uploaded(wide), await uploaded(square)];
    const slots = (a: string, b: string) => ({
      iconUrl: b,
      logoUrl: b,
      stripUrl: a,
      thumbnailUrl: b,
      backgroundUrl: b,
      heroUrl: a,
    });
    const fetched = await create(slots(internet.url('/wide.jpg'), internet.url('/square.png')));
    const requests = internet.web.requests.length;
    const made = await create(slots(wideUrl, squareUrl));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.images, fetched.body.images);
    assert.equal(internet.web.requests.length, requests);
    for (const [slot, url] of Object.entries(slots(wideUrl, squareUrl))) assert.equal(made.body[slot], url);
  });

  it('changes a pass, its previews and its clones', async () => {
    const pass = await makePass(client);
    const preview = async (id: string) => (await client.get(`/passes/${id}/preview.svg`)).text;
    const before = await preview(pass.passId);
    const changed = await client.patch(`/passes/${pass.passId}`, { stripUrl: await uploaded(wide) });
    assert.equal(changed.status, 200, changed.text);
    const after = await preview(pass.passId);
    assert.notEqual(after, before);
    assert.equal((await client.get(`/passes/${pass.passId}/preview.png`)).status, 200);
    const { body: clone } = await client.post(`/passes/${pass.passId}/clone`);
    assert.deepEqual(clone.images, changed.body.images);
    assert.equal(await preview(clone.passId), after);
  });

  it('has no address that a browser could open', async () => {
    const bytes = another();
    const url = await uploaded(bytes);
    for (const by of [client, app.anyone])
      assertRefused(await by.get(`/images/${hashOf(bytes)}.png`), 'image_not_found');
    assertRefused(await client.get('/images'), 'method_not_allowed');
    assertRefused(await client.post('/webhooks', { url, types: ['*'] }), 'invalid_request');
  });

  it('is taken by another process of the service', async () => {
    const twin = (await app.twin()).as(client.secret);
    const url = await uploaded(another());
    assert.equal((await create({ logoUrl: url }, twin)).status, 201);
  });

  it('leaves a line in the audit log', async () => {
    const bytes = another();
    const url = await uploaded(bytes);
    const [line] = await app.sql<{ action: string; target: string; detail: unknown }>(
      'select action, target, detail from audit_log where target = $1',
      [url],
    );
    assert.deepEqual(line, {
      action: 'uploadImage',
      target: url,
      detail: { bytes: bytes.length, width: 100, height: 100 },
    });
  });
});

describe('what is refused', () => {
  it('is no image that a slot would take, and nothing of it is kept', async () => {
    const jpeg = await photo(300, 200).jpeg().toBuffer();
    const cases: [Buffer, RegExp][] = [
      [Buffer.from('<html>'), /not an image.*Send a PNG/],
      [Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00'), /is GIF/],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'), /SVG|not an image/],
      [png({ width: 49, height: 500 }), /49×500.*50×50/],
      [jpeg.subarray(0, jpeg.length >> 1), /broken or cut off/],
      [png({ width: 16_000, height: 16_000, depth: 1, colour: 0 }), /megapixels/],
      [png({ width: 5_000, height: 5_000, depth: 16, colour: 6 }, [], Buffer.alloc(10)), /200 MB/],
      [png({ width: 300, height: 300 }, [], Buffer.alloc(10)), /broken or cut off/],
      [Buffer.concat([Buffer.from('%PDF-1.7\n'), square]), /not an image|PDF/],
    ];
    for (const [bytes, message] of cases) {
      for (const send of [upload, uploadForm]) assertRefused(await send(bytes), 'invalid_request', message);
      assert.deepEqual(await kept(hashOf(bytes)), []);
    }
    assertRefused(await uploadForm(Buffer.alloc(0)), 'invalid_request', /It is empty/);
    assertRefused(await upload(Buffer.alloc(0)), 'invalid_request', /no body/);
  });

  it('is only the picture: other content of a polyglot is ignored', async () => {
    const script = '<script>alert(1)</script>PK\x03\x04';
    const bytes = Buffer.concat([animatedPng(120, 120), Buffer.from(script)]);
    const { body } = await create({ logoUrl: await uploaded(bytes) });
    const rows = await app.sql<{ bytes: Buffer }>('select bytes from image_files where hash = $1', [
      /([0-9a-f]{64})\.png$/.exec(body.images.logoUrl.url)?.[1],
    ]);
    assert.equal(rows[0]?.bytes.includes('alert'), false);
  });

  it('is a body of another kind, or with an encoding', async () => {
    for (const type of ['application/json', 'image/gif', 'image/svg+xml', 'multipart/mixed; boundary=x', ''])
      assertRefused(await upload(square, client, { 'content-type': type }), 'unsupported_media_type');
    assertRefused(await upload(square, client, { 'content-encoding': 'gzip' }), 'unsupported_media_type');
    const form = (body: string) =>
      client.post('/images', body, { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
    assertRefused(await form('--x--\r\n'), 'invalid_request', /holds no file/);
    const spaced = Buffer.concat([
      Buffer.from('--=_Part (1)\r\nContent-Disposition: form-data; name="a"\r\n\r\n'),
      square,
      Buffer.from('\r\n--=_Part (1)--'),
    ]);
    const quoted = { 'content-type': 'multipart/form-data; boundary="=_Part (1)"' };
    assert.equal((await upload(spaced, client, quoted)).status, 201);
    assertRefused(await form('--y\r\n\r\n\r\n--y--'), 'invalid_request', /cut off/);
    const two = new FormData();
    for (const name of ['one', 'other']) two.append(name, new Blob([square]), name);
    assertRefused(await client.post('/images', two), 'invalid_request', /several parts/);
  });

  it('is an image of more than 20 MB, to the byte, whatever its length was said to be', async () => {
    const largest = Buffer.concat([square, Buffer.alloc(20 * mebibyte - square.length)]);
    const larger = Buffer.concat([largest, Buffer.from('x')]);
    assert.equal((await uploadForm(largest)).status, 201);
    const tooLarge = /larger than 20 MB/;
    for (const send of [upload, uploadForm]) assertRefused(await send(larger), 'payload_too_large', tooLarge);
    const far = Buffer.alloc(22 * mebibyte);
    assertRefused(await upload(far), 'payload_too_large', tooLarge);
    const chunked = await fetch(`${app.url}/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.secret}`, 'content-type': 'image/png' },
      body: new Blob([far]).stream(),
      duplex: 'half',
    } as RequestInit);
    assert.equal(chunked.status, 413);
  });

  it('is what a key may not do', async () => {
    const pass = await makePass(client);
    for (const settings of [{ access: 'read' }, { passIds: [pass.passId] }]) {
      const { client: other } = await makeKey(client, settings);
      assertRefused(await upload(square, other), 'insufficient_scope');
    }
    assertRefused(await upload(square, app.anyone), 'missing_authorization');
  });
});

describe('an upload that is not there', () => {
  it('is refused by its slot, and nothing is written', async () => {
    const url = await uploaded(another());
    const own = await uploaded(another());
    const { client: other } = await app.newWorkspace();
    assertGone(await create({ stripUrl: url }, other), 'stripUrl');
    for (const wrong of [
      'upload:',
      'upload:x',
      `UPLOAD:${'0'.repeat(64)}`,
      `${own}\n`,
      `upload://${own.slice(7)}`,
    ])
      assertGone(await create({ iconUrl: own, logoUrl: wrong }), 'logoUrl');
    const pass = await makePass(client);
    assertGone(
      await client.patch(`/passes/${pass.passId}`, { title: 'Other', heroUrl: 'upload:x' }),
      'heroUrl',
    );
    assert.equal((await client.get(`/passes/${pass.passId}`)).body.title, pass.title);
    const { client: restricted } = await makeKey(client, { passIds: [pass.passId] });
    const used = await restricted.patch(`/passes/${pass.passId}`, { logoUrl: own });
    assert.equal(used.status, 200, used.text);
  });

  it('is too small for the slot: that is said of the slot', async () => {
    const url = await uploaded(png({ width: 60, height: 60 }));
    const reply = await create({ logoUrl: url, iconUrl: url });
    assertRefused(reply, 'asset_fetch_failed', /60×60/, { slot: 'iconUrl', reason: 'too_small' });
  });

  it('was kept for its days: passes go on showing it, and may be sent as they were read', async () => {
    const { client: own } = await app.newWorkspace();
    const [first, second] = [another(), another()];
    const url = await uploaded(first, own);
    await uploaded(second, own);
    const { body: pass } = await create({ logoUrl: url }, own);
    app.advance(2 * day);
    await uploaded(second, own);
    app.advance(day + 60_000);
    assertGone(await create({ logoUrl: url }, own), 'logoUrl');
    await trimImages({ app: app.running.app, requestId: 'test' });
    assert.deepEqual(await kept(hashOf(first), hashOf(second)), [hashOf(second)]);
    assertGone(await create({ logoUrl: url }, own), 'logoUrl');
    assertGone(await own.patch(`/passes/${pass.passId}`, { iconUrl: url }), 'iconUrl');
    const same = await own.patch(`/passes/${pass.passId}`, { logoUrl: url, title: 'Tea Club' });
    assert.equal(same.status, 200, same.text);
    assert.deepEqual(same.body.images, pass.images);
    const { body: clone } = await own.post(`/passes/${pass.passId}/clone`);
    assert.deepEqual(clone.images, pass.images);
  });
});

describe('uploads again and at once', () => {
  it('are replayed under a key, and refused for another image', async () => {
    const headers = { 'idempotency-key': 'upload-1' };
    const bytes = another();
    const first = await upload(bytes, client, headers);
    app.advance(60_000);
    const replay = await upload(bytes, client, headers);
    assert.equal(replay.text, first.text);
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assertRefused(await upload(another(), client, headers), 'external_ref_reused');
    const key = { 'idempotency-key': 'pass-1' };
    const send = () => client.post('/passes', { ...minimal, logoUrl: first.body.url }, { headers: key });
    const made = await send();
    app.advance(4 * day);
    assert.equal((await send()).text, made.text, 'the upload is not asked for again');
  });

  it('of one image keep it once', async () => {
    const { client: own } = await app.newWorkspace();
    const bytes = another();
    const replies = await inParallel(8, () => upload(bytes, own));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 8 });
    const rows = await app.sql('select from image_uploads where hash = $1', [hashOf(bytes)]);
    assert.equal(rows.length, 1);
  });

  it('lie in memory two of a workspace at a time, and four of all', async () => {
    const places = app.running.app.imageUploads;
    const inside = new Map<unknown, number>();
    const most = { own: 0, all: 0 };
    // The real places, with a counter.
    const counting: typeof places = {
      enter: (key, work, signal) =>
        places.enter(
          key,
          async () => {
            inside.set(key, (inside.get(key) ?? 0) + 1);
            most.own = Math.max(most.own, ...inside.values());
            most.all = Math.max(
              most.all,
              [...inside.values()].reduce((sum, one) => sum + one, 0),
            );
            return await work().finally(() => inside.set(key, (inside.get(key) ?? 1) - 1));
          },
          signal,
        ),
    };
    Object.assign(app.running.app, { imageUploads: counting });
    const workspaces = await inParallel(3, () => app.newWorkspace());
    const replies = await inParallel(18, (n) =>
      uploadForm(another(mebibyte), workspaces[n % 3]?.client ?? client),
    );
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 18 });
    const url = await uploaded(square);
    assert.equal((await create({ iconUrl: url, logoUrl: url, thumbnailUrl: url })).status, 201);
    Object.assign(app.running.app, { imageUploads: places });
    assert.ok(most.own <= 2 && most.all <= 4, JSON.stringify(most));
  });

  it('that do not arrive keep no caller from uploading', async () => {
    const stalled = Array.from({ length: 12 }, () => new RawClient(app.running.port));
    for (const one of stalled)
      one.send(
        `POST /images HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.secret}\r\nContent-Type: image/png\r\nContent-Length: 1000000\r\n\r\n\x89PNG`,
      );
    assert.equal((await uploadForm(another())).status, 201);
    for (const one of stalled) one.destroy();
  });

  it('end at what a workspace may have, of many at once too', async () => {
    const { client: own, workspaceId } = await app.newWorkspace();
    const fill = (images: number, size: number) =>
      app.sql(
        `insert into image_uploads (workspace_id, hash, bytes, size, width, height, kept_until)
         select $1::uuid, encode(sha256((n || ' of ' || $3::int)::bytea), 'hex'), '', $3::int, 1, 1, $4::timestamptz from generate_series(1, $2::int) n`,
        [decodeId('ws', workspaceId), images, size, new Date(app.running.app.now().getTime() + day)],
      );
    await fill(995, 1);
    const full = { limit: 1_000, byteLimit: 256 * mebibyte };
    const replies = await inParallel(10, () => upload(another(), own));
    assert.deepEqual(tally(replies.map(({ status }) => status)), { 201: 5, 409: 5 });
    const refused = replies.find(({ status }) => status === 409);
    assert.ok(refused);
    assertRefused(
      refused,
      'upload_limit_reached',
      /1000 uploaded images of 256 MB.*3 days.*next one goes at 20/,
      full,
    );
    app.advance(2 * day);
    assert.equal((await upload(another(), own)).status, 201, 'the others are kept no longer');
    await fill(1, 256 * mebibyte);
    assertRefused(await upload(another(), own), 'upload_limit_reached', /./, full);
  });
});
