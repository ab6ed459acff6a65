import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { issueServerCertificate } from '../../../tools/fakes/authority.ts';
import { dripHeaders, file, raw, redirect, silence } from '../../../tools/fakes/web-host.ts';
import { blockedAddresses, spellings } from './addresses.fixture.ts';
import { startLab } from './safe-fetch.fixture.ts';
import { FetchRefused } from './safe-fetch.ts';
import { createSafePost, type SafePost } from './safe-post.ts';

const lab = await startLab();
const options = { allow: ['127.0.0.1/32'], userAgent: 'Lab', mostBytes: 10, allowsHttp: false };
const poster = createSafePost(options);
lab.web.on('/file', file(Buffer.from('five!')));
lab.names.answer('inside.example.test', ['127.0.0.2']);

/** What came of a message: its status with the beginning of what was answered, or the reason of the refusal. */
async function outcome(url: string, by: SafePost = poster): Promise<string> {
  const signal = new AbortController().signal;
  try {
    const { status, beginning } = await by.post(url, {
      key: 'a',
      headers: { 'x-test': '1' },
      body: '{"a":"é"}',
      signal,
    });
    return `${status} ${beginning}`;
  } catch (error) {
    assert.ok(error instanceof FetchRefused, `${url}: ${error}`);
    assert.match(error.message, /^[A-Z].*\.$/s);
    return error.reason;
  }
}

async function assertBlocked(url: string, by?: SafePost): Promise<void> {
  const requests = lab.web.requests.length;
  assert.equal(await outcome(url, by), 'blocked_host', url);
  assert.deepEqual([lab.inside.connections, lab.web.requests.length], [0, requests], url);
}

describe('a message', () => {
  it('arrives as it was given, by a name that the certificate is asked for', async () => {
    let received = '';
    lab.web.on('/echo', async (request, response) => {
      received = await text(request);
      response.writeHead(418).end('short');
    });
    assert.equal(await outcome(lab.url('/echo?q=1')), '418 short');
    const { method, path, headers, serverName } = lab.web.requests.at(-1) ?? {};
    assert.deepEqual([method, path, received], ['POST', '/echo?q=1', '{"a":"é"}']);
    assert.equal(serverName, 'www.example.test');
    assert.deepEqual(headers, {
      host: `www.example.test:${lab.web.port}`,
      'user-agent': 'Lab',
      accept: '*/*',
      'content-type': 'application/json',
      'x-test': '1',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-length': '10',
    });
  });

  it('goes to no host whose certificate is for another name, or for none', async () => {
    lab.names.answer('www.elsewhere.test', ['127.0.0.1']);
    const requests = lab.web.requests.length;
    assert.equal(await outcome(`https://www.elsewhere.test:${lab.web.port}/file`), 'unreachable');
    assert.equal(lab.web.requests.length, requests);
    assert.equal(await outcome(`https://127.0.0.1:${lab.web.port}/file`), '200 five!');
    assert.equal(lab.web.requests.at(-1)?.serverName, null);
  });
});

describe('an address that is not public', () => {
  it('gets no message, neither by number nor by name', async () => {
    const { port } = lab.web;
    const numbers = blockedAddresses
      .map(({ address }) => address)
      .filter((address) => !/127\.0\.0\.1$|^::ffff:7f00:1$|%/.test(address))
      .map((address) => (address.includes(':') ? `[${address}]` : address));
    const names = ['localhost', 'db.internal', 'metadata.google.internal', 'inside.example.test'];
    const spelt = spellings['169.254.169.254'].split(' ');
    for (const host of [...numbers, ...names, ...spelt]) await assertBlocked(`https://${host}:${port}/file`);
    lab.names.answer('mixed.example.test', ['127.0.0.1', '127.0.0.2']);
    await assertBlocked(`https://mixed.example.test:${port}/file`);
  });

  it('gets none by a name whose address has changed, once what was known of it is over', async () => {
    lab.names.answerTo('A', 'turncoat.example.test', ['127.0.0.1'], ['127.0.0.2']);
    lab.names.answerTo('AAAA', 'turncoat.example.test', []);
    const url = `https://turncoat.example.test:${lab.web.port}/file`;
    assert.equal(await outcome(url), '200 five!');
    assert.equal(await outcome(url), '200 five!');
    assert.equal(lab.names.count('turncoat.example.test', 'A'), 1);
    await sleep(5_100);
    await assertBlocked(url);
  });

  it('is not talked to when the connection ends up elsewhere than it was sent to', async () => {
    await assertBlocked(
      `https://0.0.0.0:${lab.web.port}/file`,
      createSafePost({ ...options, allow: ['0.0.0.0/32'] }),
    );
  });
});

