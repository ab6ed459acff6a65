import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { drip, dripHeaders, file, flood, raw, redirect, silence } from '../../../tools/fakes/web-host.ts';
import { blockedAddresses, spellings } from './addresses.fixture.ts';
import { startLab } from './safe-fetch.fixture.ts';
import { type CallOptions, createSafeCall, FetchRefused } from './safe-fetch.ts';

const lab = await startLab();
const call = createSafeCall({ allow: ['127.0.0.1/32'], userAgent: 'Lab' });
lab.web.on('/file', file(Buffer.from('five!')));
lab.names.answer('inside.example.test', ['127.0.0.2']);
lab.names.answer('kept.example.test', ['127.0.0.1']);

const secret = 'top-secret-token';
const post = {
  method: 'POST',
  headers: { authorization: secret, 'content-type': 'application/json' },
  body: '{"a":"é"}',
} as const;

/** What came of a call: its status with so many bytes, or the reason of the refusal. */
async function outcome(url: string, options: Partial<CallOptions> = {}): Promise<string> {
  try {
    const { status, body } = await call(url, { key: url, ...post, ...options });
    return `${status} ${body.length}`;
  } catch (error) {
    assert.ok(error instanceof FetchRefused, `${url}: ${error}`);
    assert.match(error.message, /^[A-Z].*\.$/s);
    assert.doesNotMatch(error.message, new RegExp(secret));
    return error.reason;
  }
}

const gone = new Error('the caller has gone');

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 9_000;
  while (!condition()) {
    assert.ok(performance.now() < end, 'it does not happen');
    await sleep(5);
  }
}

describe('a call', () => {
  it('brings method, headers and body there, and status, headers and body back', async () => {
    let received = '';
    lab.web.on('/echo', async (request, response) => {
      received = await text(request);
      response.writeHead(418, { 'X-Tea': 'pot', 'set-cookie': ['a=b', 'c=d'] }).end('short');
    });
    const answer = await call(lab.url('/echo?q=1'), { key: 'a', ...post });
    const { method, path, headers } = lab.web.requests.at(-1) ?? {};
    assert.deepEqual({ method, path, received }, { method: 'POST', path: '/echo?q=1', received: post.body });
    assert.deepEqual(headers, {
      host: `www.example.test:${lab.web.port}`,
      'user-agent': 'Lab',
      accept: '*/*',
      authorization: secret,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-length': '10',
    });
    assert.deepEqual(
      [answer.status, answer.headers['x-tea'], answer.headers['set-cookie'], answer.body.toString()],
      [418, 'pot', 'a=b, c=d', 'short'],
    );
  });

  it('takes any status for an answer', async () => {
    for (const status of [200, 201, 204, 400, 401, 404, 429, 500, 503]) {
      lab.web.on('/status', (_request, response) => response.writeHead(status).end());
      assert.equal(await outcome(lab.url('/status')), `${status} 0`);
    }
  });

  it('uses its connection again, and keeps it for two seconds only', async () => {
    const caller = new AbortController();
    lab.web.on('/half', (_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('five!');
      caller.abort(gone);
    });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const before = lab.web.connections;
    for (let turn = 0; turn < 15; turn++) assert.equal(await outcome(lab.url('/file', 'kept')), '200 5');
    assert.equal(lab.web.connections, before + 1);
    // One of listeners that are not taken away, for example.
    process.off('warning', warn);
    assert.deepEqual(warnings, []);
    await until(() => lab.web.open === 0);
    assert.equal(await outcome(lab.url('/file', 'kept')), '200 5');
    assert.equal(lab.web.connections, before + 2);
    // A connection whose caller has gone is closed.
    await assert.rejects(call(lab.url('/half', 'kept'), { key: 'a', ...post, signal: caller.signal }), gone);
    await until(() => lab.web.open === 0);
  });

  it('has a place among four of its key', async () => {
    const held: (() => void)[] = [];
    lab.web.on('/held', (_request, response) => held.push(() => response.end('five!')));
    const all = Array.from({ length: 6 }, () => outcome(lab.url('/held'), { key: 'a' }));
    await until(() => held.length === 4);
    await sleep(50);
    assert.equal(held.length, 4);
    const watch = setInterval(() => {
      for (const answer of held.splice(0)) answer();
    }, 5);
    assert.deepEqual(await Promise.all(all), Array(6).fill('200 5'));
    clearInterval(watch);
  });
});

