import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeAuthority } from '../../../tools/fakes/authority.ts';
import {
  drip,
  dripHeaders,
  file,
  flood,
  raw,
  redirect,
  silence,
  status,
  thoughtful,
  WebHost,
} from '../../../tools/fakes/web-host.ts';
import { startLab } from './safe-fetch.fixture.ts';
import { createSafeFetch, FetchRefused } from './safe-fetch.ts';

const lab = await startLab();
lab.web.on('/file', file(Buffer.from('five!')));
const silent = await WebHost.start({ authority: lab.authority, hosts: ['*.example.test'] });
silent.isSilent = true;
after(() => silent.close());

const limit = 20_971_520;

describe('the deadline of ten seconds', { concurrency: true }, () => {
  const slow: Readonly<Record<string, () => string>> = {
    'a body that comes by the byte'() {
      lab.web.on('/drip', drip(200));
      return lab.url('/drip');
    },
    'headers that come by the line'() {
      lab.web.on('/drip-headers', dripHeaders(200));
      return lab.url('/drip-headers');
    },
    'headers that never come'() {
      lab.web.on('/silence', silence);
      return lab.url('/silence');
    },
    'a body that stops'() {
      lab.web.on('/stop', (_request, response) =>
        response.writeHead(200, { 'content-length': 10 }).write('five!'),
      );
      return lab.url('/stop');
    },
    'hints that go on and on'() {
      lab.web.on('/hints', ({ socket }) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      });
      return lab.url('/hints');
    },
    'a handshake that is not answered'() {
      lab.url('/file');
      return `https://www.example.test:${silent.port}/file`;
    },
    'name servers that are silent'() {
      lab.names.answer('silent.example.test', 'silence');
      return lab.url('/file', 'silent');
    },
    'name servers that become silent on the way'() {
      lab.names.answer('silenced.example.test', 'silence');
      lab.web.on('/to-silenced', redirect(302, lab.url('/file', 'silenced')));
      return lab.url('/to-silenced');
    },
    'the last redirect leads into silence'() {
      lab.web.on('/1', redirect(302, '/2'));
      lab.web.on('/2', redirect(302, '/3'));
      lab.web.on('/3', redirect(302, '/silence-too'));
      lab.web.on('/silence-too', silence);
      return lab.url('/1');
    },
    'redirects that take long together'() {
      lab.web.on('/slow1', thoughtful(3_600, redirect(302, '/slow2')));
      lab.web.on('/slow2', thoughtful(3_600, redirect(302, '/slow3')));
      lab.web.on('/slow3', thoughtful(3_600, file(Buffer.from('five!'))));
      return lab.url('/slow1');
    },
  };
  for (const [what, prepare] of Object.entries(slow)) {
    it(`ends ${what}`, async () => {
      const url = prepare();
      const began = performance.now();
      assert.equal(await lab.outcome(url), 'timeout');
      const seconds = (performance.now() - began) / 1_000;
      assert.ok(seconds >= 10 && seconds <= 16, `${seconds} s`);
    });
  }

  it('leaves a host in peace that answers after seven seconds', async () => {
    lab.web.on('/seven', thoughtful(7_000, file(Buffer.from('five!'))));
    assert.equal(await lab.outcome(lab.url('/seven')), '200 5');
  });

  it('does not count what is made of the bytes', async () => {
    const use = async (bytes: Buffer) => {
      await new Promise((resolve) => setTimeout(resolve, 10_500));
      return bytes.length;
    };
    assert.equal(await lab.fetchUrl(lab.url('/file'), { key: 'slow use', use }), 5);
  });

  it('is not needed when name servers are silent on one family only', async () => {
    lab.names.answerTo('A', 'half.example.test', ['127.0.0.1']);
    lab.names.answerTo('AAAA', 'half.example.test', 'silence');
    assert.equal(await lab.outcome(lab.url('/file', 'half')), '200 5');
    lab.names.answerTo('AAAA', 'half.example.test', 'failure');
    assert.equal(await lab.outcome(lab.url('/file', 'half')), '200 5');
  });
});

