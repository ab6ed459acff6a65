import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearerToken } from './bearer.ts';

test('one well-formed header gives its token; the scheme is case-insensitive', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.deepEqual(bearerToken([`${scheme} pk_live_0aZ`]), { kind: 'token', token: 'pk_live_0aZ' });
  }
  assert.deepEqual(bearerToken(['Bearer a.b-c_d~e+f/g==']), { kind: 'token', token: 'a.b-c_d~e+f/g==' });
  const longest = 'x'.repeat(512);
  assert.deepEqual(bearerToken([`Bearer ${longest}`]), { kind: 'token', token: longest });
});

test('without a Bearer credential there is none', () => {
  const values = [
    '',
    'Bearer',
    'Bearer ',
    'bearer   ',
    'Bearer\t',
    'Basic dXNlcjpzZWNyZXQ=',
    'Bearertoken',
    'Token a',
    ' ',
  ];
  assert.deepEqual(bearerToken([]), { kind: 'none' });
  for (const value of values) assert.deepEqual(bearerToken([value]), { kind: 'none' }, JSON.stringify(value));
});

test('a Bearer credential of any other form is malformed, never trimmed into a token', () => {
  const values = [
    'Bearer  two-spaces',
    'Bearer\ttab',
    'Bearer \ttab',
    'Bearer trailing ',
    'Bearer trailing\t',
    'Bearer trailing\n',
    'Bearer two words',
    'Bearer a,Bearer b',
    'Bearer a, Bearer b',
    'Bearer schlüssel',
    'Bearer a\u0000b',
    'Bearer "quoted"',
    'Bearer =',
    'Bearer a=b',
    `Bearer ${'x'.repeat(513)}`,
    `Bearer ${'x'.repeat(8192)}`,
  ];
  for (const value of values)
    assert.deepEqual(bearerToken([value]), { kind: 'malformed' }, JSON.stringify(value));
});

test('two Authorization headers are malformed, also when both are the same', () => {
  assert.deepEqual(bearerToken(['Bearer a', 'Bearer a']), { kind: 'malformed' });
  assert.deepEqual(bearerToken(['Basic a', 'Bearer b']), { kind: 'malformed' });
  assert.deepEqual(bearerToken(['Bearer a', '']), { kind: 'malformed' });
});
