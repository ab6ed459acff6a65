import { LRUCache } from 'lru-cache';
import type { CardColors } from '../cards/card-colors.ts';
import { drawPicture } from '../kit/pictures/draw-picture.ts';
import { keptWork } from '../kit/promises.ts';

export const iconNames = ['180.png', '192.png', '512.png', 'maskable.png'] as const;
export type IconName = (typeof iconNames)[number];

/** Drawing takes milliseconds and the colours of passes are few. */
const kept = new LRUCache<string, Promise<Buffer>>({ max: 400 });

/** What Google Wallet shows is `logo.png`: 660 pixels, to be masked. */
type DrawingName = IconName | 'logo.png';

/**
 * The icon of a card whose pass has none, as PNG: the card with its stamps, in its colours. It is drawn of shapes alone,
 * since letters would need a font on the server. Equal arguments give equal bytes.
 */
export function drawnIcon(colors: CardColors, name: DrawingName): Promise<Buffer> {
  return keptWork(kept, `${name} ${colors.background} ${colors.foreground}`, () => draw(colors, name));
}

async function draw(colors: CardColors, name: DrawingName): Promise<Buffer> {
  const as = { format: 'png', compressionLevel: 9, palette: true } as const;
  return (await drawPicture({ source: drawing(colors, name), as })).bytes;
}

function drawing({ background, shade, foreground }: CardColors, name: DrawingName): string {
  const pixels = { 'maskable.png': 512, 'logo.png': 660, '180.png': 180, '192.png': 192, '512.png': 512 }[
    name
  ];
  // W3C, "Web Application Manifest": a mask may cut all but a circle of 80 % of the width.
  const isMasked = name === 'maskable.png' || name === 'logo.png';
  // Apple rounds the corners itself, and shows what is transparent as black.
  const corner = isMasked || name === '180.png' ? 0 : 22;
  const scale = isMasked ? 0.78 : 1;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">
    <clipPath id="square"><rect width="100" height="100" rx="${corner}"/></clipPath>
    <g clip-path="url(#square)">
      <rect width="100" height="100" fill="${background}"/>
      <circle cx="100" cy="0" r="46" fill="${shade}"/>
    </g>
    <g transform="translate(50 50) scale(${scale}) translate(-50 -50)">
      <rect x="15" y="26" width="70" height="48" rx="8" fill="${foreground}"/>
      <circle cx="32" cy="50" r="7.5" fill="${background}"/>
      <circle cx="50" cy="50" r="7.5" fill="${background}"/>
      <circle cx="68" cy="50" r="6" fill="none" stroke="${background}" stroke-width="3"/>
    </g>
  </svg>`;
}