describe('the limit of 20 MiB', () => {
  /** What came of it, and how many bytes the process has read for it. */
  async function read(path: string): Promise<{ outcome: string; bytesRead: number }> {
    const sockets: { bytesRead: number }[] = [];
    const note = (message: unknown) => sockets.push((message as { socket: { bytesRead: number } }).socket);
    subscribe('net.client.socket', note);
    try {
      const outcome = await lab.outcome(lab.url(path));
      return { outcome, bytesRead: sockets.reduce((sum, socket) => sum + socket.bytesRead, 0) };
    } finally {
      unsubscribe('net.client.socket', note);
    }
  }

  const close = { connection: 'close' };
  for (const size of [20_000_000, limit]) {
    it(`lets ${size} bytes pass, however they are sent`, async () => {
      lab.web.on('/plain', flood(size, { 'content-length': String(size) }));
      lab.web.on('/chunked', flood(size));
      lab.web.on('/until-close', flood(size, { ...close, 'transfer-encoding': 'identity' }));
      for (const path of ['/plain', '/chunked', '/until-close'])
        assert.equal((await read(path)).outcome, `200 ${size}`, path);
    });
  }

  it('stops one byte later, and reads no more than it must', async () => {
    const size = limit + 1;
    lab.web.on('/plain', flood(size, { 'content-length': String(size) }));
    const plain = await read('/plain');
    assert.equal(plain.outcome, 'too_large');
    assert.ok(plain.bytesRead < 1_048_576, `${plain.bytesRead} bytes of it were read`);
    lab.web.on('/boast', flood(5, { 'content-length': '99999999999' }));
    assert.equal((await read('/boast')).outcome, 'too_large');
    lab.web.on('/chunked', flood(size));
    lab.web.on('/until-close', flood(size, { ...close, 'transfer-encoding': 'identity' }));
    lab.web.on('/endless', flood(Number.POSITIVE_INFINITY));
    lab.web.on(
      '/endless-until-close',
      flood(Number.POSITIVE_INFINITY, { ...close, 'transfer-encoding': 'identity' }),
    );
    for (const path of ['/chunked', '/until-close', '/endless', '/endless-until-close']) {
      const { outcome, bytesRead } = await read(path);
      assert.equal(outcome, 'too_large', path);
      assert.ok(bytesRead <= limit + 1_048_576, `${bytesRead} bytes of ${path} were read`);
    }
  });

  it('is not moved by a Content-Length that is too small: what is more is no part of the answer', async () => {
    lab.web.on('/modest', raw(`HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n${'x'.repeat(1_000)}`));
    assert.equal(await lab.outcome(lab.url('/modest')), 'unreachable');
    lab.web.on('/flood', ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n');
      const piece = Buffer.alloc(65_536);
      const send = () => {
        while (socket.writable && socket.write(piece));
      };
      socket.on('drain', send);
      send();
    });
    const { outcome, bytesRead } = await read('/flood');
    assert.ok(['unreachable', '200 10'].includes(outcome), outcome);
    assert.ok(bytesRead < 1_048_576);
  });

  it('holds for the bytes that are sent: nothing is inflated', async () => {
    const bomb = Buffer.concat(Array(200).fill(gzipSync(Buffer.alloc(1_048_576))));
    lab.web.on('/bomb', file(bomb, { 'content-encoding': 'gzip', 'content-type': 'image/png' }));
    const before = process.memoryUsage().rss;
    assert.equal(await lab.outcome(lab.url('/bomb')), `200 ${bomb.length}`);
    assert.ok(process.memoryUsage().rss - before < 32 * 1_048_576);
  });
});

