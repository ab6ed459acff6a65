import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors } from '../../src/errors.ts';
import { RawClient } from '../../src/kit/http/server/raw-client.fixture.ts';
import { routes } from '../../src/routes.ts';
import { inParallel } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { over } from '../text-places.ts';
import { makeTenant, pathWith, rowsOf } from './tenant.ts';

/**
 * Bytes that no honest client sends, to every route of the service. src/kit/http/server/probes.test.ts proves that the server
 * reads HTTP strictly; here nothing may slip past it to an operation, and whatever is answered has the
 * form of the contract.
 */
const app = await startTestApp({ WORKERS: 'off', DATABASE_POOL: '20' });
const { client, workspaceId, names } = await makeTenant(app);
const port = Number(new URL(app.url).port);
const key = `Authorization: Bearer ${client.secret}\r\n`;
const host = 'Host: cards.example.test\r\n';

type Answer = NonNullable<Awaited<ReturnType<RawClient['answer']>>>;

async function ask(bytes: string | Buffer, method = 'GET'): Promise<Answer> {
  const raw = new RawClient(port);
  raw.send(bytes);
  const answer = await raw.answer(method);
  raw.destroy();
  assert.ok(answer, `closed without an answer: ${bytes.toString('latin1').slice(0, 200)}`);
  return answer;
}

/** An answer of the contract: no fault of the service's, an id, and for a refusal the error body with that id. */
function assertWellFormed({ status, headers, body }: Answer, what: string, method = 'GET'): void {
  assert.ok(status < 500, `${what}: ${status} ${body}`);
  const requestId = headers['x-request-id'] ?? '';
  assert.match(requestId, /^[\w.-]{1,64}$/, what);
  if (status < 400 || method === 'HEAD') return;
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', what);
  const { error, code, requestId: repeated } = JSON.parse(body);
  assert.equal(repeated, requestId, what);
  assert.equal(errors[code as keyof typeof errors]?.[0], status, `${what}: ${body}`);
  assert.doesNotMatch(error, /FST_|HPE_|undefined|node_modules|\/src\/|select /i, what);
}

