import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildBinary } from 'plist';
import { decodeStrings, parseStrings, readStrings } from './strings-reader.ts';

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
    return [...parsed];
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
      '"a" = <0a>;': /expected a value in double quotes for "a"/,
      '{ "a" = "b"; ': /expected } at the end/,
      '{ "a" = "b"; } "c" = "d";': /expected nothing after the last }/,
      '"a" = "b': /expected a value in double quotes/,
      '"a\\x" = "b";': /expected a key in double quotes/,
      '/* never closed': /expected a key in double quotes/,
      '"a" = "b";\n"a" = "c";': /^line 2: "a" is translated twice/,
    };
    for (const [text, pattern] of Object.entries(wrong))
      assert.match(String(parseStrings(text)), pattern, text);
  });
});

describe('readStrings', () => {
  const xml = (body: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">${body}</plist>`;

  it('reads bare words, single quotes, braces, keys without a value, and escapes by number', () => {
    const read = (text: string) => readStrings(Buffer.from(text));
    assert.deepEqual(read('free_coffee = "Café";'), new Map([['free_coffee', 'Café']]));
    assert.deepEqual(read("{ 'a' = b.c-d/e:f$1; }\n// end"), new Map([['a', 'b.c-d/e:f$1']]));
    assert.deepEqual(
      read('"Gold"; "x" = "\\U41\\102\\a";'),
      new Map([
        ['Gold', 'Gold'],
        ['x', 'AB\x07'],
      ]),
    );
  });

  it('reads property lists in XML, in UTF-16 too, and in binary', () => {
    const text = xml('<dict><key>a &amp; b</key><string>Łódź</string></dict>');
    const pairs = new Map([['a & b', 'Łódź']]);
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF${text}`, 'utf16le'),
      Buffer.from(buildBinary(Object.fromEntries(pairs))),
    ]) {
      assert.deepEqual(readStrings(bytes), pairs);
    }
  });

  it('refuses property lists that are damaged or hold something else', () => {
    for (const body of [
      '<dict><key>a</key><integer>1</integer></dict>',
      '<array><string>a</string></array>',
      '<string>a</string>',
    ]) {
      assert.equal(readStrings(Buffer.from(xml(body))), 'the property list is no dictionary of texts', body);
    }
    const binary = Buffer.from(buildBinary({ a: 'b' }));
    for (const bytes of [
      binary.subarray(0, 12),
      Buffer.from('<plist><string>a</string>'),
      Buffer.from('<?xml ?>'),
    ]) {
      assert.equal(readStrings(bytes), 'it is a damaged property list');
    }
  });
});
