import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  Asn1Error,
  asn1Children,
  asn1Octets,
  asn1Oid,
  asn1SmallInteger,
  asn1Text,
  asn1Time,
  readAsn1,
} from './asn1-reader.ts';
import { leaf } from './signing.fixture.ts';

function read(hex: string, ber = false): ReturnType<typeof readAsn1> {
  return readAsn1(Buffer.from(hex, 'hex'), { ber });
}

describe('readAsn1', () => {
  it('reads elements and their children', () => {
    const sequence = read('300a020101060355040c0500');
    assert.deepEqual(
      asn1Children(sequence).map(({ tag, body }) => [tag, body.toString('hex')]),
      [
        [0x02, '01'],
        [0x06, '55040c'],
        [0x05, ''],
      ],
    );
  });

  it('refuses what DER does not allow', () => {
    const wrong = {
      'cut length': '3082',
      'cut body': '300302',
      'trailing bytes': '050000',
      'long form of a short length': '04810100',
      'leading zero in a length': `04820080${'00'.repeat(128)}`,
      'indefinite length': '30800000',
      'large tag': '1f8100',
      nothing: '',
    };
    for (const [name, hex] of Object.entries(wrong)) assert.throws(() => read(hex), Asn1Error, name);
    assert.throws(() => asn1Children(read('0400')), Asn1Error);
    assert.throws(() => asn1Children(read('3002020101')), Asn1Error);
  });

  it('reads the looser forms of BER when asked', () => {
    const sequence = read('3080248004016104016200000000', true);
    assert.equal(asn1Octets(asn1Children(sequence)[0]).toString(), 'ab');
    assert.equal(asn1Octets(read('04810161', true)).toString(), 'a');
    assert.throws(() => read('3080', true), Asn1Error);
    assert.throws(() => read('3080'.repeat(100_000), true), Asn1Error);
  });

  it('reads object identifiers', () => {
    assert.equal(asn1Oid(read('06032a0304')), '1.2.3.4');
    assert.equal(asn1Oid(read('060a2a864886f76364060110')), '1.2.840.113635.100.6.1.16');
    assert.equal(asn1Oid(read('060a0992268993f22c640101')), '0.9.2342.19200300.100.1.1');
    assert.equal(asn1Oid(read('0603883703')), '2.999.3');
    for (const hex of ['0600', '060186', '06022a86', '0400']) {
      assert.throws(() => asn1Oid(read(hex)), Asn1Error, hex);
    }
  });

  it('reads numbers, texts and times', () => {
    assert.equal(asn1SmallInteger(read('02020800')), 2048);
    assert.throws(() => asn1SmallInteger(read('0201ff')), Asn1Error);
    assert.throws(() => asn1SmallInteger(read('020700ffffffffffff')), Asn1Error);
    assert.deepEqual(
      ['0c02c3a9', '1401e9', '1e0200e9'].map((hex) => asn1Text(read(hex))),
      ['é', 'é', 'é'],
    );
    assert.equal(asn1Text(read('0500')), null);
    const time = (tag: string, text: string) =>
      asn1Time(
        read(`${tag}${text.length.toString(16).padStart(2, '0')}${Buffer.from(text).toString('hex')}`),
      );
    assert.equal(time('17', '491231235959Z').toISOString(), '2049-12-31T23:59:59.000Z');
    assert.equal(time('17', '500101000000Z').toISOString(), '1950-01-01T00:00:00.000Z');
    assert.equal(time('18', '20500101000000Z').toISOString(), '2050-01-01T00:00:00.000Z');
    for (const [tag, text] of [
      ['17', '4912312359Z'],
      ['17', '491331000000Z'],
      ['18', '491231235959Z'],
      ['17', '491231235959+0100'],
    ] as const) {
      assert.throws(() => time(tag, text), Asn1Error, text);
    }
  });

  it('never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: leaf.raw.length - 1 }),
        fc.nat({ max: 255 }),
        fc.boolean(),
        (at, byte, ber) => {
          const bytes = Buffer.from(leaf.raw);
          bytes[at] = byte;
          try {
            walk(readAsn1(bytes, { ber }));
          } catch (error) {
            assert.ok(error instanceof Asn1Error);
          }
        },
      ),
    );
  });
});

function walk(element: ReturnType<typeof readAsn1>): void {
  if ((element.tag & 0x20) !== 0) for (const child of asn1Children(element)) walk(child);
}