describe('an address that is not public', () => {
  async function assertBlocked(url: string, reason = 'blocked_host'): Promise<void> {
    const requests = lab.web.requests.length;
    assert.equal(await outcome(url), reason, url);
    assert.deepEqual([lab.inside.connections, lab.web.requests.length], [0, requests], url);
  }

  it('is not called, neither by number nor by name', async () => {
    const { port } = lab.web;
    const numbers = blockedAddresses
      .map(({ address }) => address)
      .filter((address) => !/127\.0\.0\.1$|^::ffff:7f00:1$|%/.test(address))
      .map((address) => (address.includes(':') ? `[${address}]` : address));
    const names = [
      'localhost',
      'db.internal',
      'printer.local',
      'metadata.google.internal',
      'inside.example.test',
    ];
    const spelt = spellings['169.254.169.254'].split(' ');
    for (const host of [...numbers, ...names, ...spelt]) await assertBlocked(`https://${host}:${port}/file`);
    lab.names.answer('mixed.example.test', ['127.0.0.1', '127.0.0.2']);
    await assertBlocked(`https://mixed.example.test:${port}/file`);
  });

  it('is not called by a name whose address changes, not even on a connection that is kept', async () => {
    lab.names.answerTo('A', 'turncoat.example.test', ['127.0.0.1'], ['127.0.0.2']);
    lab.names.answerTo('AAAA', 'turncoat.example.test', []);
    const url = `https://turncoat.example.test:${lab.web.port}/file`;
    assert.equal(await outcome(url), '200 5');
    assert.equal(lab.names.count('turncoat.example.test', 'A'), 1);
    await assertBlocked(url);
  });

  it('is not talked to when the connection ends up elsewhere than it was sent to', async () => {
    const misled = createSafeCall({ allow: ['0.0.0.0/32'], userAgent: 'Lab' });
    const requests = lab.web.requests.length;
    await assert.rejects(misled(`https://0.0.0.0:${lab.web.port}/file`, { key: 'a', ...post }), {
      reason: 'blocked_host',
    });
    assert.equal(lab.web.requests.length, requests);
  });

  it('is not reached by URLs that are not plain https, or name a user', async () => {
    for (const url of [
      'http://www.example.test/',
      `https://www.example.test@127.0.0.2:${lab.web.port}/`,
      'https://www.example.test/a b',
      'https://www.example.test/\r\nX-Evil: 1',
      'file:///etc/passwd',
    ])
      await assertBlocked(url, 'invalid_url');
  });
});

describe('a redirect', () => {
  it('is an answer, and nothing travels to where it leads', async () => {
    const { port } = lab.web;
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [
        '/file',
        `https://other.example.test:${port}/file`,
        `https://127.0.0.2:${port}/`,
      ]) {
        lab.names.answer('other.example.test', ['127.0.0.1']);
        lab.web.on('/away', redirect(status, location));
        const before = lab.web.requests.length;
        const answer = await call(lab.url('/away'), { key: 'a', ...post });
        assert.deepEqual([answer.status, answer.headers.location], [status, location]);
        assert.equal(lab.web.requests.length, before + 1);
      }
    }
    assert.equal(lab.inside.connections, 0);
  });
});

describe('a header', () => {
  it('cannot say another host, another end of the body or another encoding', async () => {
    const before = lab.web.requests.length;
    const names =
      'host Host HOST content-length Transfer-Encoding connection upgrade expect te trailer accept-encoding Proxy-Authorization';
    for (const name of names.split(' '))
      assert.equal(await outcome(lab.url('/file'), { headers: { [name]: 'x' } }), 'invalid_header', name);
    assert.equal(lab.web.requests.length, before);
  });

  it('cannot smuggle another one, and its value is not shown', async () => {
    const before = lab.web.requests.length;
    for (const ending of ['\r\nX-Evil: 1', '\nX-Evil: 1', '\r', '\0', '☕'])
      assert.equal(
        await outcome(lab.url('/file'), { headers: { authorization: secret + ending } }),
        'invalid_header',
        ending,
      );
    for (const name of ['x evil', 'x:evil', 'x\r\nevil', ''])
      assert.equal(await outcome(lab.url('/file'), { headers: { [name]: 'x' } }), 'invalid_header', name);
    assert.equal(lab.web.requests.length, before);
  });
});

describe('an answer', () => {
  it('has 16 MiB at most', async () => {
    const limit = 16 * 1_048_576;
    lab.web.on('/large', flood(limit, { 'content-length': String(limit) }));
    lab.web.on('/larger', flood(limit + 1, { 'content-length': String(limit + 1) }));
    lab.web.on('/chunked', flood(limit));
    lab.web.on('/endless', flood(Number.POSITIVE_INFINITY));
    const outcomes = {
      '/large': `200 ${limit}`,
      '/larger': 'too_large',
      '/chunked': `200 ${limit}`,
      '/endless': 'too_large',
    };
    for (const [path, expected] of Object.entries(outcomes))
      assert.equal(await outcome(lab.url(path)), expected, path);
    // What was kept of the others closes by itself; the endless ones must be closed.
    await until(() => lab.web.open === 0);
  });

  it('is unreachable when it is broken, whatever it is', async () => {
    const answers = {
      'not HTTP': raw('secret words\r\n\r\n'),
      'no answer': raw(''),
      'half of the body': raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!'),
      'another protocol': raw(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
      'two lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nfive!x'),
      'a reset': lab.web.resetAfter(1_000),
    };
    for (const [what, answer] of Object.entries(answers)) {
      lab.web.on('/broken', answer);
      assert.equal(await outcome(lab.url('/broken')), 'unreachable', what);
    }
    assert.equal(await outcome(lab.url('/file')), '200 5');
  });
});

describe('a stall', { concurrency: true }, () => {
  const stalls = {
    'a body by the byte': drip(200),
    'headers by the line': dripHeaders(200),
    'no answer': silence,
  };
  for (const [what, handler] of Object.entries(stalls)) {
    it(`ends after ten seconds: ${what}`, async () => {
      const path = `/${what.replaceAll(' ', '-')}`;
      lab.web.on(path, handler);
      const began = performance.now();
      assert.equal(await outcome(lab.url(path)), 'timeout');
      const seconds = (performance.now() - began) / 1_000;
      assert.ok(seconds >= 10 && seconds <= 16, `${seconds} s`);
    });
  }
});
