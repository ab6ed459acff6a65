import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerFacts } from './answer-facts.ts';
import { RawClient } from './raw-client.fixture.ts';
import type { HttpServerOptions } from './server.ts';
import { startTestApp, type TestApp, type TestCtx } from './test-app.fixture.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.server.close());

async function call(path: string, init: RequestInit = {}, at: TestApp = app) {
  const response = await fetch(`${at.url}${path}`, init);
  const body = await response.text();
  return { status: response.status, headers: response.headers, body, json: () => JSON.parse(body) };
}

function json(body: unknown, method = 'POST'): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Runs `use` against an application of its own. */
async function withApp(
  overrides: Partial<HttpServerOptions<TestCtx>>,
  use: (own: TestApp) => Promise<void>,
): Promise<void> {
  const own = await startTestApp(overrides);
  try {
    await use(own);
  } finally {
    own.release();
    await own.server.close();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

test('a large answer of JSON to a reading client is compressed where the client takes that', async () => {
  const coding = async (path: string, headers: Record<string, string>, method = 'GET') => {
    const reply = await call(path, { method, headers });
    return [reply.headers.get('content-encoding'), reply.headers.get('vary')];
  };
  const gzip = { 'accept-encoding': 'gzip, br' };
  const plain = await call('/letters/5000', { headers: { 'accept-encoding': 'identity' } });
  const packed = await call('/letters/5000', { headers: gzip });
  assert.deepEqual(packed.json(), plain.json());
  assert.ok(Number(packed.headers.get('content-length')) < 500, String(plain.headers.get('content-length')));
  assert.deepEqual(await coding('/letters/5000', gzip), ['gzip', 'accept-encoding']);
  assert.deepEqual(await coding('/letters/5000', { 'accept-encoding': 'gzip;q=0' }), [
    null,
    'accept-encoding',
  ]);
  // Small, or an answer to a change: the same bytes as ever.
  assert.deepEqual(await coding('/letters/100', gzip), [null, null]);
  assert.deepEqual(await coding('/letters/5000', gzip, 'POST'), [null, null]);
});

test('an endpoint gets what was sent and its answer is sent as it stands', async () => {
  const created = await call('/v1/items', json({ name: 'é😀', points: 9_007_199_254_740_991, note: null }));
  assert.equal(created.status, 200);
  assert.deepEqual(created.json().body, { name: 'é😀', points: 9_007_199_254_740_991, note: null });
  assert.equal(created.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(created.headers.get('cache-control'), 'no-store');
  assert.equal(created.headers.get('ratelimit'), '"test";r=9');
  const listed = await call('/items?limit=10');
  assert.deepEqual(listed.json().query, { limit: '10' });
  const changed = await call('/items/a%2Fb%20%C3%A9', json({ name: 'x' }, 'PATCH'));
  assert.deepEqual(changed.json().params, { itemId: 'a/b é' });
});

test('a run of slashes counts as one only where that is configured', async () => {
  const status = async (own: TestApp, path: string) => (await fetch(`${own.url}${path}`)).status;
  await withApp({ mergeSlashesBelow: ['/items/'] }, async (own) => {
    for (const path of ['/items//a', '/items///a?b=//', '/v1/items//a'])
      assert.equal(await status(own, path), path.includes('?') ? 400 : 200, path);
    const decoded = (await (await fetch(`${own.url}/items//a%2F%2Fb`)).json()) as { params: unknown };
    assert.deepEqual(decoded.params, { itemId: 'a//b' });
    for (const path of ['//items/a', '//hello', '/page//a']) assert.equal(await status(own, path), 404, path);
  });
});

test('a page has its media type and headers, 304 and 204 have neither type nor body', async () => {
  const page = await call('/page/abc');
  assert.equal(page.body, '<p>card</p>');
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('cache-control'), 'max-age=60');
  const unchanged = await call('/page/abc', { headers: { 'if-none-match': '"1"' } });
  assert.equal(unchanged.status, 304);
  assert.equal(unchanged.headers.get('etag'), '"1"');
  const deleted = await call('/items/1', { method: 'DELETE' });
  assert.deepEqual([deleted.status, deleted.body, deleted.headers.get('content-type')], [204, '', null]);
});

test('HEAD answers as GET does, without the body', async () => {
  const full = await call('/items?limit=5');
  const head = await call('/items?limit=5', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.body, '');
  for (const name of ['content-length', 'content-type', 'cache-control']) {
    assert.equal(head.headers.get(name), full.headers.get(name), name);
  }
});

test('errors of a page are a page when the client reads HTML, the error body otherwise', async () => {
  const page = await call('/page/gone', { headers: { accept: 'text/html,*/*' } });
  assert.equal(page.status, 404);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  assert.match(page.body, /^<h1>instance_not_found<\/h1>/);
  assert.ok(page.body.includes(page.headers.get('x-request-id') ?? 'none'));
  const plain = await call('/page/gone', { headers: { accept: 'application/json' } });
  assert.equal(plain.json().code, 'instance_not_found');
  const other = await call('/items?x=1', { headers: { accept: 'text/html' } });
  assert.equal(other.json().code, 'invalid_request');
});

test('a failing error page falls back to an error body', () =>
  withApp(
    {
      errorPage() {
        throw new Error('no template');
      },
    },
    async (own) => {
      const page = await call('/page/gone', { headers: { accept: 'text/html' } }, own);
      assert.equal(page.status, 500);
      assert.equal(page.json().code, 'internal_error');
      assert.match(String(own.errors[0]?.err), /no template/);
    },
  ));

test('other media types reach the handler as declared', async () => {
  async function hook(type: string, body: string | Uint8Array<ArrayBuffer>) {
    return call('/hooks', { method: 'POST', body, headers: { 'content-type': type } });
  }
  assert.deepEqual((await hook('application/json', '{"a": 1}\n')).json(), { hex: '7b2261223a20317d0a' });
  const large = new Uint8Array(300_000).fill(7);
  assert.deepEqual((await hook('application/json', large)).json(), { hex: '07'.repeat(300_000) });
  assert.deepEqual((await hook('text/csv; charset=utf-8', 'é,1\n')).json(), { body: 'é,1\n' });
  const form = await hook('application/x-www-form-urlencoded', 'a=1+2&b=%C3%A9&c');
  assert.deepEqual(form.json(), { body: { a: '1 2', b: 'é', c: '' } });
  assert.deepEqual((await call('/hooks', { method: 'POST' })).json(), { body: null });
  assert.match(
    (await hook('application/x-www-form-urlencoded', 'a=1&a=2')).json().error,
    /form field a is given twice/,
  );
  assert.match((await hook('text/csv', new Uint8Array([0xff]))).json().error, /UTF-8/);
  assert.match((await hook('text/csv', 'a\0')).json().error, /NUL/);
});

test('whatever a handler throws is answered without a word about it, and logged once', async () => {
  for (const how of ['plain', 'header', 'error-header', 'bigint', 'undefined']) {
    const logged = app.errors.length;
    const failed = await call(`/fail/${how}`);
    assert.equal(failed.status, 500, how);
    const requestId = failed.headers.get('x-request-id');
    const error = 'Something failed on our side. Contact support with this requestId.';
    assert.deepEqual(failed.json(), { error, code: 'internal_error', requestId });
    const lines = app.errors.slice(logged);
    assert.deepEqual(
      lines.map((line) => [line.requestId, line.op]),
      [[requestId, 'fail']],
      how,
    );
  }
  const [{ err } = { err: null }] = app.errors;
  assert.match(String((err as Error).stack), /secret SQL text\n\s+at /);
  const retryable = await call('/fail/retryable');
  assert.equal(retryable.json().retryable, true);
  assert.equal(retryable.json().error, 'Retry.');
});

test('a probe that succeeds is a line of level debug; one that fails is of a higher level', async () => {
  const lines: [level: string, op: unknown, status: unknown][] = [];
  const write = (level: string) => (fields: object) => {
    const { op, status } = fields as Record<string, unknown>;
    lines.push([level, op, status]);
  };
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const isVital = ({ path }: { path: string }) => path === '/hello' || path === '/fail/{how}';
  await withApp({ log, isVital }, async (own) => {
    for (const path of ['/hello', '/fail/plain', '/page/x', '/nowhere']) await fetch(`${own.url}${path}`);
    await until(() => lines.filter(([level]) => level !== 'error').length === 4);
    assert.deepEqual(
      lines.filter(([level]) => level !== 'error').map(([level, , status]) => [level, status]),
      [
        ['debug', 200],
        ['info', 500],
        ['info', 200],
        ['info', 404],
      ],
    );
  });
});

test('the log has one line per request, with the pattern of the path and nothing secret', async () => {
  app.infos.length = 0;
  const headers = { authorization: 'Bearer key-1', 'x-request-id': 'log-test' };
  await call('/page/secret-token?utm=secret-query', { headers });
  await call('/page/secret-token/more', { headers: { ...headers, authorization: 'Bearer bad' } });
  await until(() => app.infos.length === 2);
  const [page, unknown] = app.infos.map(({ ms, ...fields }) => ({ ...fields, timed: Number(ms) >= 0 }));
  const fields = { requestId: 'log-test', method: 'GET', timed: true };
  assert.deepEqual(page, {
    ...fields,
    op: 'showPage',
    route: '/page/{token}',
    status: 200,
    code: null,
    keyId: 'Bearer key-1',
  });
  assert.deepEqual(unknown, { ...fields, op: null, route: null, status: 404, code: 'route_not_found' });
});

test('onAnswer is called for every answer, and its failure harms no caller', async () => {
  const facts: AnswerFacts[] = [];
  await withApp(
    {
      onAnswer(fact) {
        facts.push(fact);
        throw new Error('metrics are down');
      },
    },
    async (own) => {
      await call('/items', json({ name: '' }), own);
      const client = new RawClient(own.port);
      client.send('garbage\r\n\r\n');
      await client.answer();
      await until(() => facts.length === 2 && own.errors.length === 2);
      const [first, second] = facts;
      assert.deepEqual(
        [first?.op, first?.path, first?.status, first?.code, first?.ctx],
        ['createItem', '/items', 400, 'invalid_request', { caller: 'anonymous' }],
      );
      assert.deepEqual([second?.op, second?.status, second?.code], [null, 400, 'invalid_request']);
    },
  );
});

test('admission sees the caller, the route and every Authorization header', async () => {
  const seen: unknown[] = [];
  const admitAll: HttpServerOptions<TestCtx>['admit'] = async ({
    requestId,
    ip,
    method,
    url,
    route,
    authorizations,
  }) => {
    seen.push({
      requestId,
      ip,
      method,
      url,
      route: route && `${route.method} ${route.path}`,
      authorizations,
    });
    return { caller: 'x' };
  };
  await withApp({ admit: admitAll, trustProxy: ['127.0.0.0/8'] }, async (own) => {
    const client = new RawClient(own.port);
    const forwarded = 'X-Forwarded-For: 198.51.100.1, 203.0.113.9\r\n';
    client.send(
      `HEAD /v1/items?limit=1 HTTP/1.1\r\nHost: a\r\nX-Request-Id: r1\r\n${forwarded}Authorization: Bearer a\r\nauthorization: Basic b\r\n\r\n`,
    );
    assert.equal((await client.answer('HEAD'))?.status, 200);
    client.send('GET /nope HTTP/1.1\r\nHost: a\r\nX-Request-Id: r2\r\n\r\n');
    assert.equal((await client.answer())?.status, 404);
    client.destroy();
  });
  assert.deepEqual(seen, [
    {
      requestId: 'r1',
      ip: '203.0.113.9',
      method: 'HEAD',
      url: '/items?limit=1',
      route: 'GET /items',
      authorizations: ['Bearer a', 'Basic b'],
    },
    { requestId: 'r2', ip: '127.0.0.1', method: 'GET', url: '/nope', route: null, authorizations: [] },
  ]);
});

test('without a trusted proxy X-Forwarded-For is not believed', () => {
  const ips: string[] = [];
  const note: HttpServerOptions<TestCtx>['admit'] = async ({ ip }) => {
    ips.push(ip);
    return { caller: 'x' };
  };
  return withApp({ admit: note }, async (own) => {
    await call('/hello', { headers: { 'x-forwarded-for': '203.0.113.9' } }, own);
    assert.deepEqual(ips, ['127.0.0.1']);
  });
});

test('an admission that fails, or sets an impossible header, is an internal error', async () => {
  const failures: HttpServerOptions<TestCtx>['admit'][] = [
    async () => {
      throw new Error('no database');
    },
    async (admission) => {
      admission.setHeader('X-Bad', 'a\r\nX-Injected: 1');
      return { caller: 'x' };
    },
  ];
  for (const admit of failures) {
    await withApp({ admit }, async (own) => {
      const failed = await call('/hello', {}, own);
      assert.equal(failed.status, 500);
      assert.equal(failed.json().code, 'internal_error');
      assert.equal(failed.headers.get('x-injected'), null);
      assert.equal(own.errors.length, 1);
    });
  }
});

test('beyond the most requests in flight the rest is refused for now, vital routes excepted', () =>
  withApp({ maxInFlight: 2, isVital: (route) => route.path === '/hello' }, async (own) => {
    const held = [call('/held', { method: 'POST' }, own), call('/held', { method: 'POST' }, own)];
    await own.held(2);
    const shed = await call('/items', {}, own);
    assert.equal(shed.status, 503);
    assert.equal(shed.json().code, 'overloaded');
    assert.match(shed.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await call('/hello', {}, own)).status, 200);
    own.release();
    assert.deepEqual(
      (await Promise.all(held)).map((answer) => answer.status),
      [200, 200],
    );
    assert.equal((await call('/items', {}, own)).status, 200);
  }));

test('when all handlers are busy, the rest is refused before admission; health checks are not', () =>
  withApp({ maxBusy: 2, isVital: (route) => route.path === '/hello' }, async (own) => {
    const held = ['ada', 'bea'].map((name) =>
      call('/held', { method: 'POST', headers: { authorization: `Bearer ${name}` } }, own),
    );
    await own.held(2);
    for (const headers of [
      {},
      { authorization: 'Bearer eve' },
      { authorization: 'BEARER ada' },
      { authorization: 'Bearer bad' },
      { connection: 'close' },
    ]) {
      const shed = await call('/items?limit=1', { headers: { ...headers, 'x-request-id': 'mine' } }, own);
      assert.equal(shed.status, 503);
      assert.deepEqual(Object.keys(shed.json()), ['error', 'code', 'requestId']);
      assert.equal(shed.json().code, 'overloaded');
      assert.equal(shed.json().requestId, 'mine');
      assert.equal(shed.headers.get('x-request-id'), 'mine');
      assert.equal(shed.headers.get('retry-after'), '1');
      assert.equal(shed.headers.get('cache-control'), 'no-store');
    }
    assert.equal((await call('/hello', {}, own)).status, 200);
    assert.equal((await call('/v1/hello', {}, own)).status, 200);
    own.release();
    assert.deepEqual(
      (await Promise.all(held)).map((answer) => answer.status),
      [200, 200],
    );
    assert.equal((await call('/items', {}, own)).status, 200);
  }));

test('a handler whose client has gone counts as load until it ends, then is logged as 499', () =>
  withApp({ maxInFlight: 1, timeouts: { checkMs: 20 } }, async (own) => {
    const client = new RawClient(own.port);
    client.send(
      'POST /held HTTP/1.1\r\nHost: a\r\n\r\nGET /hello HTTP/1.1\r\nHost: a\r\nX-Request-Id: queued\r\n\r\n',
    );
    await own.held(1);
    client.destroy();
    await until(() => own.infos.length === 2);
    assert.deepEqual(
      own.infos.map((line) => [line.op, line.status]).sort(),
      [
        ['hello', 503],
        ['hold', 499],
      ].sort(),
    );
    assert.equal((await call('/items', {}, own)).status, 503);
    own.release();
    let status = 503;
    while (status === 503) ({ status } = await call('/items', {}, own));
    assert.equal(status, 200);
  }));

test('a stream is sent as it comes, and stopped when its client goes', () =>
  withApp({}, async (own) => {
    const finite = await call('/stream/finite', {}, own);
    assert.equal(finite.body, 'data: 1\n\ndata: 2\n\n');
    assert.equal(finite.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const abort = new AbortController();
    const response = await fetch(`${own.url}/stream/endless`, { signal: abort.signal });
    const reader = response.body?.getReader();
    assert.match(Buffer.from((await reader?.read())?.value ?? []).toString(), /^data: tick/);
    abort.abort();
    await until(() => own.infos.length === 2);
    assert.equal(own.infos[1]?.op, 'stream');
  }));

test(
  'slow clients are answered 408 or cut off, and others are served in the meantime',
  { timeout: 60_000 },
  () =>
    withApp({ timeouts: { headersMs: 3_000, requestMs: 5_000, checkMs: 50 } }, async (own) => {
      const starts = [
        'GET /hello HTTP/1.1\r\nHost: a\r\nX-',
        // At ten bytes a second it would take longer than it may.
        'POST /items HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ];
      const slow = Array.from({ length: 40 }, (_, index) => {
        const client = new RawClient(own.port);
        client.send(starts[index % 2] ?? '');
        return client;
      });
      const drip = setInterval(() => {
        for (const client of slow) if (client.socket.writable) client.send('a');
      }, 100);
      const unused = new RawClient(own.port);
      const answers = await Promise.all(
        slow.map(async (client) => {
          assert.equal((await call('/hello', {}, own)).status, 200);
          return client.answer();
        }),
      );
      clearInterval(drip);
      for (const answer of answers) {
        assert.equal(answer?.status, 408);
        assert.equal(JSON.parse(answer?.body ?? '').code, 'request_timeout');
        assert.equal(answer?.headers.connection, 'close');
      }
      // The headers of a request are waited for, but nothing was ever asked here.
      assert.equal(await unused.end(), '');
    }),
);

test('a client that does not take its answer is cut off', { timeout: 60_000 }, () =>
  withApp({ timeouts: { requestMs: 300, checkMs: 50 } }, async (own) => {
    const client = new RawClient(own.port);
    client.socket.pause();
    client.send('GET /big HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => own.infos.length === 1);
    assert.equal(own.infos[0]?.op, 'big');
    client.destroy();
  }),
);

test('a refusal of the application keeps its headers', async () => {
  const limited = await call('/hello', { headers: { 'x-limit': 'reached' } });
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get('retry-after'), '1');
  assert.deepEqual(limited.json().code, 'rate_limited');
});
