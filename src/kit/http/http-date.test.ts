import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readHttpDate, retryAfterMs } from './http-date.ts';

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
