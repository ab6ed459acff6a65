import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { currentModel } from '../../../scripts/clients/current-model.ts';
import type { Method } from '../../../scripts/clients/model.ts';
import { bodyCheck, document } from '../../../test/openapi/document.ts';
import { List, Punchcard } from '../src/index.ts';

/** What was sent last. */
let sent: { readonly url: URL; readonly init: RequestInit }[] = [];
let answer = (): Response => Response.json({});
const punchcard = new Punchcard({
  baseUrl: 'https://cards.example.com/',
  apiKey: 'the key',
  operatorToken: 'the token',
  fetch: async (url, init = {}) => {
    sent.push({ url: new URL(String(url)), init });
    return answer();
  },
});

beforeEach(() => {
  sent = [];
});

const model = currentModel();

/** Each operation is called as the reference shows it, and what is sent is held against the route table. */
for (const method of model.resources.flatMap(({ methods }) => methods)) {
  const { resource, name, op, httpMethod, path, credential, key, fixedQuery } = method;
  test(`${resource}.${name} sends ${httpMethod} ${path}`, async () => {
    answer = () => answerOf(method);
    const of = punchcard[resource as keyof Punchcard] as unknown as Record<
      string,
      (...all: unknown[]) => unknown
    >;
    const parameters = method.pathParams.map((param) => `${param.name}/1`);
    const query = queryOf(method);
    const file = method.body !== null && method.body.json === null ? 'a,b\n' : undefined;
    const body = file ?? method.example ?? {};
    const given = [
      ...parameters,
      ...(method.body === null ? [] : [body]),
      ...(query === null ? [] : [query]),
    ];
    const result = of[name]?.(...given) ?? assert.fail(`there is no ${resource}.${name}`);
    const value = result instanceof List ? await result.page() : await result;
    assert.equal((value as { $response: { requestId: string } }).$response.requestId, 'req_1');

    const [{ url, init } = assert.fail('nothing was sent')] = sent;
    const filled = path.replace(/\{(\w+)\}/g, (_, param) => encodeURIComponent(`${param}/1`));
    assert.equal(url.pathname, `/v1${filled}`);
    assert.equal(init.method, httpMethod);
    assert.deepEqual(Object.fromEntries(url.searchParams), { ...asText(query ?? {}), ...fixedQuery });
    const headers = new Headers(init.headers);
    assert.equal(headers.get('authorization'), `Bearer the ${credential === 'operator' ? 'token' : 'key'}`);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f]{32}$/);
    const takesKey = document.paths[path]?.[httpMethod.toLowerCase()]?.parameters.some(
      (parameter) => '$ref' in parameter && parameter.$ref.endsWith('/IdempotencyKey'),
    );
    const bringsRef = JSON.stringify(init.body ?? '').includes('externalRef');
    assert.equal(headers.has('idempotency-key') || bringsRef, takesKey, 'a key where one is taken');
    if (key === 'externalRef') assert.ok(bringsRef && !headers.has('idempotency-key'));
    if (method.body === null) assert.equal(init.body, null);
    else if (file !== undefined) assert.equal(headers.get('content-type'), method.body.file);
    else {
      assert.equal(headers.get('content-type'), 'application/json');
      assert.ok(bodyCheck(op)(JSON.parse(String(init.body))), `the document takes ${init.body}`);
    }
  });
}

function queryOf({ query }: Method): Record<string, unknown> | null {
  const type = query && model.types.find(({ name }) => name === query.type.name)?.type;
  if (type?.kind !== 'object') return null;
  const value = { boolean: true, integer: 7, literal: 'x', string: 'a b&c' } as Record<string, unknown>;
  return Object.fromEntries(
    type.fields.map((field) => [field.name, field.name === 'wait' ? 0 : (value[field.type.kind] ?? 'x')]),
  );
}

