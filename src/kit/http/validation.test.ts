import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TObject, type TSchema, Type } from 'typebox';
import { type Endpoint, route } from './endpoint.ts';
import { startTestApp, type TestApp, type TestCtx } from './test-app.fixture.ts';

function closed(properties: Record<string, TSchema>, options: object = {}): TObject {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

const optional = Type.Optional;
const Money = closed({
  amount: Type.String({ maxLength: 20 }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
});
const Expiry = Type.Union([
  closed({ kind: Type.Literal('none') }),
  closed({ kind: Type.Literal('fixed'), at: Type.String({ format: 'date-time' }) }),
  closed({ kind: Type.Literal('afterIssue'), days: Type.Integer({ minimum: 1 }) }),
]);
const Line = Type.String({ minLength: 1, maxLength: 5, pattern: '^[^\\p{Cc}]+$' });
const Target = Type.Union([closed({ barcode: Line }), closed({ instanceId: Line })]);
const Fields = closed({ fields: Type.Array(closed({ key: Type.String(), 'a b': optional(Type.Null()) })) });
const Scalar = Type.Union([Type.String({ maxLength: 3 }), Type.Number(), Type.Null()]);

const bodies: [schema: TSchema, body: unknown, message: string][] = [
  [Money, [], 'The body must be an object, not an array.'],
  [Money, null, 'The body must be an object, not null.'],
  [Money, 'x', 'The body must be an object, not a string.'],
  [Money, {}, 'amount is required.'],
  [Money, { amount: 5, currency: 'EUR' }, 'amount must be a string, not a number.'],
  [Money, { amount: null, currency: 'EUR' }, 'amount must be a string, not null.'],
  [Money, { amount: '1', currency: 'EUR', tax: 1 }, 'tax is not known here; known are amount, currency.'],
  [Money, { amount: '1', currency: 'eur' }, 'currency must match the pattern ^[A-Z]{3}$.'],
  [Money, { amount: 'é'.repeat(21), currency: 'EUR' }, 'amount must have at most 20 characters, not 21.'],
  [closed({ p: Type.Integer() }), { p: '5' }, 'p must be a whole number, not a string.'],
  [closed({ p: Type.Integer() }), { p: 1.5 }, 'p must be a whole number, not 1.5.'],
  [closed({ p: Type.Integer() }), { p: true }, 'p must be a whole number, not a boolean.'],
  [closed({ p: Type.Boolean() }), { p: 'true' }, 'p must be true or false, not a string.'],
  [closed({ p: Type.Integer({ minimum: 1 }) }), { p: 0 }, 'p must be at least 1.'],
  [closed({ p: Type.Integer({ maximum: 9 }) }), { p: 10 }, 'p must be at most 9.'],
  [closed({ p: Type.Number({ exclusiveMinimum: 0 }) }), { p: 0 }, 'p must be more than 0.'],
  [closed({ p: Type.Number({ multipleOf: 5 }) }), { p: 7 }, 'p must be a multiple of 5.'],
  [closed({ l: Line }), { l: '' }, 'l must not be empty.'],
  [closed({ l: Line }), { l: 'a\u0007b' }, 'l must not hold the control character U+0007.'],
  [closed({ l: Line }), { l: 'a\nb' }, 'l must not hold the control character U+000A.'],
  [closed({ s: Type.String({ minLength: 3 }) }), { s: 'a' }, 's must have at least 3 characters.'],
  [
    closed({ m: Type.String({ pattern: '^\\d+$', description: 'digits only.' }) }),
    { m: 'x' },
    'm is not in the expected form: digits only.',
  ],
  [
    closed({ at: Type.String({ format: 'date-time' }) }),
    { at: 'today' },
    'at must be a date and time with a time zone, such as 2027-01-31T23:59:59Z.',
  ],
  [closed({ e: Type.String({ format: 'email' }) }), { e: 'x' }, 'e must be an e-mail address.'],
  [closed({ k: Type.String({ not: { enum: ['.', '..'] } }) }), { k: '..' }, 'k must not be "." or "..".'],
  [closed({ k: Type.Literal('a') }), { k: 'b' }, 'k must be "a".'],
  [
    closed({ k: Type.Unsafe({ type: 'string', enum: ['a', 'b', 'c'] }) }),
    { k: 'd' },
    'k must be one of "a", "b" or "c".',
  ],
  [
    closed({ k: Type.Union([Type.Literal('a'), Type.Literal('b')]) }),
    { k: 1 },
    'k must be one of "a" or "b".',
  ],
  [closed({ k: Type.Union([Type.Literal('a'), Type.Null()]) }), { k: 'b' }, 'k must be one of "a" or null.'],
  [closed({ l: Type.Array(Line, { minItems: 1 }) }), { l: [] }, 'l must have at least 1 item.'],
  [
    closed({ l: Type.Array(Line, { maxItems: 2 }) }),
    { l: ['a', 'b', 'c'] },
    'l must have at most 2 items, not 3.',
  ],
  [
    closed({ l: Type.Array(Line, { uniqueItems: true }) }),
    { l: ['a', 'b', 'a'] },
    'l must not repeat an item: [0] and [2] are equal.',
  ],
  [closed({ l: Type.Array(Line) }), { l: 'a' }, 'l must be an array, not a string.'],
  [
    closed({ a: optional(Line), b: optional(Line) }, { minProperties: 1 }),
    {},
    'The body must have at least 1 property; known are a, b.',
  ],
  [Fields, { fields: [{ key: 'a' }, { key: 2 }] }, 'fields[1].key must be a string, not a number.'],
  [Fields, { fields: [{}] }, 'fields[0].key is required.'],
  [Fields, { fields: [{ key: 'a', 'a b': 1 }] }, 'fields[0]["a b"] must be null, not a number.'],
  [Fields, { fields: [{ key: 'a', x: 1 }] }, 'fields[0].x is not known here; known are key, a b.'],
  [
    Type.Record(Type.String({ pattern: '^[a-z]$' }), Line, { additionalProperties: false }),
    { A: 'a' },
    'A is not known here.',
  ],
  [closed({ v: Scalar }), { v: [] }, 'v must be a string, a number or null, not an array.'],
  [closed({ v: Scalar }), { v: 'long' }, 'v must have at most 3 characters, not 4.'],
  [closed({ e: Expiry }), { e: 'none' }, 'e must be an object, not a string.'],
  [closed({ e: Expiry }), { e: { kind: 'fixed' } }, 'e.at is required.'],
  [closed({ e: Expiry }), { e: { kind: 'afterIssue', days: 0 } }, 'e.days must be at least 1.'],
  [closed({ e: Expiry }), { e: { kind: 'none', days: 3 } }, 'e.days is not known here; known are kind.'],
  [closed({ e: Expiry }), { e: { kind: 'never' } }, 'e.kind must be one of "none", "fixed" or "afterIssue".'],
  [closed({ e: Expiry }), { e: {} }, 'e.kind is required: one of "none", "fixed" or "afterIssue".'],
  [Target, {}, 'One of barcode or instanceId is required.'],
  [Target, { barcode: '' }, 'barcode must not be empty.'],
  [
    closed({ n: Type.Union([closed({ x: Type.Number() }), Type.Null()]) }),
    { n: { x: 'a' } },
    'n.x must be a number, not a string.',
  ],
  [closed({ n: optional(Type.Union([Expiry, Type.Null()])) }), { n: { kind: 'fixed' } }, 'n.at is required.'],
  [
    Type.Unsafe({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 1, b: 2 },
    'Only one of a or b may be given.',
  ],
  [closed({ t: Target }), { t: {} }, 'One of barcode or instanceId is required in t.'],
  [optional(Money), {}, 'amount is required.'],
  [optional(Money), null, 'The body must be an object, not null.'],
];

const queries: [schema: TObject | undefined, query: string, message: string][] = [
  [closed({ cursor: Line }), '', 'The query parameter cursor is required.'],
  [
    closed({ cursor: Line }),
    'cursor=abcdef',
    'The query parameter cursor must have at most 5 characters, not 6.',
  ],
  [
    closed({ cursor: optional(Line) }),
    'limit=5',
    'The query parameter limit is not known here; known are cursor.',
  ],
  [
    closed({ cursor: optional(Line) }),
    'cursor=a&cursor=b',
    'The query parameter cursor is given twice; send it once.',
  ],
  [
    closed({ cursor: optional(Line) }),
    'cursor=%zz',
    'The query parameter cursor is not valid percent-encoded UTF-8.',
  ],
  [
    closed({ cursor: optional(Line) }),
    'cursor=a%00',
    'The query parameter cursor holds a NUL character; remove it.',
  ],
  [undefined, 'a%20b=1', 'The query parameter ["a b"] is not known here.'],
];

let app: TestApp;

before(async () => {
  app = await startTestApp({
    routes: [
      ...bodies.map(([body], index) => route(`POST /bodies/${index}`, 'public', endpoint({ body }))),
      ...queries.map(([query], index) => route(`GET /queries/${index}`, 'public', endpoint({ query }))),
      route('GET /ids/{id}', 'public', endpoint({ params: closed({ id: Line }) })),
    ],
  });
});

after(() => app.server.close());

function endpoint(parts: Partial<Endpoint<TestCtx>>): Endpoint<TestCtx> {
  const answers = { 200: Type.Object({}) };
  return {
    op: 'check',
    tag: '',
    summary: '',
    answers,
    errors: [],
    handle: async () => ({ status: 200, body: {} }),
    ...parts,
  };
}

async function errorOf(path: string, body?: unknown): Promise<string> {
  const response = await fetch(`${app.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const answer = (await response.json()) as { error: string; code: string };
  assert.equal(response.status, 400, answer.error);
  assert.equal(answer.code, 'invalid_request');
  return answer.error;
}

test('a body that does not fit its schema is refused in one sentence that names the property', async () => {
  for (const [index, [, body, message]] of bodies.entries()) {
    assert.equal(await errorOf(`/bodies/${index}`, body), message, JSON.stringify(body));
  }
});

test('so is a query string', async () => {
  for (const [index, [, query, message]] of queries.entries()) {
    assert.equal(await errorOf(`/queries/${index}?${query}`), message, query);
  }
});

test('so is a path parameter', async () => {
  assert.equal(await errorOf('/ids/abcdef'), 'The path parameter id must have at most 5 characters, not 6.');
});
