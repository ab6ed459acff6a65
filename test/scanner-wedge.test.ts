import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readingsOf, type Stroke, Wedge } from '../web/scanner/wedge.ts';

/** What a keyboard of a layout makes of a text that a reader types as an American one. */
function typed(text: string, layout: Readonly<Record<string, string>> = {}, gap = 12): Stroke[] {
  return [...text].map((letter, n) => {
    const isLetter = /[A-Za-z]/.test(letter);
    const code = isLetter
      ? `Key${letter.toUpperCase()}`
      : letter === '-'
        ? 'Minus'
        : letter === '_'
          ? 'Minus'
          : `Digit${letter}`;
    const shift = /[A-Z_]/.test(letter);
    return { key: layout[letter] ?? letter, code, shift, at: n * gap };
  });
}
const azerty = {
  '1': '&',
  '2': 'é',
  '3': '"',
  '4': "'",
  '5': '(',
  '6': '-',
  '7': 'è',
  '8': '_',
  '9': 'ç',
  '0': 'à',
  Q: 'A',
  '-': ')',
};
const qwertz = { Y: 'Z', Z: 'Y', z: 'y', y: 'z', '-': 'ß', _: '?' };
const capsLock = { A: 'a', B: 'b', c: 'C', d: 'D' };

function read(strokes: readonly Stroke[], end = 'Enter') {
  const wedge = new Wedge();
  for (const stroke of strokes) assert.equal(wedge.press(stroke), null);
  return wedge.press({ key: end, code: end, shift: false, at: (strokes.at(-1)?.at ?? 0) + 12 });
}

describe('a reader that plays a keyboard', () => {
  it('is distinguished from fingers by its pace', () => {
    assert.deepEqual(read(typed('4006381333931'))?.[0], '4006381333931');
    assert.deepEqual(read(typed('7Q4M2X9KD3'), 'Tab')?.[0], '7Q4M2X9KD3');
    assert.equal(read(typed('4006381333931', {}, 90)), null);
    assert.equal(read(typed('400')), null);
    assert.equal(read([]), null);
  });

  it('is heard after a person has typed something slowly', () => {
    const late = typed('7Q4M2X9KD3').map((stroke) => ({ ...stroke, at: stroke.at + 1_000 }));
    assert.equal(read([...typed('abc', {}, 150), ...late])?.[0], '7Q4M2X9KD3');
  });

  it('writes nothing with keys that only shift', () => {
    const strokes = typed('AB12').flatMap((stroke) => [
      { ...stroke, key: 'Shift', code: 'ShiftLeft' },
      stroke,
    ]);
    assert.equal(read(strokes)?.[0], 'AB12');
  });

  it('begins anew after each code', () => {
    const wedge = new Wedge();
    for (const code of ['1111', '2222']) {
      for (const stroke of typed(code)) wedge.press(stroke);
      assert.equal(wedge.press({ key: 'Enter', code: 'Enter', shift: false, at: 48 })?.[0], code);
      assert.equal(wedge.length, 0);
    }
  });
});

describe('what a reader means', () => {
  it('on a French keyboard, whose digits need Shift', () => {
    assert.equal(readingsOf(typed('4006381333931', azerty))[0], '4006381333931');
    // A reader that knows the layout is understood by what is written.
    const knows = typed('4006381').map((stroke) => ({ ...stroke, shift: true }));
    assert.equal(readingsOf(knows)[0], '4006381');
  });

  it('on a German keyboard: both ways are tried', () => {
    assert.deepEqual(readingsOf(typed('XYZ1', qwertz)).slice(0, 2), ['XZY1', 'XYZ1']);
    assert.equal(readingsOf(typed('AB-12', qwertz))[0], 'AB-12');
  });

  it('while Caps Lock is on', () => {
    assert.ok(readingsOf(typed('ABcd', capsLock)).includes('ABcd'));
    // A keyboard whose keys have no names.
    const nameless = typed('ABcd', capsLock).map((stroke) => ({ ...stroke, code: '' }));
    assert.deepEqual(readingsOf(nameless), ['abCD', 'ABcd']);
  });

  it('with the digits of the numeric keypad, and where a key is dead', () => {
    const keypad = [...'4711'].map((key, n) => ({ key, code: `Numpad${key}`, shift: false, at: n }));
    assert.deepEqual(readingsOf(keypad), ['4711']);
    const dead = typed('12-4').map((stroke) =>
      stroke.code === 'Minus' ? { ...stroke, key: 'Dead' } : stroke,
    );
    assert.equal(readingsOf(dead)[0], '12-4');
  });
});