describe('an answer that cannot be used', () => {
  it('is unreachable, whatever is wrong with it', async () => {
    const answers = {
      '204': status(204),
      '206': raw('HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nfive!'),
      '300': redirect(300, '/file'),
      '304': status(304),
      '305': redirect(305, '/file'),
      '400': status(400),
      '404': status(404),
      '503': status(503),
      'not HTTP': raw('secret words\r\n\r\n'),
      'a strange status': raw('HTTP/1.1 999 secret\r\n\r\n'),
      'another protocol': raw(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: secret\r\nConnection: upgrade\r\n\r\n',
      ),
      'no answer': raw(''),
      'half of the headers': raw('HTTP/1.1 200 OK\r\nX-Secret: secret'),
      'endless headers': raw(`HTTP/1.1 200 OK\r\n${'x-more: 1\r\n'.repeat(20_000)}`),
      'half of the body': raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!'),
      'half of the chunks': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive!\r\n'),
      'broken chunks': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsecret\r\n'),
      'two lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nfive!x'),
      'length and chunks': raw(
        'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive!\r\n0\r\n\r\n',
      ),
      'a negative length': raw('HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nfive!'),
      'a reset at once': lab.web.resetAfter(0),
      'a reset in the body': lab.web.resetAfter(100_000),
    };
    for (const [what, answer] of Object.entries(answers)) {
      lab.web.on('/broken', answer);
      await assert.rejects(
        lab.fetchUrl(lab.url('/broken'), { key: 'a', use: async () => undefined }),
        (error) => {
          assert.ok(error instanceof FetchRefused, what);
          assert.equal(error.reason, 'unreachable', what);
          assert.doesNotMatch(error.message, /secret/i, what);
          return true;
        },
        what,
      );
    }
  });

  it('says what it was that came instead of 200', async () => {
    await assert.rejects(
      lab.fetchUrl(lab.url('/nothing'), { key: 'a', use: async () => undefined }),
      new FetchRefused('unreachable', 'The host answered 404 instead of 200.'),
    );
  });

  it('is unreachable as long as the certificate is not that of the host', async (t) => {
    const strangers = [
      await WebHost.start({ authority: makeAuthority(), hosts: ['*.example.test'] }),
      await WebHost.start({ authority: lab.authority, hosts: ['secret.example.com', '127.0.0.9'] }),
    ];
    t.after(() => Promise.all(strangers.map((stranger) => stranger.close())));
    lab.names.answer('www.example.test', ['127.0.0.1']);
    for (const stranger of strangers) {
      stranger.on('/file', file(Buffer.from('five!')));
      for (const host of ['www.example.test', '127.0.0.1'])
        await assert.rejects(
          lab.fetchUrl(`https://${host}:${stranger.port}/file`, { key: 'a', use: async () => undefined }),
          { reason: 'unreachable', message: /^The certificate of the host is not valid \([A-Z_]+\)\.$/ },
        );
      assert.equal(stranger.requests.length, 0);
    }
  });

  it('is unreachable when there is no such name, no address or no server there', async () => {
    lab.names.answer('empty.example.test', []);
    lab.names.answer('failing.example.test', 'failure');
    lab.names.answer('closed.example.test', ['127.0.0.1']);
    const messages = new Map([
      ['unknown', /There is no host of this name/],
      ['empty', /no address \(ENODATA/],
      ['failing', /no address \(ESERVFAIL/],
      ['closed', /cannot be reached/],
    ]);
    for (const [name, message] of messages)
      await assert.rejects(
        lab.fetchUrl(`https://${name}.example.test:1/`, { key: 'a', use: async () => undefined }),
        { reason: 'unreachable', message },
      );
  });

  it('is looked for at the other addresses of the host', async () => {
    const fetchUrl = createSafeFetch({ allow: ['127.0.0.0/29', '::1'], userAgent: 'Lab' });
    lab.names.answer('many.example.test', ['127.0.0.5', '127.0.0.6', '127.0.0.1', '::1']);
    assert.equal(await lab.outcome(lab.url('/file', 'many'), fetchUrl), '200 5');
  });

  it('is looked for at six of them at most', async () => {
    const fetchUrl = createSafeFetch({ allow: ['127.0.1.0/24'], userAgent: 'Lab' });
    lab.names.answer(
      'crowd.example.test',
      Array.from({ length: 25 }, (_, index) => `127.0.1.${index}`),
    );
    assert.deepEqual(await lab.watched(lab.url('/file', 'crowd'), fetchUrl), {
      outcome: 'unreachable',
      connects: 6,
    });
  });
});
