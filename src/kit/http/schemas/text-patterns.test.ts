import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oddTexts } from '../../../../test/openapi/odd-texts.ts';
import {
  addressPattern,
  idempotencyKeyPattern,
  labelPattern,
  linePattern,
  localPartPattern,
  paddedAddressPattern,
  printablePattern,
  prosePattern,
} from './text-patterns.ts';

/** What each pattern means, in ECMAScript's own words for sets of characters; address.test.ts has the mailbox. */
const meanings: readonly (readonly [name: string, pattern: string, meaning: RegExp])[] = [
  ['a line', linePattern, /^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]+$/u],
  ['a printable text', printablePattern, /^[^\p{Cc}]+$/u],
  ['a label', labelPattern, /^[^\p{Cc}]*$/u],
  ['prose', prosePattern, /^(?:[\t\n\r\x80-\x9f]|\P{Cc})+$/u],
  ['an address', addressPattern, /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u],
  ['an address with space around it', paddedAddressPattern, /^\s*[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\s*$/u],
  [
    'the local part of an address',
    localPartPattern,
    /^(?!.*\.\.)(?!\.)(?!.*\.$)(?:[\w!#$%&'*+/=?^`{|}~.-]|[^\p{ASCII}\p{Cc}\p{Zl}\p{Zp}])+$/su,
  ],
  ['an idempotency key', idempotencyKeyPattern, /^[ -+\--~]{1,255}$/],
];

for (const [name, pattern, meaning] of meanings) {
  test(`the pattern of ${name} says what it means`, () => {
    const own = new RegExp(pattern, 'u');
    fc.assert(
      fc.property(oddTexts, (text) => assert.equal(own.test(text), meaning.test(text), JSON.stringify(text))),
      { numRuns: 5_000 },
    );
  });
}
