import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from './raw-client.fixture.ts';
import { startTestApp, type TestApp } from './test-app.fixture.ts';

/** Bytes sent on a fresh connection, the status and code that must come back, and what the next request on it may expect. */
type Probe = [name: string, bytes: string, status: number, code?: string | null, allow?: string];

const HOST = 'Host: localhost\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

function request(line: string, headers = '', body = ''): string {
  return `${line} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

function get(target: string, headers = ''): string {
  return request(`GET ${target}`, headers);
}

function post(body: string, headers = JSON_TYPE, target = '/items'): string {
  return request(
    `POST ${target}`,
    `${headers}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n`,
    body,
  );
}

const parser: Probe[] = [
  ['garbage', 'garbage\r\n\r\n', 400],
  ['a TLS greeting', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${'\x00'.repeat(50)}`, 400],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown method', request('FOO /hello'), 400],
  ['a method in lower case', request('get /hello'), 400],
  ['HTTP/0.9', 'GET /hello\r\n\r\n', 400],
  ['HTTP/1.2', `GET /hello HTTP/1.2\r\n${HOST}\r\n`, 400],
  ['HTTP/2.0 in the text form', `GET /hello HTTP/2.0\r\n${HOST}\r\n`, 400],
  ['HTTP/3.0 in the text form', `GET /hello HTTP/3.0\r\n${HOST}\r\n`, 400],
  ['a space in the target', get('/hel lo'), 400],
  ['a NUL in the target', get('/hel\0lo'), 400],
  ['a tab in the target', get('/hel\tlo'), 400],
  ['Latin-1 in the target', get('/h\xe9llo'), 400],
  ['an authority as target', get('localhost:80'), 400],
  ['a control character in a header', get('/hello', 'X-A: a\x01b\r\n'), 400],
  ['a NUL in a header', get('/hello', 'X-A: a\0b\r\n'), 400],
  ['a space before the colon', `GET /hello HTTP/1.1\r\nHost : localhost\r\n\r\n`, 400],
  ['a header without a colon', get('/hello', 'nocolon\r\n'), 400],
  ['a header without a name', get('/hello', ': x\r\n'), 400],
  ['a folded header', get('/hello', 'X-A: a\r\n b\r\n'), 400],
  ['bare LF line ends', 'GET /hello HTTP/1.1\nHost: localhost\n\n', 400],
  ['one bare LF', 'GET /hello HTTP/1.1\r\nHost: localhost\n\r\n', 400],
  ['bare CR line ends', 'GET /hello HTTP/1.1\rHost: localhost\r\r', 400],
  [
    'Content-Length before chunked',
    request('POST /items', `Content-Length: 5\r\n${CHUNKED}`, '0\r\n\r\n'),
    400,
  ],
  [
    'chunked before Content-Length',
    request('POST /items', `${CHUNKED}Content-Length: 5\r\n`, '0\r\n\r\n'),
    400,
  ],
  ['two different lengths', request('POST /items', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), 400],
  ['two equal lengths', request('POST /items', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
  ['a list of lengths', request('POST /items', 'Content-Length: 2, 2\r\n', '{}'), 400],
  ['a negative length', request('POST /items', 'Content-Length: -1\r\n'), 400],
  ['a length with a sign', request('POST /items', 'Content-Length: +2\r\n', '{}'), 400],
  ['a hexadecimal length', request('POST /items', 'Content-Length: 0x2\r\n', '{}'), 400],
  ['an empty length', request('POST /items', 'Content-Length: \r\n'), 400],
  ['a length of twenty digits', request('POST /items', 'Content-Length: 99999999999999999999\r\n'), 400],
  ['Transfer-Encoding: gzip', request('POST /items', 'Transfer-Encoding: gzip\r\n', '0\r\n\r\n'), 400],
  ['chunked not last', request('POST /items', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 400],
  ['chunked misspelt', request('POST /items', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  [
    'chunked after a vertical tab',
    request('POST /items', 'Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'),
    400,
  ],
  ['chunked with a space before the colon', request('POST /items', 'Transfer-Encoding : chunked\r\n'), 400],
  ['a chunk size that is no number', request('POST /items', JSON_TYPE + CHUNKED, 'zz\r\n'), 400],
  ['a chunk longer than its size', request('POST /items', JSON_TYPE + CHUNKED, '2\r\n{}XX0\r\n\r\n'), 400],
  [
    '20 kB of chunk extensions',
    request('POST /items', JSON_TYPE + CHUNKED, `2;${'a'.repeat(20_000)}`),
    413,
    'request_too_large',
  ],
  ['a header of 20 kB', get('/hello', `X-A: ${'a'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
  ['a header of 2 MB', get('/hello', `X-A: ${'a'.repeat(2_000_000)}\r\n`), 431, 'headers_too_large'],
  ['9,000 headers', get('/hello', 'a: b\r\n'.repeat(9_000)), 431, 'headers_too_large'],
  ['a URL of 20 kB', get(`/${'a'.repeat(20_000)}`), 414, 'uri_too_long'],
  ['a query of 200 kB', get(`/hello?${'a'.repeat(200_000)}`), 414, 'uri_too_long'],
  [
    'CONNECT',
    request('CONNECT localhost:443'),
    405,
    'method_not_allowed',
    'GET, HEAD, POST, PUT, PATCH, DELETE',
  ],
];

const targets: Probe[] = [
  ['a plain request', get('/hello'), 200],
  ['the same below /v1', get('/v1/hello'), 200],
  ['an absolute target', get('http://localhost/v1/hello'), 200],
  ['an absolute target without a path', get('http://localhost'), 404, 'route_not_found'],
  ['another version', get('/v2/hello'), 404, 'route_not_found'],
  ['the version twice', get('/v1/v1/hello'), 404, 'route_not_found'],
  ['the version alone', get('/v1'), 404, 'route_not_found'],
  ['a path that only starts like the version', get('/v1hello'), 404, 'route_not_found'],
  ['a trailing slash', get('/hello/'), 404, 'route_not_found'],
  ['a doubled slash', get('//hello'), 404, 'route_not_found'],
  ['upper case', get('/HELLO'), 404, 'route_not_found'],
  ['dots', get('/items/../hello'), 404, 'route_not_found'],
  ['an asterisk', request('OPTIONS *'), 404, 'route_not_found'],
  ['a malformed body for an unknown path', post('{"a":', JSON_TYPE, '/nope'), 404, 'route_not_found'],
  ['a wrong method', request('DELETE /hello'), 405, 'method_not_allowed', 'GET, HEAD'],
  ['TRACE', request('TRACE /hello'), 405, 'method_not_allowed', 'GET, HEAD'],
  ['OPTIONS', request('OPTIONS /items'), 405, 'method_not_allowed', 'GET, HEAD, POST'],
  ['PROPFIND', request('PROPFIND /items/1'), 405, 'method_not_allowed', 'GET, HEAD, PATCH, DELETE'],
  ['HEAD', request('HEAD /hello'), 200],
  ['HEAD of an unknown path', request('HEAD /nope'), 404, null],
  ['%zz', get('/items/%zz'), 400],
  ['a percent sign', get('/items/%'), 400],
  ['%ff', get('/items/%ff'), 400],
  ['an overlong encoding', get('/items/%c0%af'), 400],
  ['an encoded surrogate', get('/items/%ed%a0%80'), 400],
  ['an encoded NUL', get('/items/a%00b'), 400],
  ['an encoded %00', get('/items/a%2500b'), 200],
  ['a URL of 9 kB', get(`/${'a'.repeat(9_000)}`), 414, 'uri_too_long'],
  ['a parameter of 3 kB', get(`/items/${'a'.repeat(3_000)}`), 414, 'uri_too_long'],
  ['a fragment', get('/hello#x'), 400],
  ['an empty query', get('/hello?'), 200],
  ['an unknown query parameter', get('/hello?x=1'), 400],
  ['a query parameter given twice', get('/items?limit=1&limit=2'), 400],
  ['a query parameter that is not UTF-8', get('/items?limit=%ff'), 400],
  ['a query parameter with NUL', get('/items?limit=%00'), 400],
  ['__proto__ in the query', get('/items?__proto__=1'), 400],
  ['tracking parameters on a page', get('/page/abc?utm_source=mail&fbclid=x'), 200],
];

const headers: Probe[] = [
  ['no Host', 'GET /hello HTTP/1.1\r\n\r\n', 400],
  ['two Hosts', get('/hello', 'Host: other\r\n'), 400],
  ['the same Host twice', get('/hello', 'HOST: localhost\r\n'), 400],
  ['a list of Hosts', 'GET /hello HTTP/1.1\r\nHost: a, b\r\n\r\n', 400],
  ['a Host with a path', 'GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n', 400],
  ['a Host with a user', 'GET /hello HTTP/1.1\r\nHost: u@a\r\n\r\n', 400],
  ['an IPv6 Host', 'GET /hello HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n', 200],
  ['HTTP/1.0 without Host', 'GET /hello HTTP/1.0\r\n\r\n', 200],
  ['HTTP/1.0 with two Hosts', 'GET /hello HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n', 400],
  ['Expect: something', post('{}', `Expect: something\r\n${JSON_TYPE}`), 417, 'expectation_failed'],
  ['Expect: 100-continue', post('{"name":"a"}', `Expect: 100-continue\r\n${JSON_TYPE}`), 200],
  ['a WebSocket upgrade', get('/hello', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
  ['an h2c upgrade', get('/hello', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'), 200],
  ['Accept-Version', get('/hello', 'Accept-Version: 2.x\r\n'), 200],
  ['2,500 headers', get('/hello', 'a:b\r\n'.repeat(2_500)), 200],
  ['empty lines before the request', `\r\n\r\n${get('/hello')}`, 200],
  ['bytes after Connection: close', `${get('/hello', 'Connection: close\r\n')}EXTRA\r\n\r\n`, 200],
];

const GZIPPED = 'Transfer-Encoding: gzip, chunked\r\n';
const old = (headers: string) => `POST /items HTTP/1.0\r\n${HOST}${JSON_TYPE}${headers}\r\n`;

/** After each of these the connection is closed, and what follows is not carried out. */
const framing: Probe[] = [
  ['HTTP/1.0 in chunks', `${old(CHUNKED)}0\r\n\r\n`, 400],
  ['HTTP/1.0 in chunks, kept open', `${old(`Connection: keep-alive\r\n${CHUNKED}`)}0\r\n\r\n`, 400],
  ['gzip in chunks', request('POST /items', JSON_TYPE + GZIPPED, '0\r\n\r\n'), 501, 'not_implemented'],
  [
    'gzip and chunks in two headers',
    request('POST /items', `${JSON_TYPE}Transfer-Encoding: gzip\r\n${CHUNKED}`, '0\r\n\r\n'),
    501,
    'not_implemented',
  ],
  ['gzip in chunks on GET', request('GET /hello', GZIPPED, '0\r\n\r\n'), 501, 'not_implemented'],
  [
    'gzip in chunks with an expectation',
    request('POST /items', `Expect: something\r\n${GZIPPED}`, '0\r\n\r\n'),
    501,
    'not_implemented',
  ],
  ['chunks in chunks', request('POST /items', `Transfer-Encoding: chunked, chunked\r\n`, '0\r\n\r\n'), 400],
  ['gzip without chunks', request('POST /items', `Transfer-Encoding: gzip\r\n`, '0\r\n\r\n'), 400],
];

const bodies: Probe[] = [
  ['malformed JSON', post('{"name":}'), 400],
  ['no body at all', request('POST /items', JSON_TYPE), 400],
  ['an empty body', post(''), 400],
  ['an empty chunked body', request('POST /items', JSON_TYPE + CHUNKED, '0\r\n\r\n'), 400],
  ['a body left out where it may be', request('PATCH /items/1'), 200],
  [
    'an empty body with a type where it may be left out',
    request('PATCH /items/1', `${JSON_TYPE}Content-Length: 0\r\n`),
    200,
  ],
  [
    'null where a body may be left out',
    request('PATCH /items/1', `${JSON_TYPE}Content-Length: 4\r\n`, 'null'),
    400,
  ],
  ['an array', post('[]'), 400],
  ['a number as a string', post('{"name":"a","points":"5"}'), 400],
  ['null for a number', post('{"name":"a","points":null}'), 400],
  ['null where it is allowed', post('{"name":"a","note":null}'), 200],
  ['an unknown property', post('{"name":"a","admin":true}'), 400],
  ['a property given twice', post('{"name":"a","name":"b"}'), 400],
  ['__proto__', post('{"name":"a","__proto__":{}}'), 400],
  ['an unsafe integer', post('{"name":"a","points":9007199254740993}'), 400],
  ['1e400', post('{"name":"a","points":1e400}'), 400],
  ['NUL', post('{"name":"a\\u0000"}'), 400],
  ['half a surrogate pair', post('{"name":"\\ud83d"}'), 400],
  ['invalid UTF-8', post('{"name":"\xff"}'), 400],
  ['a byte order mark', post('\xef\xbb\xbf{"name":"a"}'), 400],
  ['100,000 brackets', post('['.repeat(100_000)), 400],
  ['a mebibyte and a byte', post(`{"name":"${'a'.repeat(1_048_576 - 10)}"}`), 413, 'request_too_large'],
  [
    'the same, and closing',
    post(`{"name":"${'a'.repeat(1_048_576 - 10)}"}`, `Connection: close\r\n${JSON_TYPE}`),
    413,
    'request_too_large',
  ],
  [
    'the same in chunks',
    request('POST /items', JSON_TYPE + CHUNKED, `100001\r\n${'a'.repeat(1_048_577)}\r\n0\r\n\r\n`),
    413,
    'request_too_large',
  ],
  [
    'more than the limit of the operation',
    request('PATCH /items/1', `${JSON_TYPE}Content-Length: 1001\r\n`, 'a'.repeat(1_001)),
    413,
    'request_too_large',
  ],
  ['no Content-Type', post('{"name":"a"}', ''), 415, 'unsupported_media_type'],
  ['text/plain', post('{"name":"a"}', 'Content-Type: text/plain\r\n'), 415, 'unsupported_media_type'],
  [
    'a form',
    post('name=a', 'Content-Type: application/x-www-form-urlencoded\r\n'),
    415,
    'unsupported_media_type',
  ],
  [
    'another JSON type',
    post('{}', 'Content-Type: application/vnd.api+json\r\n'),
    415,
    'unsupported_media_type',
  ],
  [
    'a type with garbage',
    post('{}', 'Content-Type: application/json garbage\r\n'),
    415,
    'unsupported_media_type',
  ],
  ['a type with a tab', post('{}', 'Content-Type: application/json\ta\r\n'), 415, 'unsupported_media_type'],
  [
    'charset=utf-16',
    post('{}', 'Content-Type: application/json; charset=utf-16\r\n'),
    415,
    'unsupported_media_type',
  ],
  ['charset="UTF-8"', post('{"name":"a"}', 'Content-Type: Application/JSON;charset="UTF-8"\r\n'), 200],
  [
    'two Content-Types',
    post('{}', `${JSON_TYPE}Content-Type: text/plain\r\n`),
    415,
    'unsupported_media_type',
  ],
  [
    'Content-Encoding: gzip',
    post('{}', `${JSON_TYPE}Content-Encoding: gzip\r\n`),
    415,
    'unsupported_media_type',
  ],
  ['Content-Encoding: identity', post('{"name":"a"}', `${JSON_TYPE}Content-Encoding: identity\r\n`), 200],
  ['a body on GET', request('GET /hello', 'Content-Length: 2\r\n', '{}'), 400],
  ['a chunked body on GET', request('GET /hello', CHUNKED, '2\r\n{}\r\n0\r\n\r\n'), 400],
  ['{} on DELETE', request('DELETE /items/1', `${JSON_TYPE}Content-Length: 2\r\n`, '{}'), 204],
  ['{} without a type on DELETE', request('DELETE /items/1', 'Content-Length: 2\r\n', '{}'), 204],
  ['a chunked {} on DELETE', request('DELETE /items/1', CHUNKED, '2\r\n{}\r\n0\r\n\r\n'), 204],
  ['a property on DELETE', request('DELETE /items/1', 'Content-Length: 7\r\n', '{"a":1}'), 400],
  ['a list on DELETE', request('DELETE /items/1', 'Content-Length: 2\r\n', '[]'), 400],
  ['null on DELETE', request('DELETE /items/1', 'Content-Length: 4\r\n', 'null'), 400],
  ['half of {} on DELETE', request('DELETE /items/1', 'Content-Length: 1\r\n', '{'), 400],
  [
    'a form on DELETE',
    request(
      'DELETE /items/1',
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n',
      '{}',
    ),
    400,
  ],
  [
    'a chunked text on DELETE',
    request('DELETE /items/1', `Content-Type: text/plain\r\n${CHUNKED}`, '2\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  ['an empty chunked body on DELETE', request('DELETE /items/1', CHUNKED, '0\r\n\r\n'), 204],
  ['Content-Length: 0 on GET', get('/hello', 'Content-Length: 0\r\n'), 200],
  [
    'a wrong key before a malformed body',
    post('{', `Authorization: Bearer bad\r\n${JSON_TYPE}`),
    401,
    'invalid_api_key',
  ],
  ['a wrong key on an unknown path', get('/nope', 'Authorization: Bearer bad\r\n'), 404, 'route_not_found'],
  ['the rate limit on an unknown path', get('/nope', 'X-Limit: reached\r\n'), 429, 'rate_limited'],
  ['the rate limit on an undecodable path', get('/items/%zz', 'X-Limit: reached\r\n'), 429, 'rate_limited'],
  ['an unhandled exception', get('/fail/plain'), 500, 'internal_error'],
];

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.server.close());

for (const [title, probes] of Object.entries({ parser, targets, headers, bodies })) {
  describe(`hostile bytes: ${title}`, { timeout: 120_000 }, () => {
    for (const probe of probes) it(probe[0], () => run(probe));
  });
}

async function run([
  ,
  bytes,
  status,
  code = status === 400 ? 'invalid_request' : null,
  allow,
]: Probe): Promise<void> {
  const client = new RawClient(app.port);
  client.send(bytes);
  const isHead = bytes.startsWith('HEAD');
  const answer = await client.answer(isHead ? 'HEAD' : 'GET');
  assert.ok(answer !== null, 'the connection was closed without an answer');
  assert.equal(answer.status, status, answer.body);
  const requestId = answer.headers['x-request-id'] ?? '';
  assert.match(requestId, /^generated-\d+$/);
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.equal(answer.headers.allow, allow);
  if (status >= 400 && !isHead) {
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { error, problems, ...rest } = JSON.parse(answer.body);
    assert.match(error, /^[A-Z_a-z].{10,250}\.$/s);
    assert.doesNotMatch(error, /FST_|HPE_|undefined|secret/);
    assert.deepEqual(rest, { code, requestId });
    assert.equal(problems?.length, code === 'invalid_request' ? 1 : undefined);
  }
  await checkWhatFollows(client, answer.headers.connection === 'close');
}

/** A closed connection carries nothing more; an open one is in step: the next request gets its own answer. */
async function checkWhatFollows(client: RawClient, isClosing: boolean): Promise<void> {
  if (isClosing) {
    assert.equal(await client.end(), '');
    return;
  }
  client.send(get('/hello', 'X-Request-Id: next\r\n'));
  const next = await client.answer();
  assert.equal(next?.status, 200);
  assert.equal(next?.headers['x-request-id'], 'next');
  client.destroy();
}

describe('hostile bytes: framing', { timeout: 120_000 }, () => {
  for (const [name, bytes, status, code] of framing)
    it(`${name} closes the connection, and nothing behind it is a request`, async () => {
      await run([name, bytes, status, code]);
      const before = app.infos.length;
      const client = new RawClient(app.port);
      client.send(`${bytes}${get('/hello')}`);
      const answer = await client.answer();
      assert.deepEqual([answer?.status, answer?.headers.connection], [status, 'close']);
      assert.equal(await client.end(), '');
      await until(() => app.infos.length > before);
      assert.deepEqual(
        app.infos.slice(before).map((line) => line.status),
        [status],
      );
    });

  it('gzip in chunks is refused though none of them comes', () =>
    run(['', request('POST /items', JSON_TYPE + GZIPPED), 501, 'not_implemented']));

  it('chunks in capital letters are chunks', () =>
    run([
      '',
      request('POST /items', `${JSON_TYPE}Transfer-Encoding: Chunked\r\n`, 'c\r\n{"name":"a"}\r\n0\r\n\r\n'),
      200,
    ]));
});

describe('X-Request-Id', () => {
  const echoed = ['a', 'A.b_c-9', 'x'.repeat(64)];
  for (const id of echoed) {
    it(`${id.slice(0, 10)} of ${id.length} is echoed`, async () => {
      const answer = await ask(get('/nope', `X-Request-Id: ${id}\r\n`));
      assert.equal(answer.headers['x-request-id'], id);
      assert.equal(JSON.parse(answer.body).requestId, id);
    });
  }
  const replaced = {
    'of 65 characters': `X-Request-Id: ${'x'.repeat(65)}\r\n`,
    empty: 'X-Request-Id: \r\n',
    'with a space': 'X-Request-Id: a b\r\n',
    'with UTF-8': 'X-Request-Id: caf\xc3\xa9\r\n',
    'with a slash': 'X-Request-Id: a/b\r\n',
    'with markup': 'X-Request-Id: <script>\r\n',
    'sent twice': 'X-Request-Id: one\r\nX-Request-Id: two\r\n',
    'sent twice the same': 'X-Request-Id: one\r\nX-Request-Id: one\r\n',
  };
  for (const [name, header] of Object.entries(replaced)) {
    it(`${name} is replaced`, async () => {
      const answer = await ask(get('/hello', header));
      assert.equal(answer.status, 200);
      assert.match(answer.headers['x-request-id'] ?? '', /^generated-\d+$/);
    });
  }
});

describe('several requests on one connection', { timeout: 60_000 }, () => {
  it('are answered in order, the slow one first', async () => {
    const client = new RawClient(app.port);
    client.send(
      `${request('POST /held', 'X-Request-Id: one\r\n')}${get('/hello', 'X-Request-Id: two\r\n')}garbage\r\n\r\n`,
    );
    await app.held(1);
    app.release();
    const answers = [await client.answer(), await client.answer(), await client.answer()];
    assert.deepEqual(
      answers.map((answer) => answer?.status),
      [200, 200, 400],
    );
    assert.deepEqual(
      answers.slice(0, 2).map((answer) => answer?.headers['x-request-id']),
      ['one', 'two'],
    );
    assert.equal(await client.end(), '');
  });

  it('a request cut off in its headers or its body is refused', async () => {
    for (const bytes of [
      'GET /hello HTTP/1.1\r\nHos',
      request('POST /items', `${JSON_TYPE}Content-Length: 9\r\n`, '{"a'),
    ]) {
      const client = new RawClient(app.port);
      client.send(bytes);
      client.socket.end();
      const answer = await client.answer();
      assert.equal(answer?.status, 400);
      assert.equal(JSON.parse(answer?.body ?? '').code, 'invalid_request');
    }
  });

  it('a client that reads only when it has sent everything still gets its refusal', async () => {
    const client = new RawClient(app.port);
    client.socket.pause();
    const length = 8_000_000;
    client.send(request('POST /items', `Connection: close\r\n${JSON_TYPE}Content-Length: ${length}\r\n`));
    await new Promise((resolve) => client.socket.write(Buffer.alloc(length), resolve));
    client.socket.resume();
    assert.equal((await client.answer())?.status, 413);
  });

  it('a body is asked for only when it is wanted', async () => {
    const client = new RawClient(app.port);
    const expecting = 'Expect: 100-continue\r\nContent-Length: 12\r\n';
    client.send(request('POST /items', `${expecting}Content-Type: text/plain\r\n`));
    const refused = await client.answer();
    assert.equal(refused?.status, 415);
    assert.equal(refused?.headers.connection, 'close');
    assert.equal(await client.end(), '');
    assert.equal(client.isContinued, false);

    const wanted = new RawClient(app.port);
    wanted.send(request('POST /items', `${expecting}${JSON_TYPE}`));
    await wanted.seen('HTTP/1.1 100 Continue\r\n\r\n');
    wanted.send('{"name":"a"}');
    assert.equal((await wanted.answer())?.status, 200);
    wanted.destroy();
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

async function ask(bytes: string) {
  const client = new RawClient(app.port);
  client.send(bytes);
  const answer = await client.answer();
  client.destroy();
  assert.ok(answer !== null);
  return answer;
}
