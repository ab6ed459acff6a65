import assert from 'node:assert/strict';
import { it } from 'node:test';
import { printable } from './printable.ts';

it('what a terminal would obey is written as its number, and every letter stays', () => {
  const kept = 'Café 日本 نادي 👩‍👩‍👧\n\tnext';
  assert.equal(printable(kept), kept);
  assert.equal(
    printable('a\u001b[2J\u009b2J\rb\u0007\u0000\u007f'),
    'a\\u{1b}[2J\\u{9b}2J\\u{d}b\\u{7}\\u{0}\\u{7f}',
  );
  assert.equal(printable('\u202egpj.exe\u2066\u2028'), '\\u{202e}gpj.exe\\u{2066}\\u{2028}');
});
