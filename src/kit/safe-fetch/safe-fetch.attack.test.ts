import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { file, redirect, status } from '../../../tools/fakes/web-host.ts';
import { blockedAddresses, spellings } from './addresses.fixture.ts';
import { startLab } from './safe-fetch.fixture.ts';
import { createSafeFetch } from './safe-fetch.ts';

const lab = await startLab();
lab.web.on('/file', file(Buffer.from('five!')));
lab.names.answer('inside.example.test', ['127.0.0.2']);

/** Nothing was connected to, neither by the process's own account nor by that of the host that is off limits. */
async function assertBlocked(url: string, reason = 'blocked_host'): Promise<void> {
  const { outcome, connects } = await lab.watched(url);
  assert.deepEqual(
    { outcome, connects, inside: lab.inside.connections },
    { outcome: reason, connects: 0, inside: 0 },
    url,
  );
}

describe('a URL that is fetched', () => {
  it('is asked for with nothing but what is needed', async () => {
    assert.equal(await lab.outcome(lab.url('/file?a=1&b=%20#part')), '200 5');
    const { method, path, headers, serverName } = lab.web.requests.at(-1) ?? {};
    assert.deepEqual(
      { method, path, serverName },
      { method: 'GET', path: '/file?a=1&b=%20', serverName: 'www.example.test' },
    );
    assert.deepEqual(headers, {
      host: `www.example.test:${lab.web.port}`,
      'user-agent': 'Lab',
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'close',
    });
  });

  it('may have the dot at the end of its name, which no certificate has', async () => {
    lab.url('/file');
    assert.equal(await lab.outcome(`https://www.example.test.:${lab.web.port}/file`), '200 5');
    const { headers, serverName } = lab.web.requests.at(-1) ?? {};
    assert.deepEqual([headers?.host, serverName], [`www.example.test:${lab.web.port}`, 'www.example.test']);
  });

  it('may be an address that is allowed, in every spelling', async () => {
    for (const host of ['127.0.0.1', ...spellings['127.0.0.1'].split(' ')])
      assert.equal(await lab.outcome(`https://${host}:${lab.web.port}/file`), '200 5', host);
  });

  it('is asked for on a connection of its own each time, without the cookies of the last', async () => {
    lab.web.on('/cookie', status(200, { 'set-cookie': 'a=b; Path=/', connection: 'keep-alive' }));
    const before = lab.web.connections;
    assert.equal(await lab.outcome(lab.url('/cookie')), '200 0');
    assert.equal(await lab.outcome(lab.url('/cookie')), '200 0');
    assert.equal(lab.web.connections, before + 2);
    assert.equal(lab.web.requests.at(-1)?.headers.cookie, undefined);
  });
});

