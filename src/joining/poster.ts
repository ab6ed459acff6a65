import { LRUCache } from 'lru-cache';
import { cardColors } from '../cards/card-colors.ts';
import type { PublicCtx } from '../context.ts';
import type { Picture } from '../drawing/previews/sheet.ts';
import { strangersShares } from '../engine/shares.ts';
import { A4, picturePdf } from '../kit/pictures/picture-pdf.ts';
import { holdingPixels, loadSharp, onPixelThread } from '../kit/pictures/sharp.ts';
import { keptWork } from '../kit/promises.ts';
import { directionOf } from '../kit/text/language.ts';
import { joinUrl } from '../passes/join-form.ts';
import { kindOf, type PassRow } from '../passes/pass-row.ts';
import { wordsIn } from '../words/languages.ts';
import type { OpenForm } from './open-form.ts';
import { posterDrawing } from './poster-drawing.ts';

/** Of print; a screen is well served with half of it. */
const printDpi = 300;
const screenDpi = 144;

/** Drawing takes a second of a processor, and a poster is asked for again and again. */
const kept = new LRUCache<string, Promise<Buffer>>({ max: 24 });

/** The poster of a page on A4, to print. Raises `overloaded` where too many are being drawn. */
export function posterPdf(ctx: PublicCtx, open: OpenForm, language: string | undefined): Promise<Buffer> {
  return drawn(ctx, open, language, 'pdf', async (svg) => {
    const sharp = await loadSharp();
    const { data, info } = await sharp(svg, { density: printDpi })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .toBuffer({ resolveWithObject: true });
    return picturePdf({ bytes: data, width: info.width, height: info.height }, A4, open.pass.title);
  });
}

/** The same as a picture, for a screen. */
export function posterPng(ctx: PublicCtx, open: OpenForm, language: string | undefined): Promise<Buffer> {
  return drawn(ctx, open, language, 'png', async (svg) => {
    const sharp = await loadSharp();
    return sharp(svg, { density: screenDpi }).png({ compressionLevel: 7 }).toBuffer();
  });
}

async function drawn(
  ctx: PublicCtx,
  open: OpenForm,
  language: string | undefined,
  format: 'pdf' | 'png',
  draw: (svg: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const svg = posterDrawing(await posterOf(ctx, open, language));
  return keptWork(kept, `${format} ${svg}`, () =>
    ctx.app.previews.inTurn(strangersShares(ctx, open.pass.workspaceId), () =>
      holdingPixels(pixelBytes, () => onPixelThread(() => draw(Buffer.from(svg)))),
    ),
  );
}

/** A4 in print, four bytes a pixel. */
const pixelBytes = 35_000_000;

async function posterOf(ctx: PublicCtx, { pass, workspace, form }: OpenForm, asked: string | undefined) {
  const { words, language } = wordsIn(asked ?? workspace.locale);
  const { join } = words;
  return {
    language,
    fromRight: directionOf(language) === 'rtl',
    shop: workspace.name,
    title: pass.title,
    logo: await logoOf(ctx, pass),
    headline: form.headline ?? join.get[kindOf(pass.type)],
    text: form.text ?? join.leadBare,
    scan: join.scan,
    ways: join.ways,
    url: joinUrl(ctx.app.config.publicUrl, pass.passId),
    colors: cardColors(pass.colors),
  };
}

async function logoOf({ app }: PublicCtx, { images }: PassRow): Promise<Picture | null> {
  const logo = images.logoUrl?.shown;
  const bytes = logo && (await app.images.read(logo.hash));
  if (logo === undefined || bytes === undefined) return null;
  const { width, height } = logo;
  return { href: `data:image/png;base64,${bytes.toString('base64')}`, width, height };
}
