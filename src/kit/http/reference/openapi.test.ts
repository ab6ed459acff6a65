import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { type Endpoint, type Method, type Route, route } from '../endpoints/endpoint.ts';
import { type OpenApiDocument, type Operation, openapiDocument } from './openapi.ts';

const Node = Type.Cyclic(
  { Node: Type.Object({ name: Type.String(), children: Type.Array(Type.Ref('Node')) }) },
  'Node',
);
const Colour = Type.Union([Type.Literal('red'), Type.Literal('blue')], { $id: 'Colour' });
const Item = Type.Object(
  {
    itemId: Type.String(),
    colour: Colour,
    size: Type.Union([Type.Literal('s'), Type.Literal('m')], { description: 'how big' }),
    weight: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    finish: Type.Union([Type.Unsafe({ type: 'string', enum: ['matt', 'gloss'] }), Type.Null()]),
    owner: Type.Union([Colour, Type.Null()]),
    pair: Type.Tuple([Type.String(), Type.Integer()]),
    tree: Node,
    labels: Type.Record(Type.String(), Type.String()),
    note: Type.Optional(Type.Refine(Type.String(), () => true)),
  },
  { $id: 'Item', additionalProperties: false },
);

function endpoint(op: string, parts: Partial<Endpoint<unknown>> = {}): Endpoint<unknown> {
  const handle = async () => ({ status: 200 });
  return {
    op,
    tag: 'Items',
    summary: `Summary of ${op}`,
    answers: { 200: Item },
    errors: [],
    handle,
    ...parts,
  };
}

const routes = [
  route<unknown, string>(
    'GET /items',
    'read',
    endpoint('listItems', {
      query: Type.Object({
        limit: Type.Optional(Type.String({ description: '1 to 100' })),
        after: Type.String(),
      }),
      answers: { 200: Type.Object({ data: Type.Array(Item) }) },
    }),
  ),
  route<unknown, string>(
    'POST /items',
    'write',
    endpoint('createItem', {
      description: 'Makes one.',
      body: Type.Object({ colour: Colour }, { additionalProperties: false }),
      example: { colour: 'red' },
      idempotent: true,
      bodyLimit: 5 * 2 ** 20,
      answers: { 201: Item, 202: Item },
      errors: ['item_taken', 'not_found'],
    }),
  ),
  route<unknown, string>(
    'PATCH /items/{itemId}',
    'write',
    endpoint('updateItem', {
      params: Type.Object({ itemId: Type.String({ description: 'which' }) }),
      body: Type.Optional(Type.Partial(Item)),
      answers: { 200: Item, 204: null },
      errors: ['not_found'],
    }),
  ),
  route<unknown, string>(
    'POST /items/upload',
    'write',
    endpoint('uploadItems', {
      body: Type.Union([
        Type.Object({ items: Type.Array(Type.String()) }),
        Type.String({ contentMediaType: 'text/csv' }),
      ]),
      answers: { 200: 'text/csv', 202: Type.Union([Item, Type.String({ contentMediaType: 'text/csv' })]) },
    }),
  ),
  route<unknown, string>(
    'GET /items/{itemId}/picture.svg',
    'public',
    endpoint('showItem', {
      tag: 'Pictures',
      params: Type.Object({ itemId: Type.String() }),
      page: true,
      answers: { 200: 'image/svg+xml', 302: null },
      errors: ['not_found'],
    }),
  ),
  route<unknown, string>(
    'DELETE /installation',
    'operator',
    endpoint('wipe', { tag: 'Operator', answers: { 204: null } }),
  ),
];

const input = {
  routes,
  info: { title: 'Items', version: '1.2.3', description: 'An example.' },
  serverUrl: 'https://example.test/v1',
  errorTable: {
    bad: [400, 'Fix the body.'],
    no_key: [401, 'Send a key.'],
    not_found: [404, 'Check the id.'],
    item_taken: [409, 'Choose another.'],
    slow_down: [429, 'Wait.'],
    oops: [500, 'Report it.'],
  } as Record<string, readonly [number, string]>,
  commonErrors: (item: Route<unknown>) =>
    item.access === 'public' ? ['oops'] : ['bad', 'no_key', 'slow_down', 'oops'],
  securityOf: (item: Route<unknown>) =>
    item.access === 'public' ? null : item.access === 'operator' ? ('operator' as const) : ('key' as const),
};
const document = openapiDocument(input);

