import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readingsIn } from '../web/scanner/further-readings.ts';

const further = (...readings: string[]) => readingsIn(readings).further;

describe('what a reader may have meant', () => {
  const framed: readonly (readonly [what: string, typed: string, code: string])[] = [
    ['the kind of a QR code', ']Q1ABC-7', 'ABC-7'],
    ['the kind of a Code 128, typed with Caps Lock', ']c0abc-7', 'abc-7'],
    ['the kind of a PDF417', ']L2ABC-7', 'ABC-7'],
    ['the kind of an Aztec', ']z0ABC-7', 'ABC-7'],
    ['a character set and its escapes', ']Q2\\000026A\\\\B', 'A\\B'],
    ['UTF-8, byte by byte', 'NÂ°12', 'N°12'],
    ['a character set, and UTF-8 byte by byte', ']z3\\000026ä¼šå“¡', '会員'],
    ['STX and ETX', '\u0002ABC-7\u0003', 'ABC-7'],
    ['line ends and blanks', ' ABC-7 \r\n', 'ABC-7'],
    ['a separator of GS1', '\u001dABC\u001d7', 'ABC7'],
    ['a frame around a kind', '\u0002]C1ABC-7\r', 'ABC-7'],
    ['the signs of Code 39', '*ABC-7*', 'ABC-7'],
    ['the letters of Codabar', 'A40156B', '40156'],
    ['the letters of Codabar, with their kind and Caps Lock', ']f0a40-156a', '40-156'],
    ['letters in full width', 'ＡＢＣ－７', 'ABC-7'],
    ['a UPC-A as EAN-13', '0036000291452', '036000291452'],
    ['an EAN-13 as UPC-A', '036000291452', '0036000291452'],
    ['an EAN-13 with its kind', ']E00036000291452', '036000291452'],
    ['an EAN-13 without its check digit', '400638133393', '4006381333931'],
    ['an EAN-13 with a check digit that the card lacks', '4006381333931', '400638133393'],
    ['a UPC-A without its check digit', '03600029145', '036000291452'],
    ['a GTIN-14', '04006381333931', '4006381333931'],
  ];
  for (const [what, typed, code] of framed)
    it(`is found behind ${what}`, () => {
      assert.equal(readingsIn([typed]).exact, typed);
      assert.ok(further(typed).includes(code), JSON.stringify(further(typed)));
    });

  it('is what was written, where nothing stands around it', () => {
    for (const text of [
      'ABC-7',
      'A7',
      'BAD',
      'E12E',
      'abc',
      '12345',
      '4006381333930',
      'N°12',
      'ÄÖÜ-7',
      ']Q1',
      'A\\B',
      '会員',
    ])
      assert.deepEqual(further(text), [], text);
  });

  it('is exactly what has letters that no American keyboard writes', () => {
    assert.deepEqual(readingsIn(['Stra-1', 'Straß1']), { exact: 'Straß1', further: ['Stra-1'] });
    assert.equal(readingsIn(['XZY1', 'XYZ1']).exact, 'XZY1');
    assert.deepEqual(further('XZY1', 'XYZ1'), ['XYZ1']);
  });
});
