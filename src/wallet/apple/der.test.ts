import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { der, objectIdentifier, setOf, TAG } from './der.ts';

describe('der', () => {
  it('writes short lengths in one octet and long lengths in as few as possible', () => {
    const header = (length: number) =>
      der(TAG.octetString, Buffer.alloc(length)).subarray(0, -length || undefined);
    assert.equal(der(TAG.null).toString('hex'), '0500');
    assert.equal(header(0x7f).toString('hex'), '047f');
    assert.equal(header(0x80).toString('hex'), '048180');
    assert.equal(header(0xff).toString('hex'), '0481ff');
    assert.equal(header(0x100).toString('hex'), '04820100');
    assert.equal(header(0x10000).toString('hex'), '0483010000');
  });

  it('joins several contents', () => {
    const one = der(TAG.integer, Buffer.from([1]));
    assert.equal(der(TAG.sequence, one, der(TAG.null)).toString('hex'), '30050201010500');
  });
});

describe('objectIdentifier', () => {
  it('encodes arcs in base 128', () => {
    assert.equal(objectIdentifier('1.2.840.113549').toString('hex'), '06062a864886f70d');
    assert.equal(objectIdentifier('2.16.840.1.101.3.4.2.1').toString('hex'), '0609608648016503040201');
    assert.equal(objectIdentifier('2.999.3').toString('hex'), '0603883703');
    assert.equal(objectIdentifier('1.2.840.113635.100.6.1.16').toString('hex'), '060a2a864886f76364060110');
  });
});

describe('setOf', () => {
  it('sorts the elements by their encoding', () => {
    const [one, two, text] = [
      der(TAG.integer, Buffer.from([1])),
      der(TAG.integer, Buffer.from([2])),
      der(TAG.octetString),
    ];
    assert.equal(setOf([text, two, one]).toString('hex'), '31080201010201020400');
  });

  it('takes an implicit tag', () => {
    assert.equal(setOf([der(TAG.null)], TAG.context0).toString('hex'), 'a0020500');
  });
});
