import { answerQuestions } from '../processes/side-process.ts';
import { loadSharp } from './sharp.ts';

/** A picture to be drawn, in the order of its properties. */
export interface PictureOrder {
  /** An SVG document of our own, or a PNG that was checked when it came in. */
  readonly source: Buffer | string;
  /** Dots to the inch, of an SVG document. */
  readonly density?: number;
  /** Pixels to a side. */
  readonly side?: number;
  /** Pixels that it is cropped to fill. */
  readonly cover?: { readonly width: number; readonly height: number };
  /** Pixels around it, in the colour of `ground`. */
  readonly margin?: number;
  readonly blur?: number;
  /** What is behind all that can be seen through. */
  readonly flatten?: string;
  readonly ground?: string;
  /** An SVG document of our own, of the same size, that is drawn over it. */
  readonly over?: string;
  readonly as:
    | {
        readonly format: 'png';
        readonly compressionLevel?: number;
        readonly palette?: boolean;
        readonly effort?: number;
        readonly dither?: number;
      }
    | { readonly format: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: string };
}

/** It, and its size in pixels. */
export interface Picture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Draws it here. */
async function draw(order: PictureOrder): Promise<Picture> {
  const { source, density, side, cover, margin, blur, flatten, ground, over, as } = order;
  const sharp = await loadSharp();
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  let image = sharp(bytes, density === undefined ? {} : { density });
  if (side !== undefined) image = image.resize(side, side);
  if (cover !== undefined) image = image.resize(cover);
  if (margin !== undefined && ground !== undefined)
    image = image.extend({ top: margin, bottom: margin, left: margin, right: margin, background: ground });
  if (flatten !== undefined) image = image.flatten({ background: flatten });
  if (blur !== undefined) image = image.blur(blur);
  if (over !== undefined) image = image.composite([{ input: Buffer.from(over) }]).removeAlpha();
  const encoded = as.format === 'png' ? image.png(as) : image.jpeg(as);
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

if (import.meta.main) answerQuestions(draw);
