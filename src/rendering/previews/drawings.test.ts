import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Chromium, findChromium, howToInstall, startChromium } from '../../../test/chromium.ts';
import { hostileStrings } from '../../../test/hostile-strings.ts';
import { readBundledFonts } from '../../kit/fonts/bundled-fonts.ts';
import { appleDrawing } from './apple-drawing.ts';
import { previewPng, previewSvg } from './draw-preview.ts';
import { googleDrawing } from './google-drawing.ts';
import type { ApplePreview, GooglePreview, PreviewField } from './preview-card.ts';
import { pictures, plainApple, plainGoogle, sampleField } from './sample-cards.fixture.ts';

const isMissing = findChromium() === null;
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

const types = ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic'] as const;
const sections = ['header', 'primary', 'secondary', 'auxiliary'] as const;
const { roundCup, strip, hero, dusk, blurredDusk, portrait } = pictures;

const texts = {
  short: ['Tier', 'Gold'],
  long: [
    'The label of a field that is much longer than it should be',
    'A value that is too long to be read, '.repeat(8),
  ],
  unbroken: ['LABELWITHOUTSPACES'.repeat(4), 'Wolfeschlegelsteinhausenbergerdorff'.repeat(5)],
  wide: ['WWWWWWWWWW', 'MWMWMWMWMWMWMWMW 8888888888'],
  arabic: ['تاريخ انتهاء العضوية في النادي', 'نادي القهوة الزرقاء '.repeat(12)],
  hebrew: ['תאריך סיום', 'מועדון הקפה הכחול '.repeat(12)],
  mixed: ['نقاط Points', '(Blue) نادي 12 – Café'],
  emoji: ['🎉🎉🎉', '👩‍👩‍👧‍👦🏳️‍🌈☕️ '.repeat(20)],
  marks: ['Z̵̢̛̥̮͔̩̺̰̆̌̆͜a̷̧̛͔̱̥̐̇̋', 'e\u0301\u0302\u0303\u0304\u0305\u0306\u0307'.repeat(60)],
  nothing: ['', '\u200b'],
} as const;

function appleCards([label, value]: readonly [string, string], count: number): ApplePreview[] {
  const fields: PreviewField[] = sections.flatMap((section) =>
    Array.from({ length: count }, () => sampleField(section, label, value)),
  );
  const bare = { ...plainApple, organization: value, title: value, fields };
  const barcode = { format: 'pdf417', value: value.slice(0, 255) || 'A' } as const;
  return types.flatMap((type) => [
    { ...bare, type },
    { ...bare, type, barcode, fromRight: true, language: 'ar', images: { ...bare.images, logo: roundCup } },
    { ...bare, type, barcode: null, ended: value || 'Over', stamps: { filled: 3, threshold: 8 } },
    { ...bare, type, images: { logo: strip, strip, thumbnail: null, background: null } },
    { ...bare, type, images: { logo: null, strip: null, thumbnail: portrait, background: blurredDusk } },
  ]);
}

function googleCards([label, value]: readonly [string, string], count: number): GooglePreview[] {
  const row = Array.from({ length: Math.min(count, 3) }, () => ({ label, value }));
  const bare = { ...plainGoogle, organization: value, title: value, rows: [row, row, row] };
  const barcode = { format: 'aztec', value: value.slice(0, 255) || 'A' } as const;
  return types.flatMap((type) => [
    { ...bare, type },
    { ...bare, type, barcode, fromRight: true, language: 'he', subheader: value, logo: roundCup, hero },
    { ...bare, type, barcode: null, ended: value || 'Over', stamps: { filled: 3, threshold: 8 } },
    { ...bare, type, ended: value || 'Over', logo: dusk },
  ]);
}

function cardsOf(strings: readonly [string, string], counts = [10]): (ApplePreview | GooglePreview)[] {
  return counts.flatMap((count) => [...appleCards(strings, count), ...googleCards(strings, count)]);
}

interface DrawnText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of its letters without what few of them have above and below. */
  readonly top: number;
  readonly bottom: number;
  /** What the text would take by itself, and what was measured for it. */
  readonly natural: number;
  readonly given: number | null;
}

