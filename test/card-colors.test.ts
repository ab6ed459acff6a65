import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrast } from '../web/console/passes/designer/contrast.ts';
import { colorsOfLogo, colorsOn } from '../web/console/passes/start/card-colors.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

const clear: Pixel = [0, 0, 0, 0];
const red: Pixel = [194, 65, 12, 255];
const navy: Pixel = [16, 24, 64, 255];
const pale: Pixel = [250, 236, 190, 255];
const of = (...runs: readonly (readonly [Pixel, number])[]) =>
  new Uint8ClampedArray(runs.flatMap(([pixel, count]) => Array.from({ length: count }, () => pixel).flat()));
const grounds = (pixels: Uint8ClampedArray) => colorsOfLogo(pixels).map(({ background }) => background);

describe('the colours of a logo', () => {
  it('are those of its own ground, first that of its corner', () => {
    assert.deepEqual(grounds(of([navy, 70], [pale, 30])), ['#101840', '#faecbe']);
  });

  it('let a logo that is cut out be seen: a dark one on white, a light one on a dark card', () => {
    assert.deepEqual(grounds(of([clear, 50], [navy, 50])), ['#ffffff']);
    assert.deepEqual(grounds(of([clear, 50], [pale, 50])), ['#15171b']);
    assert.deepEqual(grounds(of([clear, 50], [red, 50])), ['#ffffff', '#15171b']);
    const [first] = colorsOfLogo(of([clear, 50], [red, 50]));
    assert.equal(first?.label, '#c2410c');
  });

  it('leave out specks, and are none where nothing is drawn', () => {
    assert.deepEqual(grounds(of([navy, 98], [red, 2])), ['#101840']);
    assert.deepEqual(grounds(of([clear, 100])), []);
    assert.deepEqual(grounds(of()), []);
  });

  it('can be read on any background', () => {
    for (let channel = 0; channel < 4_096; channel += 7) {
      const background = `#${[8, 4, 0].map((shift) => ((channel >> shift) & 15).toString(16).repeat(2)).join('')}`;
      const { foreground, label } = colorsOn(background, '#c2410c');
      for (const color of [foreground, label])
        assert.ok(contrast(color, background) >= 4.5, `${color} on ${background}`);
    }
  });
});
