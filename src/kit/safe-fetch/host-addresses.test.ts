import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { blockedAddresses, publicNeighbours, spellings } from './addresses.fixture.ts';
import { addressCheck, isPublicAddress } from './host-addresses.ts';

/** What is not public in IPv4 (RFC 6890 and its successors, and multicast), as prefixes of bits. */
const closedNetworks = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 ' +
  '203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32'
)
  .split(' ')
  .map((network) => {
    const [address = '', bits = ''] = network.split('/');
    return bitsOf(address).slice(0, Number(bits));
  });

function bitsOf(ipv4: string): string {
  return ipv4
    .split('.')
    .map((octet) => Number(octet).toString(2).padStart(8, '0'))
    .join('');
}

const ipv4 = fc.oneof(
  fc.ipV4(),
  // Next to the borders of the networks, where mistakes are likely.
  fc
    .tuple(fc.constantFrom(...closedNetworks), fc.boolean(), fc.integer({ min: -2, max: 2 }))
    .map(([prefix, atEnd, step]) => {
      const edge = Number.parseInt(prefix.padEnd(32, atEnd ? '1' : '0'), 2);
      const number = Math.min(Math.max(edge + step, 0), 0xffff_ffff);
      return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
    }),
);

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));

describe('isPublicAddress', () => {
  it(`blocks what is not public: ${blockedAddresses.length} addresses`, () => {
    for (const { address, why } of blockedAddresses)
      assert.equal(isPublicAddress(address), false, `${address}: ${why}`);
    assert.ok(blockedAddresses.length >= 62);
  });

  it(`lets their public neighbours pass: ${publicNeighbours.length} addresses`, () => {
    for (const address of publicNeighbours) assert.equal(isPublicAddress(address), true, address);
    assert.ok(publicNeighbours.length >= 18);
  });

  it('blocks what is no address, or what is one only to some', () => {
    const texts =
      'localhost example.com 127.1 2130706433 0x7f000001 0177.0.0.1 010.8.8.8 1.2.3.4.5 256.1.1.1 :1 1::2::3';
    for (const text of ['', ...texts.split(' ')]) assert.equal(isPublicAddress(text), false, text);
  });

  it('blocks every spelling that a URL may have of a local address', () => {
    for (const [hostname, hosts] of Object.entries(spellings)) {
      for (const host of hosts.split(' ')) {
        assert.equal(new URL(`https://${host}/`).hostname, hostname, host);
        assert.equal(isPublicAddress(hostname.replace(/[[\]]/g, '')), false, host);
      }
    }
  });

  it('agrees with the networks of IPv4 written as bits', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        const bits = bitsOf(address);
        assert.equal(isPublicAddress(address), !closedNetworks.some((prefix) => bits.startsWith(prefix)));
      }),
      { numRuns: 5_000 },
    );
  });

  it('treats an IPv4-mapped address as the IPv4 address, and refuses one that only looks alike', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        assert.equal(isPublicAddress(`::ffff:${address}`), isPublicAddress(address));
        for (const prefix of ['::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2600::5efe:'])
          assert.equal(isPublicAddress(`${prefix}${address}`), false, prefix);
      }),
      { numRuns: 2_000 },
    );
  });

  it('lets nothing of IPv6 pass but 2000::/3', () => {
    const first = fc.integer({ min: 0, max: 0xffff }).filter((value) => value < 0x2000 || value > 0x3fff);
    fc.assert(
      fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (head, tail) => {
        assert.equal(isPublicAddress([head.toString(16), ...tail].join(':')), false);
      }),
      { numRuns: 2_000 },
    );
    const embedding = fc.constantFrom(
      '2002',
      '2001:0',
      '2001:db8',
      '2001:2:0',
      '3fff:0',
      '3fff:fff',
      '2620:4f:8000',
    );
    fc.assert(
      fc.property(embedding, fc.array(group, { minLength: 6, maxLength: 6 }), (head, tail) => {
        const groups = [...head.split(':'), ...tail].slice(0, 8);
        fc.pre(groups.length === 8);
        assert.equal(isPublicAddress(groups.join(':')), false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never raises anything, and takes for public only what is an address', () => {
    const looksLikeOne = fc.string({ unit: fc.constantFrom(...'0123456789abcdefx:.%/[] ') });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), looksLikeOne), (text) => {
        const isPublic = isPublicAddress(text);
        assert.equal(typeof isPublic, 'boolean');
        if (isPublic) assert.match(text, /^[\d.]+$|^[\da-f:.]+(%.*)?$/is);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('addressCheck', () => {
  it('lets public addresses pass, and those of the networks that it was given', () => {
    const isAllowed = addressCheck(['127.0.0.1/32', '10.1.0.0/16', '192.168.7.7', '::1/128', 'fd00:1::/32']);
    for (const address of [
      '8.8.8.8',
      '127.0.0.1',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '192.168.7.7',
      '::1',
      'fd00:1::9',
    ])
      assert.equal(isAllowed(address), true, address);
    for (const address of [
      '127.0.0.2',
      '10.2.0.1',
      '192.168.7.8',
      '::2',
      '::',
      'fd00:2::1',
      '::ffff:127.0.0.2',
      'x',
    ])
      assert.equal(isAllowed(address), false, address);
  });

  it('says the same as isPublicAddress when it was given none', () => {
    const isAllowed = addressCheck([]);
    fc.assert(
      fc.property(fc.oneof(ipv4, fc.ipV6(), fc.string()), (address) => {
        assert.equal(isAllowed(address), isPublicAddress(address));
      }),
    );
  });
});