describe('an address that is not public', () => {
  it(`is not connected to: ${blockedAddresses.length} literals`, async () => {
    for (const { address } of blockedAddresses) {
      if (['127.0.0.1', '::ffff:7f00:1', '::ffff:127.0.0.1'].includes(address)) continue;
      // The URL parser does not take zone ids.
      const [host = ''] = address.split('%');
      await assertBlocked(`https://${isIP(host) === 6 ? `[${host}]` : host}:${lab.web.port}/file`);
    }
  });

  it('is not connected to in any spelling', async () => {
    const nothingAllowed = createSafeFetch({ allow: [], userAgent: 'Lab' });
    for (const host of Object.values(spellings).flatMap((hosts) => hosts.split(' '))) {
      const url = `https://${host}:${lab.web.port}/file`;
      assert.deepEqual(await lab.watched(url, nothingAllowed), { outcome: 'blocked_host', connects: 0 }, url);
    }
  });

  it('is not connected to by a name, of whatever kind and in whatever company', async () => {
    const answers = [
      ['127.0.0.2'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      ['::1', '127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.2'],
      ['::127.0.0.1'],
      ['2002:7f00:1::'],
      ['93.184.216.34', '10.0.0.1'],
      ['10.0.0.1', '93.184.216.34'],
      ['93.184.216.34', '2606:4700::1', 'fd00:ec2::254'],
      ['169.254.169.254', '2606:4700::1'],
      ['alias.example.test', '127.0.0.2'],
      ['alias.example.test', 'localhost', '127.0.0.1', '127.0.0.2'],
      [...Array.from({ length: 24 }, (_, index) => `93.184.216.${index}`), '127.0.0.2'],
    ];
    for (const [index, answer] of answers.entries()) {
      lab.names.answer(`mixed${index}.example.test`, answer);
      await assertBlocked(`https://mixed${index}.example.test:${lab.web.port}/file`);
    }
  });

  it('is not found by names that mean something inside only: these are not even looked up', async () => {
    const names =
      'localhost LOCALHOST localhost. localhost.. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ a.localhost printer.local PRINTER.Local. db.internal local ' +
      'internal metadata metadata.google.internal metadata.google.internal. metadata.goog instance-data intranet';
    const asked = lab.names.questions.length;
    for (const name of names.split(' ')) await assertBlocked(`https://${name}:${lab.web.port}/file`);
    assert.equal(lab.names.questions.length, asked);
    // Names that only look alike.
    for (const name of ['localhost.example.test', 'mylocal.example.test', 'metadata.goog.example.test']) {
      lab.names.answer(name, ['127.0.0.1']);
      await lab.outcome(`https://${name}:${lab.web.port}/file`);
      assert.equal(lab.names.count(name, 'A'), 1);
    }
  });

  it('is localhost where both of its addresses are allowed, and no name server is asked', async () => {
    const developing = createSafeFetch({ allow: ['127.0.0.0/8', '::1'], userAgent: 'Lab' });
    const asked = lab.names.questions.length;
    const url = `https://localhost:${lab.web.port}/file`;
    assert.match(await lab.outcome(url, developing), /^200 /);
    assert.equal(lab.names.questions.length, asked);
    for (const allow of [['127.0.0.0/8'], ['::1']])
      assert.equal(await lab.outcome(url, createSafeFetch({ allow, userAgent: 'Lab' })), 'blocked_host');
    for (const name of ['a.localhost', 'printer.local', 'metadata.google.internal'])
      assert.equal(await lab.outcome(`https://${name}:${lab.web.port}/file`, developing), 'blocked_host');
  });

  it('is not reached when the connection ends up elsewhere than it was sent to', async () => {
    // The kernel leads connections to 0.0.0.0 to 127.0.0.1.
    const misled = createSafeFetch({ allow: ['0.0.0.0/32'], userAgent: 'Lab' });
    const requests = lab.web.requests.length;
    const { outcome, connects } = await lab.watched(`https://0.0.0.0:${lab.web.port}/file`, misled);
    assert.deepEqual({ outcome, connects }, { outcome: 'blocked_host', connects: 1 });
    assert.equal(lab.web.requests.length, requests);
  });
});

describe('a name whose address changes between two questions', () => {
  it('is asked for once, and connected to at what was checked: 50 tries', async () => {
    for (let attempt = 0; attempt < 50; attempt++) {
      const name = `rebind${attempt}`;
      const [url, host] = [lab.url('/file', name), `${name}.example.test`];
      lab.names.answerTo('A', host, ['127.0.0.1'], ['127.0.0.2']);
      assert.equal(await lab.outcome(url), '200 5');
      assert.deepEqual([lab.names.count(host, 'A'), lab.names.count(host, 'AAAA')], [1, 1]);
      await assertBlocked(url);
    }
    assert.equal(lab.inside.connections, 0);
  });

  it('is asked for again when it redirects to itself', async () => {
    const url = lab.url('/again', 'turncoat');
    lab.names.answerTo('A', 'turncoat.example.test', ['127.0.0.1'], ['127.0.0.2']);
    lab.web.on('/again', redirect(302, '/file'));
    const { outcome, connects } = await lab.watched(url);
    assert.deepEqual(
      { outcome, connects, inside: lab.inside.connections },
      { outcome: 'blocked_host', connects: 1, inside: 0 },
    );
  });
});

describe('a URL that is not plain https', () => {
  it('is refused before anything else is looked at', async () => {
    const urls = [
      '',
      'file',
      '/file',
      'http://www.example.test/',
      'http://127.0.0.2/',
      'http://localhost/',
      'ftp://www.example.test/',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
      'blob:https://www.example.test/1',
      'javascript:alert(1)',
      'gopher://127.0.0.2/',
      'https://',
      'https://user@www.example.test/',
      'https://user:secret@127.0.0.2/',
      'https://:secret@www.example.test/',
      'https://www.example.test@127.0.0.2/',
      ' https://www.example.test/',
      'https://www.example.test/ ',
      'https://www.example.test/a b',
      'https://exa\nmple.test/',
      'https://lo\tcalhost/',
      'https://www.example.test/\u0000',
      'https://www.example.test/\u0085',
      'https://www.example.test/\u2028',
      'https://0o177.0.0.1/',
      'https://q177.0.0.1/',
      'https://256.256.256.256/',
      'https://4294967296/',
      'https://[fe80::1%25eth0]/',
      'https://[fe80::1%eth0]/',
      'https://127.0.0\u200d.1/',
      'https://www.example.test:65536/',
      `https://www.example.test/${'a'.repeat(2_048)}`,
      // Short as it is written, long as it would be sent.
      `https://www.example.test/${'é'.repeat(500)}`,
    ];
    for (const url of urls) await assertBlocked(url, 'invalid_url');
  });

  it('is read as browsers read it otherwise', async () => {
    lab.url('/file');
    const { port } = lab.web;
    for (const url of [
      `https:www.example.test:${port}/file`,
      `https:///www.example.test:${port}\\file`,
      `HTTPS://WWW.example.test:${port}/./x/../file`,
    ])
      assert.equal(await lab.outcome(url), '200 5', url);
    await assertBlocked(`https:127.0.0.2:${port}/file`);
    await assertBlocked(`https:\\\\127.0.0.2:${port}\\file`);
  });
});

describe('a redirect', () => {
  it('is followed three times, and no more', async () => {
    for (const [index, code] of [301, 302, 303, 307, 308].entries()) {
      for (let hop = 1; hop <= 4; hop++)
        lab.web.on(
          `/hop${hop}`,
          redirect(hop % 2 ? code : 302, hop === 1 ? '/file' : `/hop${hop - 1}?${index}`),
        );
      assert.equal(await lab.outcome(lab.url('/hop3')), '200 5', String(code));
      assert.equal(await lab.outcome(lab.url('/hop4')), 'too_many_redirects', String(code));
    }
    const before = lab.web.requests.length;
    lab.web.on('/loop', redirect(302, '/loop'));
    const began = performance.now();
    assert.equal(await lab.outcome(lab.url('/loop')), 'too_many_redirects');
    assert.ok(performance.now() - began < 2_000);
    assert.equal(lab.web.requests.length, before + 4);
  });

  it('says the same of a fourth one, wherever it leads', async () => {
    for (const location of ['https://127.0.0.2/', 'http://www.example.test/', 'nonsense:']) {
      lab.web.on('/hop1', redirect(302, location));
      assert.equal(await lab.outcome(lab.url('/hop4')), 'too_many_redirects', location);
    }
  });

  it('leads nowhere that the URL itself could not lead: with every status', async () => {
    const { port } = lab.web;
    const bad = {
      invalid_url: [
        `http://www.example.test:${port}/file`,
        `http://127.0.0.2:${port}/file`,
        'file:///etc/passwd',
        'data:,five!',
        'ftp://127.0.0.2/',
        'javascript:1',
        `https://user@www.example.test:${port}/file`,
        `//user:secret@127.0.0.2:${port}/file`,
        'https://[fe80::1%25eth0]/',
        'https://',
        '/fi le',
        `/${'a'.repeat(2_048)}`,
      ],
      blocked_host: [
        `https://127.0.0.2:${port}/file`,
        `//127.0.0.2:${port}/file`,
        `\\\\127.0.0.2:${port}/file`,
        `https:\\\\127.0.0.2:${port}\\file`,
        `https://2130706434:${port}/file`,
        `https://[::ffff:7f00:2]:${port}/file`,
        `https://[::1]:${port}/file`,
        `https://inside.example.test:${port}/file`,
        `//inside.example.test.:${port}/file`,
        'https://169.254.169.254/latest/meta-data/',
        `//localhost:${port}/file`,
        'https://metadata.google.internal./',
      ],
    };
    for (const [reason, locations] of Object.entries(bad)) {
      for (const location of locations) {
        for (const code of [301, 302, 303, 307, 308]) {
          lab.web.on('/away', redirect(code, location));
          const { outcome, connects } = await lab.watched(lab.url('/away'));
          assert.deepEqual({ outcome, connects }, { outcome: reason, connects: 1 }, `${code} ${location}`);
        }
      }
    }
    assert.equal(lab.inside.connections, 0);
  });

  it('must say where to, in a way that is understood', async () => {
    lab.web.on('/nowhere', status(302));
    assert.equal(await lab.outcome(lab.url('/nowhere')), 'unreachable');
    // Raw UTF-8, as many hosts send it.
    lab.web.on('/caf%C3%A9', file(Buffer.from('coffee')));
    lab.web.on('/raw', ({ socket }) => socket.end('HTTP/1.1 302 Found\r\nLocation: /café\r\n\r\n'));
    assert.equal(await lab.outcome(lab.url('/raw')), '200 6');
  });

  it('is taken for what it is in any chain, and nothing else is connected to', async () => {
    const { port } = lab.web;
    const step = fc.constantFrom(
      { location: '', reason: null },
      { location: `https://www.example.test:${port}`, reason: null },
      { location: `//127.0.0.1:${port}`, reason: null },
      { location: `https://other.example.test:${port}`, reason: null },
      { location: `http://www.example.test:${port}`, reason: 'invalid_url' },
      { location: `https://me@www.example.test:${port}`, reason: 'invalid_url' },
      { location: `https://127.0.0.2:${port}`, reason: 'blocked_host' },
      { location: `https://inside.example.test:${port}`, reason: 'blocked_host' },
      { location: `https://turning.example.test:${port}`, reason: 'blocked_host' },
      { location: 'https://localhost', reason: 'blocked_host' },
    );
    const chain = fc.array(fc.tuple(step, fc.constantFrom(301, 302, 303, 307, 308)), { maxLength: 5 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(chain, async (steps) => {
        const path = (hop: number) => (hop === steps.length ? '/file' : `/run${run}-${hop}`);
        run++;
        lab.names.answer('other.example.test', ['127.0.0.1']);
        lab.names.answer('turning.example.test', ['127.0.0.1', '127.0.0.2'], ['127.0.0.1']);
        for (const [hop, [{ location }, code]] of steps.entries())
          lab.web.on(path(hop), redirect(code, location + path(hop + 1)));
        const wrong = steps.findIndex(([{ reason }]) => reason !== null);
        const followed = wrong === -1 ? steps.length : wrong;
        const expected =
          followed > 3
            ? 'too_many_redirects'
            : wrong === 3
              ? 'too_many_redirects'
              : (steps[wrong]?.[0].reason ?? '200 5');
        const before = lab.web.requests.length;
        const { outcome, connects } = await lab.watched(lab.url(path(0)));
        assert.equal(outcome, expected);
        assert.equal(connects, Math.min(followed, 3) + 1);
        assert.equal(lab.web.requests.length - before, connects);
        assert.equal(lab.inside.connections, 0);
      }),
      { numRuns: 150 },
    );
  });
});