function asText(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

function answerOf({ answers, page }: Method): Response {
  const headers = { 'x-request-id': 'req_1' };
  const [first] = answers;
  if (first?.kind === 'nothing') return new Response(null, { status: first.status, headers });
  if (first?.kind !== 'json')
    return new Response('a,b\n', { headers: { ...headers, 'content-type': 'text/csv' } });
  return Response.json(page === null ? {} : { data: [], nextCursor: null }, {
    status: first.status,
    headers,
  });
}

test('a list reads its pages as they are wanted', async () => {
  const pages = [
    { data: [1, 2], nextCursor: 'a' },
    { data: [], nextCursor: 'b' },
    { data: [3], nextCursor: null },
  ];
  answer = () => Response.json(pages[Number(sent.length - 1)]);
  const list = punchcard.passes.list({ limit: 2, status: 'published' });
  assert.equal(sent.length, 0);
  assert.deepEqual(await list.toArray(), [1, 2, 3]);
  assert.deepEqual(
    sent.map(({ url }) => url.search),
    ['?limit=2&status=published', '?limit=2&status=published&cursor=a', '?limit=2&status=published&cursor=b'],
  );
  sent = [];
  assert.deepEqual(await list.toArray({ most: 2 }), [1, 2]);
  assert.equal(sent.length, 1);
  sent = [];
  assert.equal((await list.page('c')).nextCursor, 'a');
  assert.equal(sent[0]?.url.searchParams.get('cursor'), 'c');
});

test('a file can be taken as text, as bytes or as it arrives', async () => {
  answer = () => new Response('a,b\n', { headers: { 'content-type': 'text/csv' } });
  const file = await punchcard.programs.exportBalances('prog_1');
  assert.equal(file.mediaType, 'text/csv');
  assert.equal(await file.text(), 'a,b\n');
  assert.deepEqual(
    await (await punchcard.passes.previewPng('pass_1')).bytes(),
    new TextEncoder().encode('a,b\n'),
  );
  const { stream } = await punchcard.programs.exportBalances('prog_1');
  assert.equal(await new Response(stream).text(), 'a,b\n');
});

test('a file is sent as a text, as bytes or as a blob', async () => {
  answer = () => Response.json({});
  for (const file of ['a\n', new TextEncoder().encode('a\n'), new Blob(['a\n'])]) {
    sent = [];
    await punchcard.barcodes.upload('pass_1', file);
    const [{ init } = assert.fail()] = sent;
    assert.equal(new Headers(init.headers).get('content-type'), 'text/csv');
    assert.equal(await new Response(init.body).text(), 'a\n');
  }
});

test('what would lead to another address is refused', async () => {
  for (const id of ['', '.', '..']) assert.throws(() => punchcard.passes.get(id), TypeError);
  await punchcard.passes.get('../me?x#y');
  assert.equal(sent[0]?.url.pathname, '/v1/passes/..%2Fme%3Fx%23y');
});

test('the base may have its version, and a path before it', async () => {
  for (const [baseUrl, expected] of [
    ['https://a.example/v1/', 'https://a.example/v1/workspace'],
    ['https://a.example/cards', 'https://a.example/cards/v1/workspace'],
  ] as const) {
    let asked = '';
    const fetchIt: typeof fetch = async (url) => {
      asked = String(url);
      return Response.json({});
    };
    await new Punchcard({ baseUrl, apiKey: 'key', fetch: fetchIt }).workspace.get();
    assert.equal(asked, expected);
  }
  assert.throws(() => new Punchcard({ baseUrl: 'cards.example.com' }), TypeError);
});

test('a redirect is not followed, and a page in place of JSON is reported', async () => {
  answer = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } });
  await assert.rejects(punchcard.workspace.get(), {
    code: 'unexpected_answer',
    status: 200,
    retryable: false,
  });
  answer = () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } });
  await assert.rejects(punchcard.workspace.get(), { code: 'unexpected_answer', status: 302 });
  assert.equal(sent[0]?.init.redirect, 'manual');
});

test('the event log is followed from one number to the next', async () => {
  const pages = [[{ seq: 4 }, { seq: 6 }], [], [{ seq: 7 }]];
  answer = () => Response.json({ data: pages[sent.length - 1], nextCursor: null });
  const seen: number[] = [];
  for await (const { seq } of punchcard.events.follow({ afterSeq: 3, type: 'points.awarded' })) {
    seen.push(seq);
    if (seq === 7) break;
  }
  assert.deepEqual(seen, [4, 6, 7]);
  assert.deepEqual(
    sent.map(({ url }) => `${url.searchParams.get('afterSeq')} ${url.searchParams.get('wait')}`),
    ['3 30', '6 30', '6 30'],
  );
  assert.equal(sent[0]?.url.searchParams.get('type'), 'points.awarded');
});
