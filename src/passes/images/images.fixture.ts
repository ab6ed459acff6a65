import { after } from 'node:test';
import sharp from 'sharp';
import { startInternet } from '../../../tools/fakes/internet.ts';
import { file } from '../../../tools/fakes/web-host.ts';
import type { ImageSlot } from '../pass-row.ts';

/** With these, a service fetches from the simulated Internet. */
export const imageSettings = { FETCH_ALLOW_CIDRS: '127.0.0.1/32' };

/** In pixels: each is large enough for the sharpest file of its slot. */
const sizes: Readonly<Record<ImageSlot, readonly [width: number, height: number]>> = {
  iconUrl: [600, 600],
  logoUrl: [480, 150],
  stripUrl: [1125, 432],
  thumbnailUrl: [270, 360],
  backgroundUrl: [540, 660],
  heroUrl: [1032, 336],
  posterUrl: [1074, 1344],
};

/** Those that passes of each type have. */
export const allSlots = (Object.keys(sizes) as ImageSlot[]).filter((slot) => slot !== 'posterUrl');

/** Pictures at addresses that a service with `imageSettings` can fetch. */
export interface ImageHost {
  /** The address of a picture for a slot. Equal `look`s (a hue, 0 to 359) are equal bytes at addresses of their own. */
  url(slot: ImageSlot, look?: number): Promise<string>;
  /** What POST and PATCH of a pass take: a picture for each slot. */
  urls(slots?: readonly ImageSlot[], look?: number): Promise<Partial<Record<ImageSlot, string>>>;
}

/** Starts it; it is gone after the file's tests. */
export async function startImageHost(): Promise<ImageHost> {
  const internet = await startInternet();
  after(() => internet.close());
  let count = 0;
  async function url(slot: ImageSlot, look = 200): Promise<string> {
    count += 1;
    const path = `/${count}/${slot}.png`;
    internet.web.on(path, file(await picture(slot, look)));
    return internet.url(path);
  }
  return {
    url,
    async urls(slots = allSlots, look = 200) {
      return Object.fromEntries(await Promise.all(slots.map(async (slot) => [slot, await url(slot, look)])));
    },
  };
}

/** Hills under a sun, to see whether anything is cut off or stretched; a logo is a word on nothing. */
async function picture(slot: ImageSlot, hue: number): Promise<Buffer> {
  const [width, height] = sizes[slot];
  const side = Math.min(width, height);
  const shapes =
    slot === 'logoUrl'
      ? `<g fill="hsl(${hue},70%,75%)"><circle cx="75" cy="75" r="60"/><rect x="165" y="35" width="300" height="34" rx="17"/><rect x="165" y="85" width="210" height="34" rx="17"/></g>`
      : `<rect width="${width}" height="${height}" fill="hsl(${hue},60%,70%)"/>
         <circle cx="${width * 0.72}" cy="${height * 0.35}" r="${side * 0.2}" fill="hsl(${hue + 40},90%,85%)"/>
         <ellipse cx="${width * 0.3}" cy="${height}" rx="${width * 0.5}" ry="${height * 0.4}" fill="hsl(${hue},50%,40%)"/>
         <ellipse cx="${width * 0.85}" cy="${height}" rx="${width * 0.5}" ry="${height * 0.3}" fill="hsl(${hue},55%,28%)"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
