import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../api-error.ts';
import { parseJson } from './parse-json.ts';

function parse(text: string): unknown {
  return parseJson(Buffer.from(text));
}

function refusal(input: string | Buffer): string {
  try {
    parseJson(typeof input === 'string' ? Buffer.from(input) : input);
  } catch (error) {
    assert.ok(error instanceof ApiError, `not an ApiError: ${error}`);
    assert.equal(error.status, 400);
    assert.equal(error.code, 'invalid_request');
    return error.message;
  }
  assert.fail(`taken: ${input.toString('utf8').slice(0, 100)}`);
}

const taken = [
  'null',
  'true',
  ' false ',
  '0',
  '-0',
  '-1.5e-3',
  '1E3',
  '1e+2',
  '9007199254740991',
  '-9007199254740991',
  '0.12345678901234567890',
  '1e-400',
  '""',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00"',
  '"\u2028\ud83d\ude00\ufffd"',
  '[]',
  '{}',
  '[ ]',
  '\r\n\t{ "a" : [ 1 , { "b" : [ ] } , "x" ] , "c" : { } }\n',
  '[{"a":1},{"a":2},{"a":{"a":3}}]',
  '{"":1,"A":2,"a":3}',
  '{"constructors":1,"proto":2,"__proto":3,"prototypes":4,"abcdefghi":5,"abcdefghijk":6}',
  '['.repeat(32) + ']'.repeat(32),
];

test('valid JSON is read as JSON.parse reads it', () => {
  for (const text of taken) assert.deepStrictEqual(parse(text), JSON.parse(text), text);
});

const malformed: [text: string, where: string][] = [
  [' ', 'expected a value at line 1, column 2'],
  ['{', 'expected a property name in double quotes at line 1, column 2'],
  ['[1,]', 'expected a value at line 1, column 4'],
  ['{"a":1,}', 'expected a property name in double quotes at line 1, column 8'],
  ['{"a" 1}', 'expected ":" at line 1, column 6'],
  ['{"a":\n1 "b"}', 'expected "," or "}" at line 2, column 3'],
  ['[1 2]', 'expected "," or "]" at line 1, column 4'],
  ['[1}', 'expected "," or "]" at line 1, column 3'],
  ['{"a":1]', 'expected "," or "}" at line 1, column 7'],
  ["{'a':1}", 'expected a property name in double quotes at line 1, column 2'],
  ['{a:1}', 'expected a property name in double quotes at line 1, column 2'],
  ['01', 'a number must not start with 0 at line 1, column 1'],
  ['-', 'expected a digit at line 1, column 2'],
  ['1.', 'expected a digit at line 1, column 3'],
  ['.5', 'expected a value at line 1, column 1'],
  ['+1', 'expected a value at line 1, column 1'],
  ['1e', 'expected a digit at line 1, column 3'],
  ['NaN', 'expected a value at line 1, column 1'],
  ['nul', 'expected a value at line 1, column 1'],
  ['"abc', 'a string is not closed at line 1, column 5'],
  ['"a\nb"', 'a control character is not escaped at line 1, column 3'],
  ['"\\x"', 'unknown escape in a string at line 1, column 2'],
  ['"\\', 'unknown escape in a string at line 1, column 2'],
  ['"\\u00g0"', '"\\u" must be followed by four hexadecimal digits at line 1, column 2'],
  ['{} {}', 'unexpected text after the end at line 1, column 4'],
  ['[]]', 'unexpected text after the end at line 1, column 3'],
  ['// no\n1', 'expected a value at line 1, column 1'],
  ['1\u00a0', 'unexpected text after the end at line 1, column 2'],
];

test('malformed JSON is refused with the place where it breaks', () => {
  for (const [text, where] of malformed) {
    assert.throws(() => JSON.parse(text), text);
    assert.equal(refusal(text), `The body is not valid JSON: ${where}.`);
  }
});

