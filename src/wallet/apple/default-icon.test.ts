import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { defaultIcon } from './default-icon.ts';

const white = [255, 255, 255];
const black = [0, 0, 0];

describe('defaultIcon', () => {
  it('comes in the three sizes of the icon, opaque', async () => {
    const icons = await defaultIcon({ background: '#aa3355', foreground: '#ffeecc' });
    assert.deepEqual(
      icons.map(({ name }) => name),
      ['icon.png', 'icon@2x.png', 'icon@3x.png'],
    );
    const sizes = await Promise.all(
      icons.map(async ({ bytes }) => {
        const { format, width, height, hasAlpha } = await sharp(bytes).metadata();
        return { format, width, height, hasAlpha };
      }),
    );
    assert.deepEqual(
      sizes,
      [29, 58, 87].map((size) => ({ format: 'png', width: size, height: size, hasAlpha: false })),
    );
  });

  it('draws in the colours of the pass', async () => {
    const { ground, card } = await colours({ background: '#AA3355', foreground: '#ffeecc' });
    assert.deepEqual(ground, [0xaa, 0x33, 0x55]);
    assert.deepEqual(card, [0xff, 0xee, 0xcc]);
  });

  it('stays visible without a foreground, and with one that is all but the background', async () => {
    assert.deepEqual((await colours({ background: '#101010', foreground: null })).card, white);
    assert.deepEqual((await colours({ background: '#fafafa', foreground: null })).card, black);
    assert.deepEqual((await colours({ background: '#fafafa', foreground: '#fbfbfb' })).card, black);
    assert.deepEqual((await colours({ background: null, foreground: null })).card, white);
  });

  it('gives equal bytes for equal colours', async () => {
    const colors = { background: '#123456', foreground: null };
    assert.deepEqual(await defaultIcon(colors), await defaultIcon(colors));
  });

  it('refuses a colour that is not #rrggbb', async () => {
    await assert.rejects(
      defaultIcon({ background: 'red"/><x', foreground: null }),
      /background is .*#rrggbb/,
    );
    await assert.rejects(defaultIcon({ background: null, foreground: '#fff' }), /foreground is .*#rrggbb/);
  });
});

/** The colours of the ground and of the card's body, taken from the largest size. */
async function colours(
  colors: Parameters<typeof defaultIcon>[0],
): Promise<{ ground: number[]; card: number[] }> {
  const icon = (await defaultIcon(colors)).at(-1);
  assert.ok(icon);
  const { data, info } = await sharp(icon.bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ];
  return { ground: pixel(2, 2), card: pixel(43, 27) };
}
