import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decryptRc2 } from './rc2.ts';

describe('decryptRc2', () => {
  const samples = [
    ['ffffffffffffffff', 'ffffffffffffffff', '278b27e42e2f0d49'],
    ['3000000000000000', '1000000000000001', '30649edf9be7d2c2'],
    ['88bca90e90875a7f0f79c384627bafb2', '0000000000000000', '2269552ab0f85ca6'],
  ] as const;
  for (const [key, plain, encrypted] of samples) {
    it(`agrees with RFC 2268 §5 on ${encrypted}`, () => {
      // The initial vector turns the block into one of padding: it is nothing else than that if it was decrypted right.
      const iv = Buffer.from(plain, 'hex').map((byte) => byte ^ 8);
      const found = decryptRc2(Buffer.from(key, 'hex'), Buffer.from(iv), Buffer.from(encrypted, 'hex'));
      assert.deepEqual(found, Buffer.alloc(0));
    });
  }

  it('refuses wrong padding, and what is no whole number of blocks', () => {
    const [key, iv] = [Buffer.alloc(16, 1), Buffer.alloc(8)];
    const block = Buffer.from('2269552ab0f85ca6', 'hex');
    assert.equal(decryptRc2(key, iv, block), null);
    assert.equal(decryptRc2(key, iv, block.subarray(1)), null);
    assert.equal(decryptRc2(key, iv, Buffer.alloc(0)), null);
  });
});
