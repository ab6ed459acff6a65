import assert from 'node:assert/strict';
import { it } from 'node:test';
import { foldCase, foldName } from './fold.ts';

/** Texts of a line are the same. */
function assertSame(fold: (text: string) => string, lines: readonly (readonly string[])[]) {
  for (const line of lines) assert.equal(new Set(line.map(fold)).size, 1, line.join(' · '));
  const folded = lines.map(([first = '']) => fold(first));
  assert.equal(new Set(folded).size, lines.length, 'lines differ from each other');
}

it('folds letter case, in all scripts', () => {
  assertSame(foldCase, [
    ['\u039d\u03af\u03ba\u03bf\u03c2', '\u039d\u038a\u039a\u039f\u03a3', '\u03bd\u03af\u03ba\u03bf\u03c3'],
    ['Stra\u00dfe', 'STRASSE', 'STRA\u1e9eE'],
    ['\ufb01n', 'FIN'],
    ['\u13a0\uab70', '\uab70\u13a0'],
    ['\u10d0\u10d1', '\u1c90\u1c91'],
    ['ELI\u017eABETA', 'eli\u017eabeta'],
    ['Zoe\u0308', 'ZO\u00cb'],
    ['Zoe'],
    ['\u212a', 'k'],
    ['\u0130', 'i\u0307'],
    ['\u0131'],
    ['I', 'i'],
  ]);
});

it('folds names beyond letter case', () => {
  assertSame(foldName, [
    ['\u039d\u03af\u03ba\u03bf\u03c2', '\u039d\u0399\u039a\u039f\u03a3'],
    ['\u0130stanbul', 'ISTANBUL', '\u0131stanbul', 'istanbul'],
    ['Zo\u00eb', 'Zoe\u0308', 'ZOE'],
    ['\u0141\u00f3d\u017a', 'Lodz'],
    ['S\u00f8ren \u00c6r\u00f8', 'soren aero'],
    ['\u0110\u1eb7ng Nguy\u1ec5n', 'dang nguyen'],
    ['O\u2019Neil', "O'Neil", 'ONEIL', 'O\u00b4Neil', 'O\u02bcNeil'],
    ['Anne-Marie', 'Anne  Marie', 'anne\u2011marie', ' Anne\u00a0Marie '],
    ['\uff21\uff44\uff41', 'Ada', 'A\u00adda'],
    ['\uff76\uff9e', '\u30ac'],
    ['\u30ab'],
    ['\u0915\u093f\u0930\u0923'],
    ['\u0915\u0930\u0923'],
    ['\u0623\u062d\u0645\u062f', '\u0627\u062d\u0645\u062f', '\u0627\u062d\u0640\u0645\u064e\u062f'],
    ['\u05de\u05b9\u05e9\u05c1\u05b6\u05d4', '\u05de\u05e9\u05d4'],
    ['\u0401\u043b\u043a\u0430', '\u0435\u043b\u043a\u0430'],
    ['Gro\u00df', 'gross', 'GRO\u1e9e'],
  ]);
});
