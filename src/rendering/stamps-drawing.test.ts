import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { cardColors } from '../cards/card-colors.ts';
import { stampIcon, stampIcons } from '../kit/anywhere/stamp-icons.ts';
import type { CardProgram } from './program-fields.ts';
import { stampsDrawing, stampsOf } from './stamps-drawing.ts';
import { stampsHero, stampsStrip } from './stamps-picture.ts';

const program: CardProgram = {
  mode: 'STAMPS',
  currency: null,
  launchedAt: '2026-05-01T12:00:00+00:00',
  rewardTitle: 'Free coffee',
  rewardCost: null,
  threshold: 10,
  pointName: { one: 'stamp', other: 'stamps' },
  tiers: [],
  lifetimePoints: 0,
  drawsStamps: true,
  balance: 3,
  pendingRewards: 0,
  nextExpiry: null,
};
const colors = cardColors({ background: '#10324a', foreground: '#ffffff', label: null });
const ink = { ink: '#ffffff', mark: '#10324a' };
const size = { width: 375, height: 123 };

const drawnBy = (own: CardProgram | null) => stampsOf({ program: own, stampLook: {} });
/** Without any image. */
const store = { read: async () => undefined };
const sceneOf = (filled: number, threshold: number, own = colors) => ({
  stamps: { filled, threshold },
  colors: own,
  store,
});

describe('the stamps of a card', () => {
  it('are those of its balance, within the threshold', () => {
    const of = (balance: number, threshold = 10) =>
      stampsOf({ program: { ...program, balance, threshold }, stampLook: {} });
    assert.deepEqual(of(3), { filled: 3, threshold: 10 });
    assert.deepEqual(of(-2), { filled: 0, threshold: 10 });
    assert.deepEqual(of(12), { filled: 10, threshold: 10 });
    assert.deepEqual(of(500, 1_000), { filled: 50, threshold: 100 });
    assert.deepEqual(of(999, 1_000), { filled: 99, threshold: 100 });
    // No fraction takes a stamp away: 15 / 22 * 22 is less than 15.
    for (let threshold = 1; threshold <= 100; threshold += 1)
      for (let balance = 0; balance <= threshold; balance += 1)
        assert.equal(of(balance, threshold)?.filled, balance, `${balance} of ${threshold}`);
  });

  it('are drawn by launched programs of STAMPS that draw them', () => {
    assert.equal(drawnBy(null), null);
    assert.equal(drawnBy({ ...program, mode: 'POINTS', threshold: null, rewardCost: 10 }), null);
    assert.equal(drawnBy({ ...program, launchedAt: null }), null);
    assert.equal(drawnBy({ ...program, drawsStamps: false }), null);
  });
});

