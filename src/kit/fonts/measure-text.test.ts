import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { loadSharp } from '../pictures/sharp.ts';
import { bundledFamilies, type FontWeight, fontAdvances, readBundledFonts } from './bundled-fonts.ts';
import { isMeasuredExactly, textLines, textWidth } from './measure-text.ts';

const plain = { size: 16, weight: 400 } as const;
const families = bundledFamilies.map((name) => `'${name}'`).join(', ');

function drawingOf(text: string, weight: FontWeight, size = 40): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="120"><text x="40" y="70" font-size="${size}" font-weight="${weight}" font-family="${families}">${escaped}</text></svg>`;
}

/** How wide the marks are that a text leaves on paper. */
async function inkOf(text: string, weight: FontWeight): Promise<number> {
  const sharp = await loadSharp();
  const drawing = sharp(Buffer.from(drawingOf(text, weight))).trim({ threshold: 1 });
  return (await drawing.toBuffer({ resolveWithObject: true })).info.width;
}

describe('the width of a text', () => {
  const exact = [
    'Hello Blue Bean',
    'Gußzßtraße € 1.234,50',
    'Ωμέγα καφές',
    'Привет, кофейня',
    'Zoë é ñ',
    'מועדון הקפה',
  ];
  for (const weight of [400, 600] as const) {
    it(`is what it takes when it is drawn, weight ${weight}`, async () => {
      for (const text of exact) {
        const [ink, width] = [await inkOf(text, weight), textWidth(text, { size: 40, weight })];
        assert.ok(isMeasuredExactly(text, weight), text);
        // Kerning draws some pairs together, and the first and last letter have room around them.
        assert.ok(ink <= width + 1 && ink >= width * 0.95 - 4, `${text}: ${ink} of ${width}`);
      }
    });
  }

  it('is never less where letters join', async () => {
    for (const text of ['نادي القهوة الزرقاء', 'عضو منذ مايو', 'کافه آبی', 'שָׁלוֹם', 'tiếng Việt']) {
      const [ink, width] = [await inkOf(text, 400), textWidth(text, { size: 40, weight: 400 })];
      assert.ok(ink <= width + 1 && ink >= width * 0.6, `${text}: ${ink} of ${width}`);
    }
  });

  it('counts marks not at all, and what the fonts lack as a square at least', () => {
    assert.ok(textWidth('👩‍👩‍👧‍👦', plain) >= textWidth('😀', plain));
    assert.ok(textWidth('😀', plain) > 16);
    assert.equal(textWidth('e\u0301', plain), textWidth('e', plain));
    assert.equal(textWidth('', plain), 0);
    assert.equal(isMeasuredExactly('日本', 400), false);
    assert.equal(textWidth('日本', plain), 32);
  });
});

/** One that is wider than the line, or such a one and the ellipsis. */
function isOneCharacter(line: string): boolean {
  return [...new Intl.Segmenter('en').segment(line.replace(/…$/, ''))].length <= 1;
}

describe('lines', () => {
  it('break between words, and end in an ellipsis where there is no room', () => {
    const text = 'The quick brown fox jumps over the lazy dog';
    assert.deepEqual(textLines(text, plain, 120, 5), [
      'The quick',
      'brown fox',
      'jumps over the',
      'lazy dog',
    ]);
    assert.deepEqual(textLines(text, plain, 120, 2), ['The quick', 'brown fox ju…']);
    assert.deepEqual(textLines('short', plain, 120, 2), ['short']);
    assert.deepEqual(textLines('  \n ', plain, 120, 2), []);
  });

  it('break inside of words that are longer than they are, never inside of a character', () => {
    assert.deepEqual(textLines('Donaudampfschiff', plain, 80, 3), ['Donauda', 'mpfschiff']);
    assert.deepEqual(textLines('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', plain, 120, 1), ['👩‍👩‍👧‍👦…']);
    assert.deepEqual(textLines('ab', plain, 1, 3), ['a', 'b']);
  });

  it('have room, whatever the text is, and lose nothing but what they say', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 40, max: 400 }),
        fc.integer({ min: 1, max: 4 }),
        (text, width, most) => {
          const lines = textLines(text, plain, width, most);
          assert.ok(lines.length <= most);
          for (const line of lines)
            assert.ok(textWidth(line, plain) <= width + 0.001 || isOneCharacter(line), line);
          const joined = (each: string) => each.replaceAll(/\s/gu, '');
          const shown = joined(lines.join(''));
          if (shown !== joined(text)) {
            assert.ok(shown.endsWith('…'));
            assert.ok(joined(text).startsWith(shown.slice(0, -1)));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the bundled fonts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'punchcard-fonts-'));
  after(() => rmSync(folder, { recursive: true }));

  it('draw the same on a machine that has no others', async () => {
    const text = 'Café Ωμέγα Привет نادي القهوة מועדון 12';
    const alone = join(folder, 'fonts.conf');
    const base = fileURLToPath(new URL('.', import.meta.url));
    const config = readFileSync(new URL('fonts.conf', import.meta.url), 'utf8');
    writeFileSync(
      alone,
      config.replace(/<include .*/, '').replaceAll(/<dir prefix="relative">/g, `<dir>${base}`),
    );
    assert.doesNotMatch(readFileSync(alone, 'utf8'), /\/etc\/fonts/);
    const sharp = await loadSharp();
    for (const weight of [400, 600] as const) {
      const svg = drawingOf(text, weight);
      const script = `import sharp from 'sharp'; process.stdout.write((await sharp(Buffer.from(process.argv[1])).raw().toBuffer()).toString('base64'))`;
      const there = execFileSync(process.execPath, ['--input-type=module', '-e', script, svg], {
        env: { ...process.env, FONTCONFIG_FILE: alone },
        encoding: 'latin1',
        maxBuffer: 4_000_000,
      });
      const here = await sharp(Buffer.from(svg)).raw().toBuffer();
      assert.equal(there, here.toString('base64'));
    }
  });

  it('are refused when they are no fonts', () => {
    assert.throws(() => fontAdvances(Buffer.alloc(64)), /no table "head"/);
    assert.throws(() => fontAdvances(Buffer.from('%PDF-1.7')), Error);
  });

  it('give an advance to what they have, and none to what they lack', () => {
    const [latin, arabic, hebrew] = readBundledFonts(400).map(fontAdvances);
    assert.ok((latin?.(0x41) ?? 0) > 0.5);
    assert.equal(latin?.(0x628), undefined);
    assert.ok((arabic?.(0x628) ?? 0) > 0.5);
    assert.ok((hebrew?.(0x5d0) ?? 0) > 0.4);
    for (const advance of [latin, arabic, hebrew]) assert.equal(advance?.(0x10_ffff), undefined);
  });
});
