import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cardColors, contrast, tinted } from '../cards/card-colors.ts';
import { cardTheme, joinPageStyle } from './page-style.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, '0')}`);
const papers = { '--edge-by-day': '#f6f5f2', '--edge-by-night': '#121417' };

test('the button of a brand can be read, and its edge be seen on the page by day and by night', () => {
  fc.assert(
    fc.property(color, fc.option(color, { nil: null }), (background, foreground) => {
      const colors = cardColors({ background, foreground, label: null });
      const theme = cardTheme(colors);
      assert.ok(contrast(colors.foreground, colors.background) >= 4.5);
      for (const [name, paper] of Object.entries(papers))
        for (const ground of [paper, tinted(paper, background, 0.09)]) {
          const edge = theme[name] ?? '';
          assert.ok(contrast(edge, ground) >= 3, `${name} ${edge} on ${ground} of ${background}`);
        }
    }),
    { numRuns: 2_000 },
  );
});

test('the edge is that of the brand where it can be seen, and the style of the page uses it', () => {
  const brown = cardColors({ background: '#33241b', foreground: '#fff6ea', label: null });
  assert.equal(cardTheme(brown)['--edge-by-day'], '#33241b');
  assert.notEqual(cardTheme(brown)['--edge-by-night'], '#33241b');
  const style = joinPageStyle(brown);
  for (const [name, paper] of Object.entries(papers)) {
    assert.ok(style.includes(`${name}: ${cardTheme(brown)[name]};`));
    assert.ok(style.includes(`--paper: ${paper};`));
    assert.match(style, new RegExp(`\\.button\\.own \\{[^}]*var\\(${name}\\)`));
  }
});
