import { drawPicture } from '../../kit/pictures/draw-picture.ts';
import { appleDrawing } from './apple-drawing.ts';
import { googleDrawing } from './google-drawing.ts';
import type { ApplePreview, GooglePreview } from './preview-card.ts';

/** The front of a card as an SVG document, complete in itself. Equal cards give equal text. */
export function previewSvg(card: ApplePreview | GooglePreview): string {
  return card.platform === 'apple' ? appleDrawing(card) : googleDrawing(card);
}

/** As on a phone of three pixels to the point: bars of long codes need them to be scanned. */
const density = 72 * 3;

/** The same as PNG, on a transparent ground, its texts in the bundled fonts. Equal drawings give equal bytes. */
export async function previewPng(svg: string): Promise<Buffer> {
  return (await drawPicture({ source: svg, density, as: { format: 'png', compressionLevel: 7 } })).bytes;
}
