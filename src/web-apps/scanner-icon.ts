import { drawPicture } from '../kit/pictures/draw-picture.ts';
import { keptWork } from '../kit/promises.ts';

export const scannerIcons = ['180.png', '192.png', '512.png', 'maskable.png'] as const;
export type ScannerIcon = (typeof scannerIcons)[number];

const kept = new Map<string, Promise<Buffer>>();

/** The icon of the scanner where it is installed: a card in the frame of a camera. Equal names give equal bytes. */
export function scannerIcon(name: ScannerIcon): Promise<Buffer> {
  return keptWork(kept, name, () => draw(name));
}

async function draw(name: ScannerIcon): Promise<Buffer> {
  const as = { format: 'png', compressionLevel: 9, palette: true } as const;
  return (await drawPicture({ source: drawing(name), as })).bytes;
}

function drawing(name: ScannerIcon): string {
  const pixels = { 'maskable.png': 512, '180.png': 180, '192.png': 192, '512.png': 512 }[name];
  // W3C, "Web Application Manifest": a mask may cut all but a circle of 80 % of the width.
  const scale = name === 'maskable.png' ? 0.74 : 1;
  // Apple rounds the corners itself, and shows what is transparent as black.
  const corner = name === 'maskable.png' || name === '180.png' ? 0 : 22;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 100 100">
    <rect width="100" height="100" rx="${corner}" fill="#1d4ed8"/>
    <g transform="translate(50 50) scale(${scale}) translate(-50 -50)">
      <path d="M15 33V23a8 8 0 0 1 8-8h10M67 15h10a8 8 0 0 1 8 8v10M85 67v10a8 8 0 0 1-8 8H67M33 85H23a8 8 0 0 1-8-8V67"
        fill="none" stroke="#9ec1ff" stroke-width="6" stroke-linecap="round"/>
      <rect x="24" y="34" width="52" height="32" rx="6" fill="#ffffff"/>
      <circle cx="37" cy="50" r="5" fill="#1d4ed8"/>
      <circle cx="50" cy="50" r="5" fill="#1d4ed8"/>
      <circle cx="63" cy="50" r="4" fill="none" stroke="#1d4ed8" stroke-width="2"/>
    </g>
  </svg>`;
}
