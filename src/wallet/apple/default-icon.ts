import { drawPicture } from '../../kit/pictures/draw-picture.ts';
import { refuseBrokenColor } from '../refuse-broken-parts.ts';
import { type PassImage, prepareImage } from './pkpass.ts';

/** `#rrggbb`; null takes the default. */
export interface IconColors {
  readonly background: string | null;
  readonly foreground: string | null;
}

/**
 * The icon of a pass that has no image of its own: a card with two stamps and room for a third, as `icon.png`
 * (29 px), `icon@2x.png` and `icon@3x.png`. Equal colours give equal bytes. It is drawn of shapes alone, since
 * letters would need a font on the server. Drawing takes milliseconds: keep the result with the pass's images.
 * Throws an Error when a colour is not #rrggbb.
 */
export async function defaultIcon(colors: IconColors): Promise<PassImage[]> {
  const background = colour('background', colors.background ?? DEFAULT_BACKGROUND);
  const foreground = visibleOn(
    background,
    colour('foreground', colors.foreground ?? contrasting(background)),
  );
  return Promise.all(
    SCALES.map(async ({ name, factor }) => {
      const source = stampedCard(SIZE * factor, background, foreground);
      const as = { format: 'png', compressionLevel: 9 } as const;
      return prepareImage(name, (await drawPicture({ source, flatten: background, as })).bytes);
    }),
  );
}

/** Points; Apple, "Wallet Passes": the icon is 29 by 29. */
const SIZE = 29;
const SCALES = [
  { name: 'icon.png', factor: 1 },
  { name: 'icon@2x.png', factor: 2 },
  { name: 'icon@3x.png', factor: 3 },
] as const;
const DEFAULT_BACKGROUND = '#1f2937';

function stampedCard(pixels: number, background: string, foreground: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${SIZE} ${SIZE}">
    <rect width="${SIZE}" height="${SIZE}" fill="${background}"/>
    <rect x="4" y="7" width="21" height="15" rx="2.5" fill="${foreground}"/>
    <circle cx="9" cy="14.5" r="2.25" fill="${background}"/>
    <circle cx="14.5" cy="14.5" r="2.25" fill="${background}"/>
    <circle cx="20" cy="14.5" r="1.75" fill="none" stroke="${background}" stroke-width="1"/>
  </svg>`;
}

function colour(name: string, hex: string): string {
  refuseBrokenColor(name, hex);
  return hex.toLowerCase();
}

/** A mark in the colour of its ground would be an empty square. */
function visibleOn(background: string, foreground: string): string {
  return Math.abs(luma(background) - luma(foreground)) < 32 ? contrasting(background) : foreground;
}

function contrasting(background: string): string {
  return luma(background) < 128 ? '#ffffff' : '#000000';
}

/** 0 (black) to 255 (white), ITU-R BT.601. */
function luma(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16);
  return 0.299 * (value >> 16) + 0.587 * ((value >> 8) & 0xff) + 0.114 * (value & 0xff);
}
