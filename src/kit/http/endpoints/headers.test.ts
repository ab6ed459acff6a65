import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import { bearerToken, readHttpDate, retryAfterMs } from './headers.ts';

describe('an HTTP-date', () => {
  it('is read in all three forms', () => {
    const moment = Date.UTC(1994, 10, 6, 8, 49, 37);
    assert.equal(readHttpDate('Sun, 06 Nov 1994 08:49:37 GMT'), moment);
    assert.equal(readHttpDate('Sunday, 06-Nov-94 08:49:37 GMT'), moment);
    assert.equal(readHttpDate('Sun Nov  6 08:49:37 1994'), moment);
    assert.equal(readHttpDate('Tuesday, 11-Aug-26 08:49:37 GMT'), Date.UTC(2026, 7, 11, 8, 49, 37));
  });

  it('is what Date writes', () => {
    const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
    fc.assert(
      fc.property(seconds, (second) => {
        assert.equal(readHttpDate(new Date(second * 1_000).toUTCString()), second * 1_000);
      }),
    );
  });

  it('is nothing else', () => {
    const others = [
      '',
      '0',
      '784111777',
      '784111777.5',
      '1994-11-06T08:49:37Z',
      '2999-01-01',
      'yesterday',
      'Sun, 06 Nov 1994 08:49:37',
      'Sun, 06 Nov 1994 08:49:37 CET',
      'Sun, 6 Nov 1994 08:49:37 GMT',
      'Sun, 31 Feb 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 24:00:00 GMT',
      'Sun, 06 Nov 1994 08:60:37 GMT',
      'Sun, 06 Foo 1994 08:49:37 GMT',
      'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    ];
    for (const text of others) assert.equal(readHttpDate(text), null, text);
  });
});

describe('Retry-After', () => {
  const now = new Date('1994-11-06T08:49:37Z');

  it('is a number of seconds, or a moment', () => {
    assert.equal(retryAfterMs('120', now), 120_000);
    assert.equal(retryAfterMs('2.0', now), 2_000);
    assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:50:00 GMT', now), 23_000);
    assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:49:00 GMT', now), 0);
  });

  it('says nothing otherwise', () => {
    for (const header of [null, undefined, '', 'soon', '-1', '1e3', '9999999999'])
      assert.equal(retryAfterMs(header, now), null);
    assert.equal(retryAfterMs('Sun, 06 Nov 1994 08:50:00 GMT', new Date('')), null);
  });
});

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
