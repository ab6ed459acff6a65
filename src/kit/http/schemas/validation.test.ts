import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TObject, type TSchema, Type } from 'typebox';
import { type Endpoint, route } from '../endpoints/endpoint.ts';
import { startTestApp, type TestApp, type TestCtx } from '../server/test-app.fixture.ts';

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

const at = (path: string, rule: string, message: string, more: object = {}) => ({
  path,
  rule,
  message,
  ...more,
});
const keyed = (schema: TSchema) => closed({ k: schema });

/** Each rule that a schema can break, once. */
const broken: [schema: TSchema, body: unknown, problem: object][] = [
  [Money, {}, at('amount', 'required', 'Is required.')],
  [
    Money,
    { amount: 5 as unknown, currency: 'EUR' },
    at('amount', 'type', 'Must be a string, not a number.', { limit: ['string'] }),
  ],
  [Money, [], at('', 'type', 'Must be an object, not an array.', { limit: ['object'] })],
  [
    Fields,
    { fields: [{ key: 'a', x: 1 }] },
    at('fields[0].x', 'unknown', 'Is not known here; known are key, a b.', { limit: ['key', 'a b'] }),
  ],
  [
    keyed(Type.Union([Type.Literal('a'), Type.Null()])),
    { k: 'b' },
    at('k', 'enum', 'Must be one of "a" or null.', { limit: ['a', null] }),
  ],
  [
    keyed(Type.Unsafe({ type: 'string', enum: ['a', 'b'] })),
    { k: 'd' },
    at('k', 'enum', 'Must be one of "a" or "b".', { limit: ['a', 'b'] }),
  ],
  [keyed(Type.Literal('a')), { k: 'b' }, at('k', 'enum', 'Must be "a".', { limit: ['a'] })],
  [
    closed({ e: Expiry }),
    { e: { kind: 'never' } },
    at('e.kind', 'enum', 'Must be one of "none", "fixed" or "afterIssue".', {
      limit: ['none', 'fixed', 'afterIssue'],
    }),
  ],
  [
    closed({ e: Expiry }),
    { e: {} },
    at('e.kind', 'required', 'Is required: one of "none", "fixed" or "afterIssue".', {
      limit: ['none', 'fixed', 'afterIssue'],
    }),
  ],
  [
    keyed(Scalar),
    { k: [] },
    at('k', 'type', 'Must be a string, a number or null, not an array.', {
      limit: ['string', 'number', 'null'],
    }),
  ],
  [
    closed({ t: Target }),
    { t: {} },
    at('t', 'required', 'One of barcode or instanceId is required in t.', {
      limit: ['barcode', 'instanceId'],
    }),
  ],
  [
    Type.Unsafe({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 1, b: 2 },
    at('', 'excluded', 'Only one of a or b may be given.', { limit: ['a', 'b'] }),
  ],
  [
    keyed(Type.String({ not: { enum: ['.', '..'] } })),
    { k: '..' },
    at('k', 'reserved', 'Must not be "." or "..".', { limit: ['.', '..'] }),
  ],
  [keyed(Type.String({ pattern: '[^ ]' })), { k: ' ' }, at('k', 'blank', 'Must not be blank.')],
  [
    keyed(Type.String({ pattern: '^\\d+$', description: 'digits only.' })),
    { k: 'x' },
    at('k', 'pattern', 'Is not in the expected form: digits only.'),
  ],
  [
    keyed(Type.String({ format: 'email' })),
    { k: 'x' },
    at('k', 'format', 'Must be an e-mail address.', { limit: 'email' }),
  ],
  [keyed(Line), { k: '' }, at('k', 'min_length', 'Must not be empty.', { limit: 1 })],
  [
    keyed(Line),
    { k: 'abcdef' },
    at('k', 'max_length', 'Must have at most 5 characters, not 6.', { limit: 5 }),
  ],
  [
    keyed(Type.Array(Line, { minItems: 1 })),
    { k: [] },
    at('k', 'min_items', 'Must have at least 1 item.', { limit: 1 }),
  ],
  [
    keyed(Type.Array(Line, { maxItems: 1 })),
    { k: ['a', 'b'] },
    at('k', 'max_items', 'Must have at most 1 item, not 2.', { limit: 1 }),
  ],
  [
    keyed(Type.Array(Line, { uniqueItems: true })),
    { k: ['a', 'a'] },
    at('k', 'unique', 'Must not repeat an item: [0] and [1] are equal.'),
  ],
  [
    closed({ a: optional(Line) }, { minProperties: 1 }),
    {},
    at('', 'min_properties', 'Must have at least 1 property; known are a.', { limit: 1 }),
  ],
  [
    Type.Unsafe({ type: 'object', maxProperties: 1 }),
    { a: 1, b: 2 },
    at('', 'max_properties', 'Must have at most 1 property.', { limit: 1 }),
  ],
  [keyed(Type.Integer({ minimum: 1 })), { k: 0 }, at('k', 'min_value', 'Must be at least 1.', { limit: 1 })],
  [keyed(Type.Integer({ maximum: 9 })), { k: 10 }, at('k', 'max_value', 'Must be at most 9.', { limit: 9 })],
  [
    keyed(Type.Number({ exclusiveMinimum: 0 })),
    { k: 0 },
    at('k', 'more_than', 'Must be more than 0.', { limit: 0 }),
  ],
  [
    keyed(Type.Number({ exclusiveMaximum: 9 })),
    { k: 9 },
    at('k', 'less_than', 'Must be less than 9.', { limit: 9 }),
  ],
  [
    keyed(Type.Number({ multipleOf: 5 })),
    { k: 7 },
    at('k', 'multiple_of', 'Must be a multiple of 5.', { limit: 5 }),
  ],
  [
    keyed(Type.Unsafe({ not: { type: 'string' } })),
    { k: 'a' },
    at('k', 'other', 'Is not allowed in this form.'),
  ],
];

let app: TestApp;

before(async () => {
  app = await startTestApp({
    routes: [
      ...bodies.map(([body], index) => route(`POST /bodies/${index}`, 'public', endpoint({ body }))),
      ...broken.map(([body], index) => route(`POST /broken/${index}`, 'public', endpoint({ body }))),
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

interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly problems: readonly { readonly path: string; readonly rule: string }[];
}

async function errorOf(path: string, body?: unknown): Promise<string> {
  return (await refusalOf(path, body)).error;
}

async function refusalOf(path: string, body?: unknown): Promise<Refusal> {
  const response = await fetch(`${app.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  const answer = (await response.json()) as Refusal;
  assert.equal(response.status, 400, answer.error);
  assert.equal(answer.code, 'invalid_request');
  return answer;
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

test('the refusal says the same to programs: path, rule and limit', async () => {
  for (const [index, [, body, problem]] of broken.entries()) {
    const { error, problems } = await refusalOf(`/broken/${index}`, body);
    assert.deepEqual(problems, [problem], error);
  }
});

test('it names the part of the request that is not the body', async () => {
  const long = { limit: 5, message: 'Must have at most 5 characters, not 6.' };
  const problemsOf = async (path: string) => (await refusalOf(path)).problems;
  assert.deepEqual(await problemsOf('/queries/1?cursor=abcdef'), [
    { path: 'cursor', part: 'query', rule: 'max_length', ...long },
  ]);
  assert.deepEqual(await problemsOf('/queries/2?cursor=a&cursor=b'), [
    { path: 'cursor', part: 'query', rule: 'unique', message: 'Is given twice; send it once.' },
  ]);
  assert.deepEqual(await problemsOf('/ids/abcdef'), [
    { path: 'id', part: 'path', rule: 'max_length', ...long },
  ]);
});

test('it says what JSON cannot be read, and where', async () => {
  const problemOf = async (text: string) => {
    const response = await fetch(`${app.url}/broken/0`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    });
    const { problems } = (await response.json()) as Refusal;
    return problems.map(({ path, rule }) => [path, rule]);
  };
  assert.deepEqual(await problemOf('{"amount":'), [['', 'syntax']]);
  assert.deepEqual(await problemOf('{"a":{"b":1,"b":2}}'), [['a.b', 'unique']]);
  assert.deepEqual(await problemOf('{"a":[{"__proto__":1}]}'), [['a[0].__proto__', 'reserved']]);
  assert.deepEqual(await problemOf('{"a":9007199254740993}'), [['a', 'max_value']]);
  assert.deepEqual(await problemOf(''), [['', 'required']]);
});
