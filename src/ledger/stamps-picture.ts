import { LRUCache } from 'lru-cache';
import type { CardColors } from '../cards/card-colors.ts';
import { loadSharp } from '../kit/pictures/sharp.ts';
import { keptWork } from '../kit/promises.ts';
import type { PassType } from '../passes/pass-row.ts';
import { type PassImage, prepareImage } from '../wallet/apple/pkpass.ts';
import { type Stamps, stampsDrawing } from './stamps-drawing.ts';

/** In points, and how many pixels a point has. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** What Google Wallet shows above a card: 1032 by 336 pixels. */
const HERO: PictureSize = { width: 344, height: 112, scale: 3 };

/** In points, by type; a generic pass has no strip. */
export const STRIP: Readonly<Record<PassType, Pick<PictureSize, 'width' | 'height'> | null>> = {
  loyalty: { width: 375, height: 123 },
  giftCard: { width: 375, height: 144 },
  coupon: { width: 375, height: 144 },
  eventTicket: { width: 375, height: 98 },
  generic: null,
};

/** Drawing takes tens of milliseconds; cards of a pass have few different ones. */
const heroes = new LRUCache<string, Promise<Buffer>>({ max: 300 });
const strips = new LRUCache<string, Promise<PassImage[]>>({ max: 300 });

/** Whether a pass file of the type has a place for the stamps. */
export function hasStrip(type: PassType): boolean {
  return STRIP[type] !== null;
}

/** The stamps for Google Wallet, as PNG. Equal arguments give equal bytes. */
export function stampsHero(stamps: Stamps, colors: CardColors): Promise<Buffer> {
  return keptWork(heroes, nameOf(stamps, colors), () => picture(stamps, colors, HERO));
}

/** The stamps as the strip of a pass file; nothing for a type without one. Equal arguments give equal bytes. */
export async function stampsStrip(stamps: Stamps, colors: CardColors, type: PassType): Promise<PassImage[]> {
  const size = STRIP[type];
  if (size === null) return [];
  return keptWork(strips, `${size.height} ${nameOf(stamps, colors)}`, () =>
    Promise.all(
      [1, 2, 3].map(async (scale) => {
        const name = scale === 1 ? 'strip.png' : `strip@${scale}x.png`;
        return prepareImage(name, await picture(stamps, colors, { ...size, scale }));
      }),
    ),
  );
}

function nameOf({ filled, threshold }: Stamps, { shade, foreground }: CardColors): string {
  return `${filled} ${threshold} ${shade} ${foreground}`;
}

/** It has a ground of its own, since a wallet may choose the card's colour. */
async function picture(stamps: Stamps, colors: CardColors, size: PictureSize): Promise<Buffer> {
  const { width, height, scale } = size;
  const shapes = stampsDrawing(stamps, size, { ink: colors.foreground, mark: colors.shade });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${colors.shade}"/>${shapes}</svg>`;
  const sharp = await loadSharp();
  return sharp(Buffer.from(drawing)).png({ compressionLevel: 9, palette: true }).toBuffer();
}