const refused: [text: string, message: RegExp][] = [
  ['', /^The body is empty/],
  ['\ufeff{}', /byte order mark/],
  ['{"a":{"b":["x","a\\u0000"]}}', /^a\.b\[1\] holds a NUL character/],
  ['["\0"]', /^\[0\] holds a NUL character/],
  ['"\\u0000"', /^The body holds a NUL/],
  ['{"a\\u0000":1}', /^A property name holds a NUL/],
  ['{"x":{"a\\u0000":1}}', /^A property name in x holds a NUL/],
  ['{"a":"\\ud800"}', /^a holds half of a surrogate pair/],
  ['{"a":"\\ud800\\u0041"}', /^a holds half of a surrogate pair/],
  ['{"a":"\\udc00\\ud800"}', /^a holds half of a surrogate pair/],
  ['{"\\udfff":1}', /^A property name holds half of a surrogate pair/],
  ['{"a":1,"b":2,"a":3}', /^a is given twice; send each property once\.$/],
  ['{"a":1,"\\u0061":3}', /^a is given twice/],
  ['[{"x y":{"k":1,"k":{"z":[1]}}}]', /^\[0\]\["x y"\]\.k is given twice/],
  ['{"a":{"a":1},"b":{"a":1,"c":2,"a":3}}', /^b\.a is given twice/],
  ['{"__proto__":{}}', /^__proto__ is not allowed as a property name/],
  ['{"a":[{"__proto__":1}]}', /^a\[0\]\.__proto__ is not allowed/],
  ['{"\\u005f_proto__":1}', /^__proto__ is not allowed/],
  ['{"a":{"constructor":1}}', /^a\.constructor is not allowed/],
  ['{"constr\\u0075ctor":{"prototype":1}}', /^constructor is not allowed/],
  ['{"prototype":1}', /^prototype is not allowed/],
  ['{"a":1e400}', /^a is a number too large/],
  ['[-1e400]', /^\[0\] is a number too large/],
  ['{"points":9007199254740993}', /^points is beyond ±9007199254740991/],
  ['{"points":9007199254740992}', /^points is beyond/],
  ['{"points":1e21}', /^points is beyond/],
  ['{"points":-90071992547409930.0}', /^points is beyond/],
  ['['.repeat(33) + ']'.repeat(33), /more than 32 levels/],
  [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, /more than 32 levels/],
];

test('what would be lost, guessed or dangerous is refused, and the property is named', () => {
  for (const [text, message] of refused) assert.match(refusal(text), message, text.slice(0, 80));
});

test('bytes that are not UTF-8 are refused', () => {
  for (const bytes of ['22ff22', '22c0af22', '22eda08022', '22f4908080 22'.replace(' ', ''), '22c3']) {
    assert.match(refusal(Buffer.from(bytes, 'hex')), /not valid UTF-8/, bytes);
  }
});

test('a message never repeats more than a little of what was sent', () => {
  const long = 'x'.repeat(100_000);
  assert.ok(refusal(`{"${long}":1,"${long}":2}`).length < 200);
  const deep = `{"${'k'.repeat(70)}":`.repeat(30);
  assert.ok(refusal(`${deep}1e400${'}'.repeat(30)}`).length < 300);
});

test('a mebibyte of brackets is refused without being descended into', () => {
  assert.match(refusal('['.repeat(1 << 20)), /more than 32 levels/);
  assert.match(refusal('{"a":'.repeat(1 << 18)), /more than 32 levels/);
});

test('every JSON value without our refusals comes back equal', () => {
  const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, '\t'), (original, indent) => {
      const text = JSON.stringify(original, null, indent);
      const message = messageOf(text);
      if (message === null) assert.deepStrictEqual(parse(text), JSON.parse(text));
      else assert.match(message, /not allowed as|would be rounded|too large|NUL|surrogate|levels deep/);
    }),
    { numRuns: 500 },
  );
});

test('text that is almost JSON is taken exactly when JSON.parse takes it, or refused for a reason of ours', () => {
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b"',
      '\\',
      '\\u0041',
      '\\ud83d\\ude00',
      '1',
      '-',
      '.',
      'e',
      '0',
    ],
    ...['true', 'null', ' ', '\n', 'é', '{"a":', '[1,', '}}', '"a":1'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const message = messageOf(text);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        assert.notEqual(message, null, text);
        return;
      }
      if (message === null) assert.deepStrictEqual(parse(text), value);
      else assert.doesNotMatch(message, /not valid JSON/, text);
    }),
    { numRuns: 5_000 },
  );
});

function messageOf(text: string): string | null {
  try {
    parse(text);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.message;
  }
}
