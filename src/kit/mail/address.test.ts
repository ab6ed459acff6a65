import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mailboxPattern } from '../http/schemas/text-patterns.ts';
import { normalEmail } from './address.ts';

const mailbox = new RegExp(mailboxPattern);

/** Nearly all of them good: parts of good and bad letters around one `@`. */
const word = (letters: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
const local = word("aZ0_-.+'é日😀\u00a0\u0085\u2028\u2029\u200b");
const domain = fc
  .array(word('aZ09-_éß日。．\u00ad\u3000\u2028'), { minLength: 1, maxLength: 3 })
  .map((labels) => labels.join('.'));
const around = fc.constantFrom('', '', ' ', '\u00a0', '\u2028');
const address = fc
  .tuple(around, local, fc.constantFrom('@', '@', '@', '', '@@'), domain, around)
  .map((parts) => parts.join(''));

test('what an address is taken for, the document takes too', () => {
  fc.assert(
    fc.property(address, (text) => {
      if (normalEmail(text) !== null) assert.match(text, mailbox, JSON.stringify(text));
    }),
    { numRuns: 20_000 },
  );
});

test('of addresses in ASCII the document takes no other, unless for their length or a label that is odd', () => {
  // A label neither begins nor ends with a hyphen; a last label that looks like a number is an IPv4 address.
  const hasOddLabel = /@.*(?:[.@]-|-\.|-\s*$|\.(?:\d+|0x[\da-f]*)\s*$)|[.@]..--/i;
  const ascii = fc
    .tuple(word('aZ09_-.+@ '), word('aZ09-_. '))
    .map((parts) => `${parts[0]}@${parts[1]}.${parts[1]}`);
  fc.assert(
    fc.property(ascii, (text) => {
      if (mailbox.test(text) && !hasOddLabel.test(text)) assert.notEqual(normalEmail(text), null, text);
    }),
    { numRuns: 20_000 },
  );
});

test('no address holds what ends a line, in ASCII or in Unicode', () => {
  for (const end of ['\r', '\n', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029']) {
    assert.equal(normalEmail(`ada${end}bcc@example.com`), null);
    assert.equal(normalEmail(`ada@exa${end}mple.com`), null);
  }
});
