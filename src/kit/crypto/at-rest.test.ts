import assert from 'node:assert/strict';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBox } from './at-rest.ts';

const key = randomBytes(32);
const box = createBox(key);

test('what was sealed opens again, whatever the text and context', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (plain, context) => {
      assert.equal(box.open(box.seal(plain, context), context), plain);
    }),
  );
});

test('the sealed form is versioned, holds no plain text and differs at every call', () => {
  const sealed = Array.from({ length: 100 }, () => box.seal('top-secret', 'row 7'));
  assert.equal(new Set(sealed).size, 100);
  for (const text of sealed) {
    assert.match(text, /^v1\.[\w-]+$/);
    assert.equal(Buffer.from(text.slice(3), 'base64url').includes('top-secret'), false);
  }
});

test('the layout is nonce, ciphertext, tag, so that the value can be opened with other tools', () => {
  const bytes = Buffer.from(box.seal('hello', 'row 7').slice(3), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from('row 7')).setAuthTag(bytes.subarray(17));
  assert.equal(decipher.update(bytes.subarray(12, 17), undefined, 'utf8') + decipher.final('utf8'), 'hello');
});

test('another key or another context does not open it', () => {
  const sealed = box.seal('secret', 'row 7');
  assert.throws(() => box.open(sealed, 'row 8'), /cannot open a sealed value: the encryption key/);
  assert.throws(() => createBox(randomBytes(32)).open(sealed, 'row 7'), /cannot open a sealed value/);
});

test('every changed character, cut or addition is noticed', () => {
  const sealed = box.seal('secret', '');
  for (let index = 0; index < sealed.length; index++) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
    assert.throws(() => box.open(changed, ''), /cannot open a sealed value/, changed);
  }
  for (const wrong of ['', 'v1.', 'secret', sealed.slice(0, -1), `${sealed}A`, `${sealed}=`, `${sealed} `]) {
    assert.throws(() => box.open(wrong, ''), /cannot open a sealed value/, wrong);
  }
});

test('a key of the wrong length is refused at once', () => {
  for (const length of [0, 16, 31, 33]) {
    assert.throws(
      () => createBox(Buffer.alloc(length)),
      new RegExp(`must be 32 bytes, this one has ${length}`),
    );
  }
});