/** Runs the work for each item, a few at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  await inParallel(20, async () => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  });
}

const unchanged = async (work: () => Promise<void>) => {
  const before = await rowsOf(app, workspaceId);
  await work();
  assert.deepEqual(await rowsOf(app, workspaceId), before);
};

const paths = [...new Set(routes.map(({ path }) => path))];
const declared = (path: string) =>
  routes
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
/** A literal route may overlap one with a parameter: then the path of the one is a path of the other. */
const reached = (path: string) =>
  paths.filter((other) =>
    new RegExp(`^${other.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

describe('every path', () => {
  const methods = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'LOCK',
    'FOO',
  ];

  it('answers methods that it does not have with 405, or 400 where they are unknown, and does nothing', () =>
    unchanged(() =>
      forEach(paths, async (path) => {
        const url = pathWith(path, names);
        const known = new Set(reached(url).flatMap(declared));
        for (const method of methods.filter((one) => !known.has(one))) {
          const answer = await ask(`${method} ${url} HTTP/1.1\r\n${host}${key}\r\n`, method);
          assertWellFormed(answer, `${method} ${url}`, method);
          assert.equal(answer.status, method === 'FOO' ? 400 : 405, `${method} ${url}`);
          if (method !== 'FOO')
            assert.equal(
              answer.headers.allow?.split(', ').every((one) => known.has(one)),
              true,
            );
        }
        const tunnel = await ask(`CONNECT ${url} HTTP/1.1\r\n${host}${key}\r\n`);
        assertWellFormed(tunnel, `CONNECT ${url}`);
        assert.ok(tunnel.status >= 400);
      }),
    ));

  it('is not found under another spelling', () =>
    unchanged(() =>
      forEach(
        routes.filter(({ access }) => access !== 'probe'),
        async ({ method, path }) => {
          const url = pathWith(path, names);
          const [, first = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(url) ?? [];
          const spellings = [
            `/${url}`,
            `${url}/`,
            `/.${url}`,
            `/x/..${url}`,
            `/%2e%2e${url}`,
            `/x/%2e%2e${url}`,
            `/${first}//${rest}`,
            `/${first}%2f${rest.slice(1)}`,
            `/${first.toUpperCase()}${rest}`,
            `/v1/v1${url}`,
            `/v1//${url.slice(1)}`,
            `${url};x=1`,
            `${url}%20`,
            `${url}%00`,
            `\\${url}`,
            `${url}/..`,
            `/%${first}`,
            `${url}?a=1&a=2`,
          ];
          for (const spelling of spellings) {
            // Apple's devices put paths behind a base address that ends with a slash.
            if (path.startsWith('/apple/') && /[^:]\/\//.test(spelling)) continue;
            const answer = await ask(`${method} ${spelling} HTTP/1.1\r\n${host}${key}\r\n`, method);
            assertWellFormed(answer, `${method} ${spelling}`, method);
            const isWhole = spelling === `${url}?a=1&a=2` || endsOpen(path);
            if (!isWhole)
              assert.ok(
                // It may be an unknown session or link: 401.
                [400, 401, 403, 404, 405].includes(answer.status),
                `${method} ${spelling}: ${answer.status}`,
              );
          }
        },
      ),
    ));

  it('is the same in absolute form, whatever host that names', async () => {
    for (const target of [
      'http://cards.example.test/v1/me',
      'https://evil.example/me',
      'HTTP://x@y:1/v1/me',
    ]) {
      const answer = await ask(`GET ${target} HTTP/1.1\r\n${host}${key}\r\n`);
      assertWellFormed(answer, target);
      assert.equal(answer.status, 200, target);
      assert.ok(answer.body.includes(workspaceId), target);
    }
    for (const target of ['ftp://cards.example.test/v1/me', 'file:///v1/me', '//evil.example/me']) {
      const answer = await ask(`GET ${target} HTTP/1.1\r\n${host}${key}\r\n`);
      assertWellFormed(answer, target);
      assert.ok(answer.status >= 400, target);
    }
  });
});

/** Its last part may be anything: a name with something appended is another name. */
function endsOpen(path: string): boolean {
  return path.endsWith('}');
}

