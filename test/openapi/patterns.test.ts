import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { findProgram } from '../find-program.ts';
import { hostileMoments, hostileStrings } from '../hostile-strings.ts';
import { document, json, patternsOf } from './document.ts';
import { oddTexts } from './odd-texts.ts';

/** Patterns of the document are read by tools in many languages: all of them must read the same. */
const patterns = patternsOf();

/** What RE2, or another dialect, does not have, or reads in a way of its own. */
const unportable: readonly (readonly [string, RegExp])[] = [
  ['look-around, a named or atomic group, or flags', /\(\?(?!:)/],
  ['a possessive or lazy quantifier', /(?<!\\)[*+?}][+?]/],
  ['any character, among which line ends are not to all', /(?<!\\)\./],
  ['a repetition beyond a thousand', /\{\d*,?\d{4,}\}/],
];
/** Classes with a name, back-references, and escapes that are not known to all. */
const unportableEscape = /\\(?!x[0-9a-f]{2}|[^A-Za-z0-9])/;

test('no pattern has what some dialect has not', () => {
  assert.ok(patterns.size > 20);
  for (const [pattern, place] of patterns) {
    const withoutClasses = pattern.replaceAll(/\[(?:\\.|[^\]\\])*\]/g, '[]');
    for (const [what, sign] of unportable) assert.doesNotMatch(withoutClasses, sign, `${place}: ${what}`);
    assert.doesNotMatch(pattern, unportableEscape, place);
    assert.match(pattern, /^\^.*\$$/s, `${place}: is not about the whole text`);
  }
});

test('every pattern compiles in ECMAScript, with and without its flags', () => {
  for (const [pattern, place] of patterns)
    for (const flags of ['', 'u', 'v'])
      assert.doesNotThrow(() => new RegExp(pattern, flags), `${place}: ${pattern} with the flags "${flags}"`);
});

/** Texts on the edges of the patterns, other ones each time. */
const texts = [...new Set([...hostileStrings, ...hostileMoments, ...fc.sample(oddTexts, 4_000)])].map(
  (text) => text.slice(0, 300),
);

test('ECMAScript reads every pattern alike with and without its flags', () => {
  for (const [pattern, place] of patterns) {
    const [plain, ...others] = ['', 'u', 'v'].map((flags) => new RegExp(pattern, flags));
    for (const text of texts)
      for (const other of others)
        assert.equal(
          other.test(text),
          plain?.test(text),
          `${place}: /${pattern}/${other.flags} on ${JSON.stringify(text)}`,
        );
  }
});

const python = findProgram(['python3']);

test('Python reads every pattern as ECMAScript does', {
  skip: python === null && 'python3 is not on this machine',
}, () => {
  // Its `$` also stands before a line feed at the end, which no pattern can forbid it.
  const closed = texts.filter((text) => !text.endsWith('\n'));
  const { stdout, stderr, status } = spawnSync(python ?? '', ['-W', 'error', '-c', program], {
    input: JSON.stringify({ patterns: [...patterns.keys()], texts: closed }),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  assert.equal(status, 0, stderr);
  const matched = JSON.parse(stdout) as number[][];
  for (const [at, pattern] of [...patterns.keys()].entries()) {
    const own = new RegExp(pattern, 'u');
    const theirs = new Set(matched[at]);
    for (const [index, text] of closed.entries())
      assert.equal(theirs.has(index), own.test(text), `${pattern} on ${JSON.stringify(text)}`);
  }
});

const program = `
import json, re, sys
asked = json.load(sys.stdin)
found = [[at for at, text in enumerate(asked["texts"]) if re.search(pattern, text)] for pattern in asked["patterns"]]
json.dump(found, sys.stdout)
`;

test('white space and control characters of patterns can be seen in the document', () => {
  const text = json.toString('utf8');
  assert.doesNotMatch(text, /[[\p{C}\p{Z}]--[ ]]/v);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(document)));
});