describe('their drawing', () => {
  for (const height of [98, 112, 123, 144]) {
    it(`has a place for each of up to thirty that can be distinguished, ${height} points high`, () => {
      for (let threshold = 1; threshold <= 30; threshold++) {
        const drawing = stampsDrawing({ filled: 0, threshold }, { width: 375, height }, ink);
        const places = [...drawing.matchAll(/translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)/g)].map(
          ([, x, y, radius]) => ({ x: Number(x), y: Number(y), radius: Number(radius) }),
        );
        assert.equal(places.length, threshold);
        for (const [at, { x, y, radius }] of places.entries()) {
          assert.ok(radius >= 9, `${threshold} stamps of radius ${radius}`);
          assert.ok(x - radius >= 8 && x + radius <= 367 && y - radius >= 8 && y + radius <= height - 8);
          for (const other of places.slice(at + 1))
            assert.ok(Math.hypot(x - other.x, y - other.y) >= 2.1 * radius, `${threshold} stamps overlap`);
        }
      }
    });
  }

  it('begins at the right in languages that are read from there: the star is at the left', () => {
    assert.deepEqual(stampsOf({ program, stampLook: {} }, 'ar-EG'), {
      filled: 3,
      threshold: 10,
      fromRight: true,
    });
    assert.deepEqual(stampsOf({ program, stampLook: {} }, 'de'), { filled: 3, threshold: 10 });
    const across = (fromRight?: true) => {
      const drawing = stampsDrawing({ filled: 1, threshold: 4, ...(fromRight && { fromRight }) }, size, ink);
      return [...drawing.matchAll(/translate\(([\d.]+) /g)].map(([, x]) => Number(x));
    };
    assert.deepEqual(
      across(true),
      across().map((x) => size.width - x),
    );
    const bar = stampsDrawing({ filled: 50, threshold: 100, fromRight: true }, size, ink);
    assert.deepEqual(
      [...bar.matchAll(/<rect x="([\d.]+)"/g)].map(([, x]) => Number(x)),
      [24, 187.5],
    );
  });

  it('fills as many as there are', () => {
    for (const filled of [0, 3, 9, 10]) {
      const drawing = stampsDrawing({ filled, threshold: 10 }, size, ink);
      assert.equal(drawing.split('<circle r="1" ').length - 1, filled);
      assert.equal(drawing.split('stroke-width=".12"').length - 1, 10 - filled);
    }
  });

  it('is a bar where there are more', () => {
    const widths = (filled: number) =>
      [...stampsDrawing({ filled, threshold: 100 }, size, ink).matchAll(/ width="([\d.]+)"/g)].map(([, w]) =>
        Number(w),
      );
    assert.deepEqual(widths(0), [327]);
    assert.deepEqual(widths(50), [327, 163.5]);
    assert.deepEqual(widths(100), [327, 327]);
  });

  it('shows each icon within its stamp, on each but the last one', async () => {
    const seen = new Set<string>();
    for (const icon of stampIcons) {
      const drawing = stampsDrawing({ filled: 1, threshold: 3, look: { icon } }, size, ink);
      assert.equal(drawing.split(stampIcon(icon, ink.mark)).length - 1, 1, icon);
      seen.add(stampIcon(icon, '#000'));
      const frame = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="-1 -1 2 2">';
      const alone = Buffer.from(`${frame}${stampIcon(icon, '#000')}</svg>`);
      const { data, info } = await sharp(alone).raw().toBuffer({ resolveWithObject: true });
      for (let at = 0; at < info.width * info.height; at += 1) {
        const away = Math.hypot((at % info.width) - 49.5, Math.floor(at / info.width) - 49.5);
        if ((data[at * info.channels + 3] ?? 0) > 0) assert.ok(away < 43, `${icon} stays inside: ${away}`);
      }
    }
    assert.equal(seen.size, stampIcons.length);
  });

  it('is a picture of equal bytes for equal stamps, in the sizes that wallets want', async () => {
    const strips = await stampsStrip(sceneOf(3, 10), 'loyalty', undefined);
    const sizes = strips.map(({ name, bytes }) => [name, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]);
    assert.deepEqual(sizes, [
      ['strip.png', 375, 123],
      ['strip@2x.png', 750, 246],
      ['strip@3x.png', 1125, 369],
    ]);
    assert.deepEqual(await stampsStrip(sceneOf(3, 10), 'generic', undefined), []);
    const hero = await stampsHero(sceneOf(3, 10), undefined);
    assert.deepEqual([hero.readUInt32BE(16), hero.readUInt32BE(20)], [1032, 336]);
    const others = cardColors({ background: '#ffffff', foreground: null, label: null });
    for (const different of [
      stampsHero(sceneOf(4, 10), undefined),
      stampsHero(sceneOf(3, 9), undefined),
      stampsHero(sceneOf(3, 10, others), undefined),
    ])
      assert.notDeepEqual(await different, hero);
    // Three of ten are as bright as the text: more of the picture than with none.
    const bright = async (png: Buffer) => (await sharp(png).greyscale().stats()).channels[0]?.mean ?? 0;
    const none = await stampsHero(sceneOf(0, 10), undefined);
    assert.ok((await bright(hero)) > (await bright(none)) + 5);
  });
});