function operation(method: Lowercase<Method>, path: string, from: OpenApiDocument = document): Operation {
  const found = from.paths[path]?.[method];
  assert.ok(found, `${method} ${path}`);
  return found;
}

function everyObject(
  value: unknown,
  visit: (object: Record<string, unknown>, path: string) => void,
  path = '#',
) {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Record<string, unknown>, path);
  for (const [key, child] of Object.entries(value)) everyObject(child, visit, `${path}/${key}`);
}

test('the document is plain JSON without a trace of the schema builder', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  everyObject(document, (object, path) => {
    for (const key of Reflect.ownKeys(object)) {
      assert.equal(typeof key, 'string', path);
      assert.doesNotMatch(String(key), /^~|^\$id$|^\$defs$/, path);
    }
  });
});

test('every reference resolves', () => {
  let references = 0;
  everyObject(document, (object, path) => {
    if (!('$ref' in object)) return;
    references++;
    const target = String(object.$ref).slice(2).split('/');
    assert.match(String(object.$ref), /^#\/components\//, path);
    const found = target.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      document,
    );
    assert.notEqual(found, undefined, `${path} → ${object.$ref}`);
  });
  assert.ok(references > 50);
});

test('every route is there, once, with its operation, tag, security and path parameters', () => {
  const seen = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, tags, security, parameters }]) => {
      const inPath = parameters.flatMap((p) =>
        'name' in p && p.in === 'path' && p.required ? [p.name] : [],
      );
      assert.deepEqual(
        inPath,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      );
      return [`${method.toUpperCase()} ${path}`, operationId, tags[0], Object.keys(security[0] ?? {}).join()];
    }),
  );
  assert.deepEqual(seen, [
    ['GET /items', 'listItems', 'Items', 'key'],
    ['POST /items', 'createItem', 'Items', 'key'],
    ['PATCH /items/{itemId}', 'updateItem', 'Items', 'key'],
    ['POST /items/upload', 'uploadItems', 'Items', 'key'],
    ['GET /items/{itemId}/picture.svg', 'showItem', 'Pictures', ''],
    ['DELETE /installation', 'wipe', 'Operator', 'operator'],
  ]);
  assert.deepEqual(document.tags, [{ name: 'Items' }, { name: 'Pictures' }, { name: 'Operator' }]);
});

test('a read has its query parameters', () => {
  assert.deepEqual(operation('get', '/items').parameters, [
    { name: 'limit', in: 'query', required: false, description: '1 to 100', schema: { type: 'string' } },
    { name: 'after', in: 'query', required: true, schema: { type: 'string' } },
    { $ref: '#/components/parameters/RequestId' },
  ]);
});

test('a write has its body, example, limit, idempotency header and every answer and error', () => {
  const { requestBody, parameters, responses } = operation('post', '/items');
  assert.deepEqual(requestBody, {
    required: true,
    description: 'At most 5 MiB.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['colour'],
          properties: { colour: { $ref: '#/components/schemas/Colour' } },
          additionalProperties: false,
        },
        example: { colour: 'red' },
      },
    },
  });
  assert.deepEqual(parameters[0], { $ref: '#/components/parameters/IdempotencyKey' });
  assert.deepEqual(Object.keys(responses), ['201', '202', '400', '401', '404', '409', '429', '500']);
  assert.deepEqual(Object.keys(responses['201']?.headers ?? {}), [
    'X-Request-Id',
    'RateLimit-Policy',
    'RateLimit',
    'Idempotent-Replayed',
  ]);
  assert.deepEqual(responses['201']?.content, {
    'application/json': { schema: { $ref: '#/components/schemas/Item' } },
  });
  assert.deepEqual(responses['409'], {
    description: '- `item_taken`: Choose another.',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            {
              type: 'object',
              required: ['code'],
              properties: { code: { type: 'string', enum: ['item_taken'] } },
            },
          ],
        },
      },
    },
  });
  assert.ok('WWW-Authenticate' in (responses['401']?.headers ?? {}));
  assert.ok('Retry-After' in (responses['429']?.headers ?? {}));
});