/** Runs in the page: shows a drawing, and measures its texts. */
const setInPage = `async (source) => {
  const parsed = new DOMParser().parseFromString(source, 'image/svg+xml');
  const broken = parsed.querySelector('parsererror');
  if (broken !== null) throw new Error(broken.textContent);
  document.querySelector('main').replaceChildren(document.importNode(parsed.documentElement, true));
  await document.fonts.ready;
  return [...document.querySelectorAll('main text')].map((element) => {
    const box = element.getBBox();
    const size = Number(element.getAttribute('font-size'));
    const baseline = Number(element.getAttribute('y'));
    const given = element.getAttribute('textLength');
    element.removeAttribute('textLength');
    return {
      text: element.textContent,
      left: box.x,
      right: box.x + box.width,
      top: baseline - size * 0.75,
      bottom: baseline + size * 0.22,
      natural: element.getComputedTextLength(),
      given: given === null ? null : Number(given),
    };
  });
}`;

describe('a drawing in a browser', { skip: isMissing && howToInstall }, () => {
  let chromium: Chromium;
  let page: Page;
  before(async () => {
    chromium = await startChromium({ isWhole: true });
    page = await chromium.context.newPage();
    const faces = ([400, 600] as const).flatMap((weight) =>
      readBundledFonts(weight).map((font, at) => {
        const family = ['Inter', 'Noto Sans Arabic', 'Noto Sans Hebrew'][at];
        return `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/ttf;base64,${font.toString('base64')})}`;
      }),
    );
    await page.setContent(`<style>${faces.join('')}</style><main></main>`);
    await page.evaluate('Promise.all([...document.fonts].map((font) => font.load()))');
  });
  after(() => chromium.close());

  /** The texts of a drawing as the browser sets them, with the bundled fonts or with what it has. */
  async function setTexts(svg: string, fonts: 'bundled' | 'others'): Promise<DrawnText[]> {
    const shown = fonts === 'bundled' ? svg : svg.replace(/font-family="[^"]*"/, 'font-family="serif"');
    return page.evaluate(`(${setInPage})(${JSON.stringify(shown)})`);
  }

  for (const [name, strings] of Object.entries(texts)) {
    it(`keeps every text on the card, and off the others: ${name}`, async () => {
      for (const card of cardsOf(strings, name === 'long' ? [1, 2, 10] : [10])) {
        const svg = previewSvg(card);
        const [, height = ''] = /height="(\d+)"/.exec(svg) ?? [];
        const drawn = await setTexts(svg, 'bundled');
        const about = `${card.platform} ${card.type} ${card.fromRight}`;
        for (const each of drawn) {
          const where = `${about}: ${JSON.stringify(each)}`;
          assert.ok(each.left >= 8 && each.right <= 367, where);
          assert.ok(each.top >= 8 && each.bottom <= Number(height) - 40 - 8, where);
          // Kerning draws letters together; a screen of few pixels sets small ones a little apart.
          if (each.given !== null) assert.ok(each.natural <= each.given * 1.03 + 1, where);
        }
        for (const [at, one] of drawn.entries()) {
          for (const other of drawn.slice(at + 1)) {
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            assert.ok(across <= 1 || down <= 1, `${about}: ${JSON.stringify([one, other])}`);
          }
        }
      }
    });
  }

  it('gives a text the same room where the fonts are others', async () => {
    for (const card of [...appleCards(texts.long, 4), ...googleCards(texts.long, 3)]) {
      const svg = previewSvg(card);
      const [bundled, others] = [await setTexts(svg, 'bundled'), await setTexts(svg, 'others')];
      for (const [at, { left, right }] of bundled.entries()) {
        assert.ok(Math.abs((others[at]?.left ?? 0) - left) < 1.5, card.type);
        assert.ok(Math.abs((others[at]?.right ?? 0) - right) < 1.5, card.type);
      }
    }
  });

  it('is well-formed whatever it says, and says it unchanged', async () => {
    const special = [
      '</svg><script>alert(1)</script>',
      '"><img src=x>',
      '&amp; &lt;',
      ']]><![CDATA[',
      "it's <b>",
    ];
    for (const text of special) {
      const card = { ...plainApple, title: 'A', fields: [sampleField('secondary', 'B', text)] };
      const drawn = await setTexts(appleDrawing(card), 'bundled');
      assert.ok(
        drawn.some((each) => each.text === text),
        text,
      );
    }
    for (const text of hostileStrings) {
      const [label, value] = [text, text.repeat(3)];
      const fields = sections.map((section) => sampleField(section, label, value));
      await setTexts(appleDrawing({ ...plainApple, organization: text, title: text, fields }), 'bundled');
      const rows = [[{ label, value }]];
      await setTexts(googleDrawing({ ...plainGoogle, organization: text, title: text, rows }), 'bundled');
    }
  });

  it('is mirrored for languages that are read from the right', async () => {
    const fields = sections.map((section) => sampleField(section, section, 'Gold'));
    for (const type of types) {
      const card = { ...plainApple, type, fields };
      const [fromLeft, fromRight] = [
        await setTexts(appleDrawing(card), 'bundled'),
        await setTexts(appleDrawing({ ...card, fromRight: true, language: 'ar' }), 'bundled'),
      ];
      for (const [at, { text, left, right }] of fromLeft.entries()) {
        assert.equal(fromRight[at]?.text.toLowerCase(), text.toLowerCase());
        assert.ok(Math.abs((fromRight[at]?.left ?? 0) - (375 - right)) < 1, text);
        assert.ok(Math.abs((fromRight[at]?.right ?? 0) - (375 - left)) < 1, text);
      }
    }
  });
});

