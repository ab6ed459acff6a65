import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { document, json, objectsOf } from './document.ts';

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

test("the document pleases Redocly's recommended rules, warnings included", async () => {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const source = json.toString('utf8');
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  assert.deepEqual(found, []);
});

/** Spectral's tools are a hundred packages more, one of which reports to its maker: what it wants beyond is little. */
test("the document pleases what Spectral's recommended rules want besides", () => {
  assert.ok(document.info.contact?.name && document.info.contact.url);
  assert.ok(document.info.license?.identifier);
  const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { name, operation } of operations) {
    assert.ok(operation.description, `${name} has a description`);
    assert.ok(
      operation.tags.length > 0 && operation.tags.every((tag) => tags.has(tag)),
      `${name} has its tag`,
    );
  }
  for (const { object, path } of objectsOf()) {
    const place = path.join('/');
    if (Array.isArray(object.enum))
      assert.equal(new Set(object.enum).size, object.enum.length, `${place}: no value of an enum twice`);
    if (object.type === 'array')
      assert.ok('items' in object || 'prefixItems' in object, `${place} has items`);
  }
});

test('every refusal has a code, which is one of the status', () => {
  const codes = document['x-error-codes'];
  for (const { name, operation } of operations) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (!/^[45]/.test(status)) continue;
      const [base, own] = content?.['application/json']?.schema?.allOf ?? [];
      assert.equal(base?.$ref, '#/components/schemas/Error', `${name} ${status}`);
      assert.deepEqual(own?.required, ['code'], `${name} ${status}`);
      const named = own?.properties?.code?.enum ?? [];
      assert.ok(named.length > 0 && named.every((code) => String(code) in codes), `${name} ${status}`);
    }
  }
});

test('texts that are compared in NFC say so', () => {
  const normal = ['identifier', 'barcode', 'orderId', 'refundId', 'externalId'];
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters) {
      if ('name' in parameter && normal.includes(parameter.name))
        assert.match(parameter.description ?? '', /NFC/, `${name}: ${parameter.name}`);
    }
  }
  for (const [schema, property] of [
    ['Award', 'identifier'],
    ['Award', 'barcode'],
    ['NewInvite', 'email'],
    ['NewInvite', 'identifier'],
    ['NewOrder', 'orderId'],
    ['NewRefund', 'refundId'],
    ['NewInstance', 'barcode'],
  ] as const) {
    const { description } = document.components.schemas[schema]?.properties?.[property] ?? {};
    assert.match(description ?? '', /NFC/, `${schema}.${property}`);
  }
});
