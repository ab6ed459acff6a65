import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientModel } from '../../scripts/clients/read-model.ts';
import { routes } from '../../src/routes.ts';
import { document } from './document.ts';

const model = clientModel(document, '0.0.0');
const methods = model.resources.flatMap((resource) => resource.methods);

/** Words that no method or argument can be called in TypeScript or Python; `delete` and `void` are allowed as methods. */
const reserved = new Set(
  'and as assert async await break case class continue def del elif else except export extends finally for from function global if import in is lambda new None nonlocal not or pass raise return super switch this throw try typeof var while with yield'.split(
    ' ',
  ),
);

test('what a key or the operator token opens has a name in client libraries, and nothing else has', () => {
  for (const { access, endpoint, method, path } of routes) {
    const isOpen = ['public', 'signed', 'probe', 'session'].includes(access);
    assert.equal(endpoint.call === undefined, isOpen, `${method} ${path}: call`);
  }
});

test('names are resource.method, each once, and can be written in each language', () => {
  const names = methods.map(({ resource, name }) => `${resource}.${name}`);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  const snake = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  assert.equal(new Set(snake).size, names.length);
  for (const { resource, name, pathParams, op } of methods) {
    for (const word of [resource, name, ...pathParams.map((param) => param.name)]) {
      assert.match(word, /^[a-z][a-zA-Z]*$/, op);
      assert.ok(!reserved.has(word), `${op}: ${word} is a reserved word`);
    }
  }
});

test('every operation is in the model, with what it takes', () => {
  const inClients = routes.filter(({ endpoint }) => endpoint.call !== undefined);
  assert.deepEqual(
    new Set(methods.map(({ op }) => op)),
    new Set(inClients.map(({ endpoint }) => endpoint.op)),
  );
  for (const { op, httpMethod, path, credential, key, body, query } of methods) {
    const route = inClients.find(({ endpoint }) => endpoint.op === op);
    assert.equal(`${httpMethod} ${path}`, `${route?.method} ${route?.path}`);
    assert.equal(credential === 'operator', route?.access === 'operator', op);
    assert.equal(key === 'none', route?.endpoint.idempotent !== true, op);
    assert.equal(body === null, route?.endpoint.body === undefined, op);
    assert.ok(query !== null || route?.endpoint.query === undefined || path.includes('sweep/results'), op);
  }
});

test('lists are pages, and answers about a push say so', () => {
  const earn = methods.find(({ op }) => op === 'earnPoints');
  assert.deepEqual(
    earn?.answers.map(({ status }) => status),
    [200, 202],
  );
  assert.equal(earn?.key, 'externalRef');
  const posting = model.types.find(({ name }) => name === 'Posting')?.type;
  assert.ok(posting?.kind === 'object' && posting.pushes);
  const award = model.types.find(({ name }) => name === 'Award')?.type;
  assert.ok(award?.kind === 'object');
  assert.deepEqual(award.exactlyOne, ['identifier', 'instanceId', 'barcode', 'email', 'phone']);
  const list = methods.find(({ op }) => op === 'listPasses');
  assert.deepEqual(list?.page, { item: { kind: 'ref', name: 'Pass' } });
  const limits = model.types.filter(({ name }) => /^List.*Query$/.test(name));
  for (const { name, type } of limits) {
    const limit = type.kind === 'object' ? type.fields.find((field) => field.name === 'limit') : undefined;
    assert.equal(limit?.type.kind, 'integer', name);
  }
});

test('errors have their fields', () => {
  const fields = new Map(model.errors.map((error) => [error.code, error.fields.map(({ name }) => name)]));
  assert.deepEqual(fields.get('insufficient_points'), ['balance', 'cost']);
  assert.deepEqual(fields.get('rate_limited'), []);
});