describe('a body that is not plain JSON in UTF-8', () => {
  const type = 'application/json';
  /** With a property that is not known, nothing is taken by any operation. */
  const bodies: readonly (readonly [
    what: string,
    body: string | Buffer,
    contentType?: string,
    more?: string,
  ])[] = [
    ['a property twice', '{"title":"a","title":"b"}'],
    ['a property twice, once escaped', '{"title":"a","\\u0074itle":"b"}'],
    ['a thousand arrays', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['a hundred thousand objects', '{"a":'.repeat(100_000)],
    ['1e400', '{"points":1e400}'],
    ['2^53 + 1', '{"points":9007199254740993}'],
    ['a number of 400 digits', `{"points":${'9'.repeat(400)}}`],
    ['half a surrogate pair', '{"title":"\\ud800"}'],
    ['half a surrogate pair as a name', '{"\\udfff":1}'],
    ['NUL', '{"title":"a\\u0000b"}'],
    ['__proto__', '{"__proto__":{"plan":"pro"}}'],
    ['a byte order mark', Buffer.from('\ufeff{}x')],
    ['bytes that are not UTF-8', Buffer.from('{"title":"\xff\xfe"}', 'latin1')],
    ['an overlong slash', Buffer.from('{"title":"\xc0\xaf"}', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from('{"title":"\xed\xa0\x80"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"title":"a"}', 'utf16le')],
    ['another charset', '{"title":"a"}', `${type}; charset=utf-16`],
    ['another charset, in quotes', '{"title":"a"}', `${type}; charset="iso-8859-1"`],
    ['a content encoding', '{"title":"a"}', type, 'Content-Encoding: gzip\r\n'],
    ['two content encodings', '{"title":"a"}', type, 'Content-Encoding: identity, br\r\n'],
    ['plain text', '{"title":"a"}', 'text/plain'],
    ['a part of a form', '{"title":"a"}', 'multipart/form-data; boundary=x'],
    ['two types', '{"title":"a"}', type, 'Content-Type: text/plain\r\n'],
    ['comments', '{/* a */"title":"a"}'],
    ['a comma at the end', '{"title":"a",}'],
    ['single quotes', "{'title':'a'}"],
    ['NaN', '{"points":NaN}'],
    ['two values', '{} {}'],
    ['an array', '[]'],
    ['a text', '"a"'],
    ['null', 'null'],
  ];
  /** They take other bodies besides JSON, or carry the signature of another service. */
  const others = new Set(['receiveWebhook', 'googleCallback', 'uploadBarcodes', 'importBalances']);

  for (const [what, body, contentType = type, more = ''] of bodies) {
    it(`is refused by every operation: ${what}`, () =>
      unchanged(() =>
        forEach(
          routes.filter(({ endpoint }) => endpoint.body !== undefined && !others.has(endpoint.op)),
          async ({ method, path, access, endpoint }) => {
            const authorization =
              access === 'operator' ? `Authorization: Bearer ${app.operator.secret}\r\n` : key;
            const bytes = Buffer.from(body);
            const head = `${method} ${pathWith(path, names)} HTTP/1.1\r\n${host}${authorization}Content-Type: ${contentType}\r\n${more}Content-Length: ${bytes.length}\r\n\r\n`;
            const answer = await ask(Buffer.concat([Buffer.from(head), bytes]));
            assertWellFormed(answer, `${endpoint.op}: ${what}`);
            assert.ok(
              [400, 401, 413, 415].includes(answer.status),
              `${endpoint.op}: ${answer.status} ${answer.body}`,
            );
          },
        ),
      ));
  }

  it('-0 is 0, and a number as a text is no number', async () => {
    const { passId, instanceId } = names;
    for (const points of ['-0', '0', '"5"', 'true', 'null', '[5]', '1.5', '1e21']) {
      const body = JSON.stringify(over({ passId, instanceId }, { points: '@' })).replace('"@"', points);
      const reply = await client.post('/loyalty/points', body);
      assert.equal(reply.body.code, 'invalid_request', points);
    }
  });
});

describe('a request within a request', () => {
  const issue = `POST /v1/passes/${names.passId}/instances HTTP/1.1\r\n${host}${key}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  const start = `POST /v1/loyalty/points/preview HTTP/1.1\r\n${host}${key}Content-Type: application/json\r\n`;
  const chunk = `${issue.length.toString(16)}\r\n${issue}\r\n0\r\n\r\n`;
  const smuggled: Readonly<Record<string, string>> = {
    'Content-Length before Transfer-Encoding': `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${issue}`,
    'Transfer-Encoding before Content-Length': `${start}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${issue}`,
    'two lengths': `${start}Content-Length: 2\r\nContent-Length: ${issue.length + 2}\r\n\r\n{}${issue}`,
    'a folded Transfer-Encoding': `${start}Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n\r\n{}${issue}`,
    'a Transfer-Encoding behind a vertical tab': `${start}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${issue}`,
    'an unknown Transfer-Encoding': `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${issue}`,
    'bare line feeds': `${start}Content-Length: 2\n\n{}${issue}`,
    'a bare line feed before chunked': `${start}X: y\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}${issue}`,
    'a bare line feed in a chunk extension': `${start}Transfer-Encoding: chunked\r\n\r\n1;a\nb\r\n{\r\n0\r\n\r\n${issue}`,
    'a chunk longer than its size': `${start}Transfer-Encoding: chunked\r\n\r\n2\r\n{}${issue}\r\n0\r\n\r\n`,
    'a length with a sign': `${start}Content-Length: +2\r\n\r\n{}${issue}`,
    'a space before the colon': `${start}Content-Length : 2\r\n\r\n{}${issue}`,
  };
  for (const [what, bytes] of Object.entries(smuggled)) {
    it(`is not carried out: ${what}`, () =>
      unchanged(async () => {
        const raw = new RawClient(port);
        raw.send(bytes);
        const answer = await raw.answer();
        assert.ok(answer);
        assertWellFormed(answer, what);
        assert.equal(answer.status, 400);
        assert.equal(await raw.end(), '', 'one answer, and the connection is closed');
      }));
  }

  it('is data where it is in a chunk', () =>
    unchanged(async () => {
      const answer = await ask(`${start}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
      assertWellFormed(answer, 'in a chunk');
      assert.equal(answer.status, 400);
    }));
});

