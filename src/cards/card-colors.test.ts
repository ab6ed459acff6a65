import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cardColors, contrast } from './card-colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);
const wanted = fc.option(color, { nil: null });

test('whatever a pass asks for, its texts are readable on the background and on its shade', () => {
  fc.assert(
    fc.property(wanted, wanted, wanted, (background, foreground, label) => {
      const colors = cardColors({ background, foreground, label });
      for (const text of [colors.foreground, colors.label]) {
        for (const ground of [colors.background, colors.shade]) {
          assert.ok(contrast(text, ground) >= 4.5, `${text} on ${ground}: ${contrast(text, ground)}`);
        }
      }
      if (background !== null) assert.equal(colors.background, background);
    }),
    { numRuns: 1_000 },
  );
});

test('readable colours are kept as they are', () => {
  const { background, foreground, label } = cardColors({
    background: '#10324A',
    foreground: '#ffffff',
    label: '#c8d7e0',
  });
  assert.deepEqual(
    { background, foreground, label },
    { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  );
});

test('a text colour too close to the background gives way to black or white', () => {
  assert.equal(
    cardColors({ background: '#f4b942', foreground: '#ffffff', label: null }).foreground,
    '#000000',
  );
  assert.equal(
    cardColors({ background: '#10324a', foreground: '#123456', label: null }).foreground,
    '#ffffff',
  );
  assert.equal(
    cardColors({ background: '#000000', foreground: null, label: '#111111' }).foreground,
    '#ffffff',
  );
});

test('what is no colour counts as not given', () => {
  const nothing = { background: null, foreground: null, label: null };
  for (const text of [
    'red',
    '#fff',
    '#12345',
    '#1234567',
    '#12345g',
    '}</style>',
    'url(//x.example)',
    '#ffffff;',
  ]) {
    assert.deepEqual(cardColors({ background: text, foreground: text, label: text }), cardColors(nothing));
  }
});

test('contrast is the ratio of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#abcdef', '#abcdef'), 1);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#ffffff', '#777777').toFixed(2), '4.48');
});