describe('an answer', () => {
  it('may be a redirect, and nothing travels to where it leads', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      lab.web.on('/away', redirect(status, `https://127.0.0.2:${lab.web.port}/`));
      const before = lab.web.requests.length;
      assert.equal(await outcome(lab.url('/away')), `${status} `);
      assert.equal(lab.web.requests.length, before + 1);
    }
    assert.equal(lab.inside.connections, 0);
  });

  it('is none when it is broken, whatever it is, and no message is sent twice for it', async () => {
    const answers = {
      'not HTTP': raw('secret words\r\n\r\n'),
      'no answer': raw(''),
      'another protocol': raw(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
      'two lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nfive!x'),
      'endless headers': raw(`HTTP/1.1 200 OK\r\n${'X-Long: long\r\n'.repeat(5_000)}\r\n`),
    };
    for (const [what, answer] of Object.entries(answers)) {
      lab.web.on('/broken', answer);
      // On a connection that was used before, where it is there still.
      await outcome(lab.url('/file'));
      const before = lab.web.count('/broken');
      assert.equal(await outcome(lab.url('/broken')), 'unreachable', what);
      assert.equal(lab.web.count('/broken'), before + 1, what);
    }
  });

  it('follows one that only announces it', async () => {
    lab.web.on(
      '/early',
      raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    assert.equal(await outcome(lab.url('/early')), '200 ok');
  });

  it('counts by its status, whatever becomes of its body', async () => {
    lab.web.on('/half', raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!'));
    assert.equal(await outcome(lab.url('/half')), '200 five!');
    lab.web.on('/reset', lab.web.resetAfter(1_000));
    assert.match(await outcome(lab.url('/reset')), /^200 /);
  });
});

describe('a connection', () => {
  const workerData = issueServerCertificate(lab.authority, ['127.0.0.1']);
  const server = new Worker(new URL('tls-server.fixture.ts', import.meta.url), { workerData });
  const listening = once(server, 'message') as Promise<[AddressInfo]>;
  after(() => server.terminate());
  /** The number of the connection by which a message was answered. */
  const post = async (path: string, signal = new AbortController().signal) => {
    const [{ port }] = await listening;
    const answer = await poster.post(`https://127.0.0.1:${port}${path}`, {
      key: 'a',
      headers: {},
      body: '{}',
      signal,
    });
    return answer.beginning.toString();
  };

  it('carries message after message', async () => {
    const first = await post('/');
    for (let time = 0; time < 20; time++) assert.equal(await post('/'), first);
  });

  it('keeps no caller waiting when it ends with its answer, though another is there', async () => {
    for (let time = 0; time < 5; time++) {
      const caller = new AbortController();
      let isSilent = true;
      const silent = assert
        .rejects(post('/silence', caller.signal), /given up|did not arrive/)
        .finally(() => {
          isSilent = false;
        });
      // Each turn of the event loop takes some time, and in the one after the answer another message is sent.
      const busy = setInterval(() => workFor(4), 1);
      await sleep(50);
      await post('/last');
      workFor(4);
      await sleep(1);
      await post('/');
      assert.ok(isSilent);
      clearInterval(busy);
      caller.abort(new Error('given up'));
      await silent;
    }
  });
});

function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('a stall', () => {
  it('is a timeout, and leaves no connection', async () => {
    const impatient = createSafePost({ ...options, totalMs: 300 });
    lab.web.on('/stall', dripHeaders(50));
    assert.equal(await outcome(lab.url('/stall'), impatient), 'timeout');
    lab.web.on('/stall', silence);
    assert.equal(await outcome(lab.url('/stall'), impatient), 'timeout');
    lab.web.isSilent = true;
    lab.names.answer('quiet.example.test', ['127.0.0.1']);
    assert.equal(await outcome(lab.url('/file', 'quiet'), impatient), 'timeout');
    lab.web.isSilent = false;
    while (lab.web.open > 0) await sleep(5);
    assert.equal(await outcome(lab.url('/file'), impatient), '200 five!');
  });
});
