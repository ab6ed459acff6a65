import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Exchange, type StoreAnswer, type StoreOrder, StoreTrouble } from './connector.ts';

/** A body as a platform sends it: a file of the folder `fixtures` next to the test. */
export function readFixture(test: string, name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, test), 'utf8'));
}

/** A copy with another value at a path such as `refunds.0.total`; undefined removes it. */
export function changed(body: unknown, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(body);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => (at as Record<string, unknown>)[name], copy);
  assert.ok(typeof parent === 'object' && parent !== null && last in parent, `the fixture has no ${path}`);
  Object.assign(parent, { [last]: value });
  return JSON.parse(JSON.stringify(copy));
}

export function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

export function answerOf(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): StoreAnswer {
  return { status, headers, body: bytesOf(body) };
}

/** Why an answer was not taken. */
export function troubleOf(
  exchange: Exchange<unknown>,
  answer: StoreAnswer,
): { reason: string; retryMs: number | null; message: string } {
  try {
    exchange.read(answer);
  } catch (error) {
    assert.ok(error instanceof StoreTrouble, String(error));
    const { reason, retryMs, message } = error;
    assert.match(message, /^[^\p{Cc}]+$/u);
    return { reason, retryMs, message };
  }
  throw new Error('the answer was taken');
}

/** Reads, or raises StoreTrouble and nothing else; an order that was read is one that the database takes. */
export function readsOrRefuses(read: () => unknown): void {
  try {
    for (const order of ordersIn(read())) checkOrder(order);
  } catch (error) {
    assert.ok(error instanceof StoreTrouble, `${error instanceof Error ? error.stack : error}`);
  }
}

/** Bodies that were made to hurt: a good one with something else in some places, and JSON of any shape. */
export function hostile(body: unknown): fc.Arbitrary<string> {
  const paths = pathsOf(body);
  const words = fc.constantFrom(
    '',
    ' ',
    '-1',
    '1e400',
    'NaN',
    '9'.repeat(30),
    '0x10',
    '\u0000',
    '\ud800',
    '__proto__',
  );
  const value = fc.oneof(
    words,
    fc.constantFrom(null, true, -1, 0.1, 1e21, 2 ** 53, [], {}, [null], [[]], { toString: 1 }, { length: 9 }),
    fc.jsonValue(),
  );
  const spoilt = fc
    .array(fc.tuple(fc.constantFrom(...paths), value), { minLength: 1, maxLength: 3 })
    .map((changes) => JSON.stringify(changes.reduce((to, [path, other]) => spoil(to, path, other), body)));
  const raw = fc.constantFrom(
    '',
    'null',
    '[]',
    '{',
    '1e999',
    '"\\u0000"',
    '{"__proto__":{"id":1}}',
    '[{"id":{}}]',
  );
  return fc.oneof(
    { weight: 8, arbitrary: spoilt },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: raw },
  );
}

function ordersIn(read: unknown): StoreOrder[] {
  const { items, kind, order } = (read ?? {}) as { items?: StoreOrder[]; kind?: string; order?: StoreOrder };
  if (kind === 'order' && order !== undefined) return [order];
  return (items ?? []).filter((item) => 'orderId' in item);
}

function checkOrder({ orderId, state, refunds }: StoreOrder): void {
  assert.match(orderId, /^[^\p{Cc}]{1,255}$/u);
  for (const { amount } of [...(state === null ? [] : [{ amount: state.total }]), ...refunds])
    assert.match(amount.amount, /^\d{1,16}(\.\d{1,4})?$/);
  if (state === null) return;
  assert.ok(Number.isSafeInteger(state.version) && !Number.isNaN(state.placedAt.getTime()));
  for (const text of Object.values(state.customer ?? {})) {
    if (text !== null) assert.ok(text !== '' && !text.includes('\0') && text.isWellFormed(), text);
  }
}

function pathsOf(body: unknown, before: readonly string[] = []): string[][] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const path = [...before, name];
    return [path, ...pathsOf(value, path)];
  });
}

/** Nothing happens where an earlier change has removed the place. */
function spoil(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof body !== 'object' || body === null || !(name in body)) return body;
  const inner = spoil((body as Record<string, unknown>)[name], rest, value);
  return Array.isArray(body) ? body.with(Number(name), inner) : { ...body, [name]: inner };
}