describe('a drawing', () => {
  it('is the same for the same card, as text and as picture', async () => {
    for (const card of [
      ...appleCards(texts.short, 3).slice(0, 4),
      ...googleCards(texts.arabic, 3).slice(0, 3),
    ]) {
      const svg = previewSvg(card);
      assert.equal(previewSvg(structuredClone(card)), svg);
      assert.deepEqual(await previewPng(svg), await previewPng(svg));
    }
  });

  it('shows as many fields as the wallet does', () => {
    const fields = sections.flatMap((section) =>
      Array.from({ length: 10 }, (_, at) => sampleField(section, '', `${section}${at}`)),
    );
    const shown = (type: ApplePreview['type'], format: 'qr' | 'pdf417') => {
      const svg = appleDrawing({ ...plainApple, type, fields, barcode: { format, value: 'A' } });
      return sections.map((section) => svg.match(new RegExp(`>${section}`, 'g'))?.length ?? 0);
    };
    assert.deepEqual(shown('loyalty', 'qr'), [3, 1, 4, 0]);
    assert.deepEqual(shown('coupon', 'pdf417'), [3, 1, 4, 0]);
    assert.deepEqual(shown('giftCard', 'pdf417'), [3, 1, 4, 0]);
    assert.deepEqual(shown('eventTicket', 'qr'), [3, 1, 4, 4]);
    assert.deepEqual(shown('generic', 'qr'), [3, 1, 4, 0]);
    assert.deepEqual(shown('generic', 'pdf417'), [3, 1, 4, 4]);
  });

  it('shows the colours that the pass asks for, and readable ones where it asks for none', () => {
    const wanted = { background: '#ffee00', foreground: '#ffed00', label: '#fe0001' };
    const asked = appleDrawing({
      ...plainApple,
      colors: wanted,
      fields: [sampleField('secondary', 'A', 'B')],
    });
    for (const color of Object.values(wanted)) assert.ok(asked.includes(`fill="${color}"`), color);
    // Google chooses the colour of texts itself.
    const google = googleDrawing({ ...plainGoogle, colors: wanted });
    assert.ok(google.includes('fill="#ffee00"') && google.includes('fill="#000000"'));
    assert.ok(!google.includes(wanted.foreground) && !google.includes(wanted.label));
    const unasked = { background: null, foreground: null, label: null };
    assert.match(appleDrawing({ ...plainApple, colors: unasked }), /fill="#ffffff">Blue Bean Club</);
  });
});
