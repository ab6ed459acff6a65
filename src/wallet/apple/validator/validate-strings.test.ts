import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeStrings, parseStrings } from './validate-strings.ts';

describe('decodeStrings', () => {
  const text = '"a" = "Łódź 日本";';

  it('reads UTF-8, and UTF-16 of either order with a mark', () => {
    const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`),
      little,
      Buffer.from(little).swap16(),
    ]) {
      assert.equal(decodeStrings(bytes), text);
    }
    assert.equal(decodeStrings(Buffer.alloc(0)), '');
  });

  it('refuses UTF-16 without a mark, half characters and other encodings', () => {
    assert.equal(decodeStrings(Buffer.from(text, 'utf16le')), null);
    assert.equal(decodeStrings(Buffer.from(`\uFEFF${text}`, 'utf16le').subarray(0, -1)), null);
    assert.equal(decodeStrings(Buffer.from('"a" = "é";', 'latin1')), null);
  });
});

describe('parseStrings', () => {
  function pairs(text: string): [string, string][] {
    const parsed = parseStrings(text);
    assert.ok(typeof parsed !== 'string', String(parsed));
    return [...parsed.pairs];
  }

  it('reads pairs, comments and escapes', () => {
    const text = `/* a "comment"; */
      "one"="1"; // rest of line = "x";
      "t\\"wo" = "a\\\\b\\n\\u00e9\\U20AC";"" = "";
    `;
    assert.deepEqual(pairs(text), [
      ['one', '1'],
      ['t"wo', 'a\\b\né€'],
      ['', ''],
    ]);
    assert.deepEqual(pairs(''), []);
    assert.deepEqual(pairs('// only a comment'), []);
  });

  it('says what is wrong and in which line', () => {
    const wrong: Record<string, RegExp> = {
      '"a" = "b "c" d";': /^line 1: expected ; after the value of "a"/,
      '"a" = "b";\n"c" "d";': /^line 2: expected = after "c"/,
      '"a" = "b"': /expected ; after the value of "a"/,
      '"a" = b;': /expected a value in double quotes for "a"/,
      'a = "b";': /expected a key in double quotes/,
      '"a" = "b': /expected a value in double quotes/,
      '"a\\x" = "b";': /expected a key in double quotes/,
      '/* never closed': /expected a key in double quotes/,
      '"a" = "b";\n"a" = "c";': /^line 2: "a" is translated twice/,
    };
    for (const [text, pattern] of Object.entries(wrong))
      assert.match(String(parseStrings(text)), pattern, text);
  });
});
