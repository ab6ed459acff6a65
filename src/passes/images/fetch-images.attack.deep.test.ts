import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isIP } from 'node:net';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Json, Reply } from '../../../test/client.ts';
import { inParallel, makeKey, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { startInternet } from '../../../tools/fakes/internet.ts';
import {
  drip,
  file,
  flood,
  raw,
  redirect,
  silence,
  status,
  thoughtful,
  type WebHandler,
} from '../../../tools/fakes/web-host.ts';
import { blockedAddresses, spellings } from '../../kit/safe-fetch/addresses.fixture.ts';
import { type ImageSlot, imageSlots } from '../pass-row.ts';
import { png, pngSignature } from './pictures.fixture.ts';

const internet = await startInternet();
after(() => internet.close());
const app = await startTestApp({ REQUEST_LOG: 'off', WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const { client } = await app.newWorkspace();
/** Uses up the places of its own workspace. It is made here: everything in the database is compared below. */
const { client: busy } = await app.newWorkspace();
const { port } = internet.web;

/** Large enough for every slot. */
const picture = png({ width: 1_032, height: 336 });
internet.web.on('/good.png', file(picture));
const small = file(png({ width: 87, height: 87 }));
internet.names.answer('inside.example.test', ['127.0.0.2']);
const good = internet.url('/good.png');
const existing = await makePass(client, { type: 'generic', iconUrl: good, stripUrl: good });

const create = (images: object, sender = client): Promise<Reply> =>
  sender.post('/passes', { title: 'Blue Bean Club', type: 'generic', ...images });
const change = (images: object): Promise<Reply> =>
  client.patch(`/passes/${existing.passId}`, { title: 'Other', ...images });
/** Now this way, now that. */
const either = (turn: number) => (turn % 2 === 0 ? create : change);

/** The URL of a path that does this. */
function host(handler: WebHandler, path = '/scripted'): string {
  internet.web.on(path, handler);
  return internet.url(path);
}

/** What a refusal says, and that it is one that the contract knows. */
function refusalIn({ status, body, text }: Reply): string {
  const known =
    body.code === 'payload_too_large'
      ? { status: 413, reason: body.code }
      : { status: 422, reason: body.reason };
  assert.equal(status, known.status, text);
  if (status === 422) assert.equal(body.code, 'asset_fetch_failed', text);
  const [slot] = body.error.split(': ');
  // The other one has no field for it.
  assert.equal(body.slot, status === 422 ? slot : undefined, text);
  return `${slot}: ${known.reason}`;
}

/** Sends images both ways: each is refused so, and no row of any table has changed. */
async function assertRefused(images: object, expected: string): Promise<void> {
  const before = await everything();
  for (const send of [create, change])
    assert.equal(refusalIn(await send(images)), expected, JSON.stringify(images));
  assert.deepEqual(await everything(), before);
}

/** A hash of the rows of each table; when keys were last used does not count. */
async function everything(): Promise<Json> {
  const tables = await app.sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const hashes = tables.map(({ name }) =>
    app.sql(
      `select '${name}' as name, md5(string_agg(row, '|' order by row)) as rows
       from (select (to_jsonb(t) - 'last_used_at')::text as row from ${name} t) as rows`,
    ),
  );
  return (await Promise.all(hashes)).flat();
}

/** How many connections the service opens to hosts of images during some work. */
async function connectionsDuring(work: () => Promise<void>): Promise<number> {
  let connections = 0;
  const note = (message: unknown) => {
    if ((message as { socket: object }).socket.constructor.name === 'TLSSocket') connections++;
  };
  subscribe('net.client.socket', note);
  await work().finally(() => unsubscribe('net.client.socket', note));
  return connections;
}

describe('an image URL that leads inside', () => {
  it(`is refused, and nothing is connected to: ${blockedAddresses.length} literals, and other spellings`, async () => {
    const literals = blockedAddresses.flatMap(({ address }) => {
      const [bare = ''] = address.split('%');
      if (/^(127\.0\.0\.1|::ffff:7f00:1|::ffff:127\.0\.0\.1)$/.test(bare)) return [];
      return [isIP(bare) === 6 ? `[${bare}]` : bare];
    });
    const { '127.0.0.1': _, '[::ffff:7f00:1]': __, ...others } = spellings;
    const hosts = [...literals, ...Object.values(others).flatMap((texts) => texts.split(' '))];
    const names = [
      'localhost',
      'printer.local.',
      'metadata.google.internal.',
      'inside.example.test',
      'intranet',
    ];
    const before = await everything();
    const connections = await connectionsDuring(async () => {
      for (const [index, name] of [...hosts, ...names].entries()) {
        const slot = imageSlots[index % imageSlots.length] ?? 'iconUrl';
        const reply = await either(index)({ [slot]: `https://${name}:${port}/good.png` });
        assert.equal(refusalIn(reply), `${slot}: blocked_host`, name);
      }
    });
    assert.deepEqual(await everything(), before);
    assert.deepEqual([connections, internet.inside.connections], [0, 0]);
  });

  it('says the same whether a server is there or not', async () => {
    const refusals = await Promise.all(
      [port, 1].map((at) => create({ iconUrl: `https://127.0.0.2:${at}/secret` })),
    );
    const [one, other] = refusals.map((reply) => ({ ...reply.body, requestId: '' }));
    assert.deepEqual(one, other);
    assert.doesNotMatch(one?.error, /127|secret/);
  });

  it('is refused by name too, in whatever company and whenever its address changes', async () => {
    const mixes = [
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['::1', '127.0.0.1'],
      ['::ffff:127.0.0.2'],
    ];
    for (const [index, answer] of mixes.entries()) {
      internet.names.answer(`mixed${index}.example.test`, answer);
      await assertRefused({ logoUrl: internet.url('/good.png', `mixed${index}`) }, 'logoUrl: blocked_host');
    }
    for (let attempt = 0; attempt < 10; attempt++) {
      const name = `rebind${attempt}`;
      internet.names.answerTo('A', `${name}.example.test`, ['127.0.0.1'], ['127.0.0.2']);
      const stripUrl = internet.url('/good.png', name);
      assert.equal((await change({ stripUrl })).status, 200);
      assert.equal(internet.names.count(`${name}.example.test`, 'A'), 1);
      await assertRefused({ stripUrl }, 'stripUrl: blocked_host');
    }
    assert.equal(internet.inside.connections, 0);
  });

  it('is refused with the setting that would allow it', async () => {
    const { body } = await create({ iconUrl: 'https://127.0.0.2/icon.png' });
    assert.match(body.error, /^iconUrl: The host is local.* allow networks with FETCH_ALLOW_CIDRS\.$/);
  });

  it('is refused when a redirect leads there, or to anything but https', async () => {
    const locations = {
      [`https://127.0.0.2:${port}/good.png`]: 'blocked_host',
      [`//2130706434:${port}/good.png`]: 'blocked_host',
      [`https://[::ffff:7f00:2]:${port}/good.png`]: 'blocked_host',
      [`//inside.example.test:${port}/good.png`]: 'blocked_host',
      'https://169.254.169.254/latest/meta-data/': 'blocked_host',
      'https://localhost/': 'blocked_host',
      [`http://www.example.test:${port}/good.png`]: 'invalid_url',
      'http://127.0.0.2/': 'invalid_url',
      'file:///etc/passwd': 'invalid_url',
      'data:image/png;base64,AAAA': 'invalid_url',
      [`https://me:secret@www.example.test:${port}/good.png`]: 'invalid_url',
    };
    for (const [index, [location, reason]] of Object.entries(locations).entries()) {
      const code = [301, 302, 303, 307, 308][index % 5] ?? 302;
      await assertRefused({ heroUrl: host(redirect(code, location)) }, `heroUrl: ${reason}`);
    }
    assert.equal(internet.inside.connections, 0);
  });
});

describe('an image URL that cannot be used', () => {
  it('is refused for the reason that the contract has for it', async () => {
    for (const [hop, next] of ['/good.png', '/hop0', '/hop1', '/hop2'].entries())
      host(redirect(302, next), `/hop${hop}`);
    assert.equal((await change({ stripUrl: internet.url('/hop2') })).status, 200);
    const cases: [string, string][] = [
      ['http://www.example.test/good.png', 'invalid_url'],
      ['http://127.0.0.2/', 'invalid_url'],
      ['good.png', 'invalid_url'],
      ['file:///etc/passwd', 'invalid_url'],
      ['https://me@www.example.test/good.png', 'invalid_url'],
      [` ${good}`, 'invalid_url'],
      [internet.url('/hop3'), 'too_many_redirects'],
      [host(redirect(302, '/loop'), '/loop'), 'too_many_redirects'],
      [internet.url('/none'), 'unreachable'],
      ['https://nobody.example.test/', 'unreachable'],
      ['https://127.0.0.1:1/', 'unreachable'],
      [host(status(503), '/503'), 'unreachable'],
      [host(internet.web.resetAfter(1_000), '/reset'), 'unreachable'],
      [host(raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfive!'), '/half'), 'unreachable'],
      [host(flood(20_971_521, { 'content-length': '20971521' }), '/large'), 'payload_too_large'],
      [host(flood(22_020_096), '/chunked'), 'payload_too_large'],
      [host(flood(Number.POSITIVE_INFINITY), '/endless'), 'payload_too_large'],
      [host(flood(19_900_000), '/zeros'), 'not_an_image'],
    ];
    for (const [thumbnailUrl, reason] of cases)
      await assertRefused({ thumbnailUrl }, `thumbnailUrl: ${reason}`);
  });

  it('is refused when what it names is no image, whatever it says that it is', async () => {
    const bomb = gzipSync(Buffer.alloc(209_715_200));
    const bodies: Readonly<Record<string, readonly [Buffer | string, string]>> = {
      HTML: ['<!doctype html><title>Hello</title>', 'not_an_image'],
      JSON: ['{"image":true}', 'not_an_image'],
      nothing: ['', 'not_an_image'],
      'a signature': [pngSignature, 'not_an_image'],
      'half of an image': [picture.subarray(0, picture.length / 2), 'not_an_image'],
      'too many pixels': [png({ width: 16_000, height: 16_000 }, [], Buffer.alloc(1_000)), 'not_an_image'],
      'a bomb': [bomb, 'not_an_image'],
      GIF: [
        Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
        'unsupported_type',
      ],
      SVG: ['<svg xmlns="http://www.w3.org/2000/svg" width="999" height="999"/>', 'unsupported_type'],
      PDF: ['%PDF-1.7\n', 'unsupported_type'],
      TIFF: [Buffer.from('49492a0008000000', 'hex'), 'unsupported_type'],
      'a small image': [png({ width: 59, height: 200 }), 'too_small'],
    };
    for (const [index, [body, reason]] of Object.values(bodies).entries()) {
      const headers = { 'content-type': 'image/png', ...(body === bomb && { 'content-encoding': 'gzip' }) };
      const backgroundUrl = host(file(Buffer.from(body), headers), `/body${index}`);
      await assertRefused({ backgroundUrl }, `backgroundUrl: ${reason}`);
    }
  });

  it('is not repeated to its sender: nothing of the answer is', async () => {
    const answers = [
      raw('HTTP/1.1 500 sesame\r\nX-Door: sesame\r\n\r\nsesame'),
      raw('sesame\r\n\r\n'),
      redirect(302, 'http://sesame.example.test/'),
      redirect(302, 'https://sesame.local/'),
      file(Buffer.from('sesame')),
      file(Buffer.from('<svg>sesame</svg>')),
    ];
    for (const answer of answers)
      assert.doesNotMatch((await create({ iconUrl: host(answer) })).text, /sesame/);
  });
});

describe('of several image URLs', () => {
  it('the first in the order of the slots is named, whichever fails first', async () => {
    const bad: Readonly<Record<string, string>> = {
      unreachable: host(thoughtful(300, status(404)), '/slow404'),
      blocked_host: 'https://127.0.0.2/',
      invalid_url: 'http://www.example.test/',
      payload_too_large: host(flood(30_000_000, { 'content-length': '30000000' }), '/large'),
      not_an_image: host(file(Buffer.from('five!')), '/five'),
    };
    const reasons = Object.keys(bad);
    for (const [first] of imageSlots.entries()) {
      for (const index of [first, first + 1]) {
        const reason = reasons[index % reasons.length] ?? '';
        const images: Partial<Record<ImageSlot, string>> = {};
        for (const [at, slot] of [...imageSlots.entries()].reverse()) {
          const other = reasons[(index + at - first) % reasons.length] ?? '';
          images[slot] = at < first ? good : bad[at === first ? reason : other];
        }
        assert.equal(refusalIn(await either(first + index)(images)), `${imageSlots[first]}: ${reason}`);
      }
    }
  });

  it('none is stored when one is refused, and no more are fetched', async () => {
    const before = await everything();
    const slow = host(thoughtful(5_000, file(picture)), '/slow.png');
    const began = performance.now();
    const reply = await create({ iconUrl: good, logoUrl: 'https://127.0.0.2/', heroUrl: slow });
    assert.equal(refusalIn(reply), 'logoUrl: blocked_host');
    assert.ok(performance.now() - began < 4_000);
    assert.deepEqual(await everything(), before);
  });
});

describe('the repetition of a request by its key', () => {
  const send = (iconUrl: string, key: string, path = '/passes', method = 'POST') =>
    client.send(
      method,
      path,
      { title: 'Again', ...(method === 'POST' && { type: 'loyalty' }), iconUrl },
      {
        headers: { 'idempotency-key': key },
      },
    );

  it('fetches nothing and gets the answer of the first', async () => {
    const first = await send(good, 'first');
    assert.equal(first.status, 201);
    internet.web.on('/good.png', status(410));
    const before = [internet.web.connections, internet.names.questions.length];
    const repeat = await inParallel(5, () => send(good, 'first'));
    internet.web.on('/good.png', file(picture));
    for (const reply of repeat) assert.deepEqual([reply.status, reply.text], [201, first.text]);
    assert.deepEqual([internet.web.connections, internet.names.questions.length], before);
  });

  it('fetches again after a refusal, which is not kept', async () => {
    const iconUrl = host(status(404), '/mended.png');
    assert.equal(refusalIn(await send(iconUrl, 'mended')), 'iconUrl: unreachable');
    internet.web.on('/mended.png', file(picture));
    assert.equal((await send(iconUrl, 'mended')).status, 201);
  });

  it('with another URL is refused without fetching it', async () => {
    await send(good, 'other');
    const connections = internet.web.connections;
    const reply = await send(internet.url('/none.png'), 'other');
    assert.deepEqual([reply.status, reply.body.code], [409, 'external_ref_reused']);
    assert.equal(internet.web.connections, connections);
  });
});

describe('slow hosts', () => {
  it('delay only the key that names them: 200 fetches at once', async () => {
    const other = (await app.newWorkspace()).client;
    const { passId } = await makePass(other);
    /** The slowest but one of a hundred, in milliseconds. */
    const read = async () => {
      const times: number[] = [];
      for (let turn = 0; turn < 100; turn++) {
        const began = performance.now();
        assert.equal((await other.get(`/passes/${passId}`)).status, 200);
        times.push(performance.now() - began);
      }
      return times.sort((one, two) => one - two)[98] ?? 0;
    };
    await read();
    const alone = await read();
    const held = new Set<() => void>();
    let isOpen = false;
    const slow = host((request, response) => {
      if (isOpen) small(request, response);
      else {
        const release = () => small(request, response);
        held.add(release);
        response.on('close', () => held.delete(release));
      }
    }, '/held.png');
    const { client: busy } = await makeKey(client);
    const all = inParallel(200, () => create({ iconUrl: slow }, busy.impatient));
    while (held.size < 4) await other.get(`/passes/${passId}`);
    const isQuick = (ms: number) => ms <= Math.max(2 * alone, 100);
    let duringFetches = await read();
    // What else the machine has to do may disturb one measurement, hardly three.
    for (let repeat = 0; repeat < 2 && !isQuick(duringFetches); repeat++) duringFetches = await read();
    assert.ok(isQuick(duringFetches), `${duringFetches} ms instead of ${alone} ms`);
    assert.ok(held.size <= 4);
    const pass: Json = (await create({ iconUrl: good }, other)).body;
    assert.equal(pass.iconUrl, good);
    isOpen = true;
    for (const release of held) release();
    // A busy machine may need so long that some were given up.
    const outcomes = tally((await all).map(({ status }) => status));
    const { 201: created = 0, 422: late = 0, 503: refused = 0 } = outcomes;
    assert.ok(created > 0 && created + late + refused === 200, JSON.stringify(outcomes));
  });
});

describe('silent hosts', { concurrency: true }, () => {
  it('are given up after ten seconds', async () => {
    const before = await everything();
    internet.names.answer('silent.example.test', 'silence');
    const urls = [host(drip(200), '/drip'), host(silence, '/silence'), internet.url('/good.png', 'silent')];
    const began = performance.now();
    const replies = await inParallel(urls.length, (index) => either(index)({ iconUrl: urls[index] }));
    const seconds = (performance.now() - began) / 1_000;
    assert.deepEqual(replies.map(refusalIn), Array(urls.length).fill('iconUrl: timeout'));
    assert.ok(seconds >= 10 && seconds < 13, `${seconds} s`);
    assert.deepEqual(await everything(), before);
  });

  it('that keep the places of a workspace let its others wait for half a minute, and these hear when to come again', async () => {
    const before = await everything();
    // Three times four of them have their turn in half a minute, and fail after ten seconds each.
    const replies = await inParallel(20, () =>
      create({ iconUrl: host(silence, '/silence') }, busy.impatient),
    );
    const outcomes = tally(replies.map(({ status, body }) => `${status} ${body.reason ?? body.code}`));
    assert.deepEqual(Object.keys(outcomes).sort(), ['422 timeout', '503 overloaded']);
    assert.ok((outcomes['503 overloaded'] ?? 0) >= 4);
    for (const { status, headers } of replies)
      if (status === 503) assert.equal(headers.get('retry-after'), '5');
    assert.deepEqual(await everything(), before);
  });
});
