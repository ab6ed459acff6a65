import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressBucket } from './client-address.ts';

test('an IPv4 address is its own bucket', () => {
  assert.equal(addressBucket('192.0.2.1'), '192.0.2.1');
  assert.notEqual(addressBucket('192.0.2.1'), addressBucket('192.0.2.2'));
});

test('every spelling of an IPv4-mapped address falls into the bucket of the IPv4 address', () => {
  for (const spelling of [
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:c000:0201',
  ]) {
    assert.equal(addressBucket(spelling), '192.0.2.1', spelling);
  }
});

test('IPv6 addresses are counted by their /64, however they are written', () => {
  const bucket = '2001:db8:0:7::/64';
  const spellings = [
    '2001:db8:0:7::1',
    '2001:0DB8:0000:0007:ffff:ffff:ffff:ffff',
    '2001:db8::7:0:0:192.0.2.1',
    '2001:db8:0:7:1:2:3:4%eth0',
  ];
  for (const spelling of spellings) assert.equal(addressBucket(spelling), bucket, spelling);
  assert.equal(addressBucket('2001:db8:0:8::1'), '2001:db8:0:8::/64');
  assert.equal(addressBucket('::1'), '0:0:0:0::/64');
  assert.equal(addressBucket('fe80::1%lo'), 'fe80:0:0:0::/64');
});

test('what is not an address shares one bucket', () => {
  for (const text of [
    '',
    'unknown',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.4.',
    '::1::',
    'a'.repeat(5000),
    '1.2.3.4, 5.6.7.8',
  ]) {
    assert.equal(addressBucket(text), 'invalid', text.slice(0, 20));
  }
});

test('the last 64 bits never matter and the first 64 always do', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = fc.tuple(group, group, group, group, group, group, group, group);
  const text = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
  fc.assert(
    fc.property(groups, groups, fc.nat(3), (one, two, changed) => {
      fc.pre(one.slice(0, 4).some((part) => part !== 0));
      const sameSite = [...one.slice(0, 4), ...two.slice(4)];
      assert.equal(addressBucket(text(one)), addressBucket(text(sameSite)));
      const otherSite = one.map((part, index) => (index === changed ? part ^ 1 : part));
      fc.pre(otherSite.slice(0, 4).some((part) => part !== 0));
      assert.notEqual(addressBucket(text(one)), addressBucket(text(otherSite)));
    }),
  );
});