test('optional bodies, bodies of other types, pages, redirects and empty answers are documented as such', () => {
  assert.equal(operation('patch', '/items/{itemId}').requestBody?.required, false);
  assert.equal(operation('patch', '/items/{itemId}').responses['204']?.content, undefined);
  assert.deepEqual(operation('post', '/items/upload').requestBody?.content, {
    'application/json': {
      schema: {
        type: 'object',
        required: ['items'],
        properties: { items: { type: 'array', items: { type: 'string' } } },
      },
    },
    'text/csv': { schema: { type: 'string', contentMediaType: 'text/csv' } },
  });
  assert.deepEqual(Object.keys(operation('post', '/items/upload').responses['202']?.content ?? {}), [
    'application/json',
    'text/csv',
  ]);
  const { responses } = operation('get', '/items/{itemId}/picture.svg');
  assert.deepEqual(responses['200']?.content, { 'image/svg+xml': { schema: { type: 'string' } } });
  assert.ok('Location' in (responses['302']?.headers ?? {}));
  assert.deepEqual(Object.keys(responses['404']?.content ?? {}), ['application/json', 'text/html']);
  assert.equal('RateLimit' in (responses['200']?.headers ?? {}), false, 'a route without 429 has no limit');
});

test('named schemas are components, unions of constants are enums, nullable is a second type', () => {
  const { schemas } = document.components;
  assert.deepEqual(Object.keys(schemas), ['Colour', 'Error', 'Item', 'Node']);
  assert.deepEqual(schemas.Colour, { type: 'string', enum: ['red', 'blue'] });
  assert.deepEqual(schemas.Item?.properties, {
    itemId: { type: 'string' },
    colour: { $ref: '#/components/schemas/Colour' },
    size: { type: 'string', enum: ['s', 'm'], description: 'how big' },
    weight: { type: ['integer', 'null'], minimum: 1 },
    finish: { type: ['string', 'null'], enum: ['matt', 'gloss', null] },
    owner: { anyOf: [{ $ref: '#/components/schemas/Colour' }, { type: 'null' }] },
    pair: {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
      minItems: 2,
    },
    tree: { $ref: '#/components/schemas/Node' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    note: { type: 'string' },
  });
  assert.deepEqual(schemas.Node?.properties?.children, {
    type: 'array',
    items: { $ref: '#/components/schemas/Node' },
  });
});

test('a code can have another status on one route', () => {
  const statusesOf = (item: Route<unknown>, code: string) =>
    item.endpoint.op === 'createItem' && code === 'not_found' ? [404, 400] : undefined;
  const { responses } = operation('post', '/items', openapiDocument({ ...input, statusesOf }));
  const codes = (status: string) => JSON.stringify(responses[status]?.content?.['application/json']?.schema);
  assert.match(codes('404'), /"enum":\["not_found"\]/);
  assert.match(codes('400'), /"enum":\["not_found","bad"\]/);
});

test('routes that contradict themselves are refused', () => {
  const only = (line: `${Method} /${string}`, parts: Partial<Endpoint<unknown>>) => () =>
    openapiDocument({ ...input, routes: [route<unknown, string>(line, 'read', endpoint('one', parts))] });
  const same = {
    ...input,
    routes: [...routes, route<unknown, string>('GET /other', 'read', endpoint('wipe'))],
  };
  const twoItems: Record<number, TSchema> = { 200: Item, 201: Type.Object({}, { $id: 'Item' }) };
  assert.throws(() => openapiDocument(same), /two routes have the operation "wipe"/);
  assert.throws(only('GET /a/{id}', {}), /\{id\} has no schema in params/);
  assert.throws(
    only('GET /a', { params: Type.Object({ id: Type.String() }) }),
    /params has "id", the path has not/,
  );
  assert.throws(
    only('GET /a', { errors: ['made_up'] }),
    /one: error code "made_up" is not in the error table/,
  );
  assert.throws(only('GET /a', { answers: twoItems }), /two different schemas have the \$id "Item"/);
  assert.throws(
    only('GET /a', { answers: { 200: Type.Ref('Nowhere') } }),
    /no schema has the \$id "Nowhere"/,
  );
});
