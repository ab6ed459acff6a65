import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { hashSecret, hasValidChecksum, newSecret } from './tokens.ts';

test('the checksum is that of GitHub tokens', () => {
  assert.equal(hasValidChecksum('ghp_', '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'), true);
});

test('a new secret has the documented form and a valid checksum, and none comes twice', () => {
  const secrets = Array.from({ length: 10_000 }, () => newSecret('pk_live_'));
  assert.equal(new Set(secrets).size, secrets.length);
  for (const secret of secrets) {
    assert.match(secret, /^pk_live_[0-9A-Za-z]{36}$/);
    assert.equal(hasValidChecksum('pk_live_', secret), true);
  }
});

test('any single changed character, a cut, an addition or another prefix is refused', () => {
  const secret = newSecret('pk_live_');
  for (let index = 0; index < secret.length; index++) {
    const other = secret[index] === 'x' ? 'y' : 'x';
    const changed = secret.slice(0, index) + other + secret.slice(index + 1);
    assert.equal(hasValidChecksum('pk_live_', changed), false, changed);
  }
  for (const wrong of ['', 'pk_live_', secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`]) {
    assert.equal(hasValidChecksum('pk_live_', wrong), false, JSON.stringify(wrong));
  }
  assert.equal(hasValidChecksum('pk_test_', secret), false);
});

/** A fair source exceeds 250 about once in 10^24 runs; `byte % 62` would score above 2,000. */
test('all 62 characters are equally likely', () => {
  const counts = new Map<string, number>();
  const secrets = 10_000;
  for (let index = 0; index < secrets; index++) {
    for (const character of newSecret('').slice(0, 30)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const expected = (secrets * 30) / 62;
  assert.equal(counts.size, 62);
  const chiSquare = [...counts.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 250, `χ² = ${chiSquare}`);
});

test('the stored form is SHA-256', () => {
  assert.deepEqual(hashSecret('abc'), createHash('sha256').update('abc').digest());
  assert.equal(hashSecret('abc').length, 32);
});
