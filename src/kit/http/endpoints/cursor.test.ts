import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../api-error.ts';
import { createCursors } from './cursor.ts';

const cursors = createCursors(randomBytes(32));
const refused = (error: unknown) =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.code === 'invalid_request' &&
  error.message.startsWith('cursor ');

test('the values come back as they were, for every scope', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(fc.array(value), fc.string(), (values, scope) => {
      const plain = values.map((entry) => (Object.is(entry, -0) ? 0 : entry));
      assert.deepEqual(cursors.decode(cursors.encode(plain, scope), scope), plain);
    }),
  );
});

test('a cursor is URL-safe', () => {
  assert.match(cursors.encode(['2026-01-01T00:00:00.000Z', 'ÿ?/&=', 3], 'list'), /^[\w-]+$/);
});

test('a cursor of another list, filter or tenant is refused', () => {
  const cursor = cursors.encode(['a', 1], 'tenant-1|list|status=open');
  for (const scope of [
    '',
    'tenant-2|list|status=open',
    'tenant-1|list|status=',
    'tenant-1|list|status=open ',
  ]) {
    assert.throws(() => cursors.decode(cursor, scope), refused, scope);
  }
  assert.throws(() => createCursors(randomBytes(32)).decode(cursor, 'tenant-1|list|status=open'), refused);
});

test('a cursor with any changed character, a cut or an addition is refused', () => {
  const cursor = cursors.encode(['2026-01-01', 42], 's');
  for (let index = 0; index < cursor.length; index++) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    assert.throws(
      () => cursors.decode(cursor.slice(0, index) + other + cursor.slice(index + 1), 's'),
      refused,
    );
  }
  const wrong = [
    '',
    'A',
    '=',
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}=`,
    ` ${cursor}`,
    'x'.repeat(10_000),
  ];
  for (const text of wrong) assert.throws(() => cursors.decode(text, 's'), refused, text.slice(0, 30));
});

test('what JSON cannot carry, and a weak key, are programming errors', () => {
  assert.throws(() => cursors.encode([Number.NaN], 's'), TypeError);
  assert.throws(() => cursors.encode([Number.POSITIVE_INFINITY], 's'), TypeError);
  assert.throws(() => createCursors(Buffer.alloc(16)), /at least 32 bytes/);
});