describe('headers', () => {
  const get = (headers: string, line = 'GET /v1/me HTTP/1.1') => ask(`${line}\r\n${headers}\r\n`);

  it('that stand twice are not chosen from', async () => {
    const other = (await app.newWorkspace()).client;
    const otherKey = `Authorization: Bearer ${other.secret}\r\n`;
    const cases: readonly (readonly [headers: string, status: number])[] = [
      [`${host}${key}${otherKey}`, 401],
      [`${host}${key}${key}`, 401],
      [`${host}Authorization: Bearer ${client.secret}, Bearer ${other.secret}\r\n`, 401],
      [`${host}${host}${key}`, 400],
      [`${host}host: evil.example\r\n${key}`, 400],
    ];
    for (const [headers, status] of cases) {
      const answer = await get(headers);
      assertWellFormed(answer, headers);
      assert.equal(answer.status, status, headers);
    }
    const answer = await get(`${host}${key}X-Request-Id: one\r\nX-Request-Id: two\r\n`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['x-request-id'] ?? '', /^req_/);
  });

  it('are never sent back', async () => {
    const mark = 'marked-by-the-client';
    const hostile = [
      'Host',
      'Origin',
      'Referer',
      'User-Agent',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'Accept',
    ];
    for (const name of [
      ...hostile,
      'Accept-Language',
      'Forwarded',
      'X-Original-URL',
      'X-HTTP-Method-Override',
    ]) {
      for (const path of ['/v1/me', `/p/${names.token}`, `/v1/passes/${names.passId}`, '/nope']) {
        const own = name === 'Host' ? '' : host;
        const { status, headers, body } = await get(
          `${own}${key}${name}: ${mark}\r\n`,
          `GET ${path} HTTP/1.1`,
        );
        assert.ok(status < 500);
        assert.ok(!`${JSON.stringify(headers)}${body}`.includes(mark), `${name} of ${path}`);
        assert.equal(headers['access-control-allow-origin'], undefined);
      }
    }
  });

  it('in a flood are refused, and the next client is served', async () => {
    const floods = [
      'a: b\r\n'.repeat(9_000),
      `X: ${'a'.repeat(1_000_000)}\r\n`,
      `Cookie: ${'a=b;'.repeat(9_000)}\r\n`,
    ];
    await forEach([...floods, ...floods, ...floods], async (flood) => {
      const answer = await get(`${host}${key}${flood}`);
      assertWellFormed(answer, 'a flood of headers');
      assert.equal(answer.status, 431);
    });
    assert.equal((await client.get('/me')).status, 200);
  });

  it('that override the method do nothing', () =>
    unchanged(async () => {
      for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
        const answer = await get(
          `${host}${key}${name}: DELETE\r\n`,
          `GET /v1/partners/${names.partnerId} HTTP/1.1`,
        );
        assert.equal(answer.status, 200);
      }
    }));
});
