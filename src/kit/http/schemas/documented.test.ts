import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type TSchema, Type } from 'typebox';
import { renderDocs } from '../../../../tools/docs-site/render-docs.ts';
import { openapiDocument } from '../reference/openapi.ts';
import {
  anyGiven,
  atMostOneOf,
  documentedAs,
  documentedWith,
  exactlyOneOf,
  freelyNamed,
  inNfc,
  variants,
} from './documented.ts';
import { closed } from './shapes.ts';
import { shapeCheck } from './validation.ts';

function describe(body: TSchema) {
  return openapiDocument({
    routes: [
      {
        method: 'POST',
        path: '/items',
        endpoint: { op: 'makeItem', tag: 'Items', summary: 'Make', body, answers: { 204: null }, errors: [] },
      },
    ],
    info: { title: 'Items', version: '1', description: 'Items.' },
    serverUrl: 'https://example.test',
    errorTable: {},
    commonErrors: () => [],
    securityOf: () => null,
  });
}

function schemaOf(body: TSchema) {
  const { paths, components } = describe(body);
  const content = paths['/items']?.post?.requestBody?.content;
  return { schema: content?.['application/json']?.schema, named: components.schemas };
}

async function textOf(body: TSchema): Promise<string> {
  const { pages } = await renderDocs({
    document: describe(body),
    guides: [],
    words: { patterns: {}, idPrefixes: {} },
    clients: {},
    retryOf: () => '',
    beforeRouting: new Set(),
  });
  const page = gunzipSync(pages.get('/docs/makeItem') ?? '');
  return String(page).replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, '');
}

const names = {
  a: Type.Optional(Type.String()),
  b: Type.Optional(Type.String()),
  c: Type.Optional(Type.String()),
};

test('the validator knows nothing of what only the document says, wherever it stands', () => {
  const odd = documentedWith(Type.String({ maxLength: 3 }), { $id: 'Odd', enum: ['a'] });
  const body = closed({ x: odd, y: Type.Optional(odd), z: Type.Union([odd, Type.Null()]) });
  assert.equal(shapeCheck(body)({ x: 'b', y: 'c', z: null }), null);
  const { schema, named } = schemaOf(body);
  assert.deepEqual(named.Odd, { type: 'string', maxLength: 3, enum: ['a'] });
  assert.deepEqual(schema?.properties, {
    x: { $ref: '#/components/schemas/Odd' },
    y: { $ref: '#/components/schemas/Odd' },
    z: { anyOf: [{ $ref: '#/components/schemas/Odd' }, { type: 'null' }] },
  });
});

test('an optional body, and one of variants, is described by them', async () => {
  const square = closed(
    { kind: Type.Literal('square'), side: Type.Integer(), name: Type.String() },
    { $id: 'Square' },
  );
  const circle = closed({ kind: Type.Literal('circle'), name: Type.String() }, { $id: 'Circle' });
  const body = documentedAs(closed({ kind: Type.String() }), variants('kind', { square, circle }));
  assert.deepEqual(schemaOf(Type.Optional(body)).schema, {
    oneOf: [{ $ref: '#/components/schemas/Square' }, { $ref: '#/components/schemas/Circle' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { square: '#/components/schemas/Square', circle: '#/components/schemas/Circle' },
    },
  });
  const page = await textOf(body);
  assert.equal(page.match(/\bname string required/g)?.length, 1, 'what all have is listed once');
  assert.match(page, /When kind is square\s*side integer required.*When kind is circle: nothing more/s);
  assert.throws(() => variants('kind', { square: closed({}) }), /"square" of kind has no \$id/);
});

test('the ways to name something are shown by the document and by the page', async () => {
  const check = (keywords: object) => new Ajv2020().compile({ type: 'object', ...keywords });
  const count = (validate: (body: unknown) => unknown) =>
    [{}, { a: 1 }, { b: 1 }, { a: null }, { a: 1, b: 1 }].map((body) => Number(validate(body))).join('');
  assert.equal(count(check(exactlyOneOf('a', 'b'))), '01110');
  assert.equal(count(check(atMostOneOf('a', 'b'))), '11110');
  assert.equal(count(check(anyGiven('a', 'b'))), '01101');
  assert.match(await textOf(documentedWith(closed(names), exactlyOneOf('a', 'b'))), /Exactly one of a, b/);
  assert.match(await textOf(documentedWith(closed(names), anyGiven('b', 'c'))), /At least one of b, c/);
});

test('names that no body may hold, and the form that texts are kept in, are documented', () => {
  const free = freelyNamed(Type.Record(Type.String(), Type.Null()));
  assert.deepEqual(schemaOf(free).schema, {
    type: 'object',
    additionalProperties: { type: 'null' },
    propertyNames: { not: { enum: ['__proto__', 'prototype', 'constructor'] } },
  });
  const { schema } = schemaOf(
    closed({ a: inNfc(Type.String()), b: inNfc(Type.String({ description: 'a code' })) }),
  );
  assert.deepEqual(schema?.properties, {
    a: { type: 'string', description: "kept and compared in Unicode's NFC form" },
    b: { type: 'string', description: "a code; kept and compared in Unicode's NFC form" },
  });
});
