import { hash } from 'node:crypto';
import { cardColors } from '../cards/card-colors.ts';
import type { PublicCtx } from '../context.ts';
import { strangersShares } from '../engine/shares.ts';
import { refusal } from '../errors.ts';
import { keptOutcomes } from '../kit/kept-outcomes.ts';
import type { BulkheadOptions } from '../kit/limits/bulkhead.ts';
import { drawPicture, type PictureOrder } from '../kit/pictures/draw-picture.ts';
import { A4, picturePdf } from '../kit/pictures/picture-pdf.ts';
import { directionOf } from '../kit/text/language.ts';
import { wordsIn } from '../locales/languages.ts';
import { joinUrl } from '../passes/join-form.ts';
import { kindOf, type PassRow } from '../passes/pass-row.ts';
import type { Picture } from '../rendering/previews/sheet.ts';
import type { OpenForm } from './open-form.ts';
import { posterDrawing } from './poster-drawing.ts';

/**
 * How many posters are drawn at a time and how many wait, by workspace. One takes a second of a processor, and anyone may
 * ask for it. Two leave capacity for the other work of the drawing process.
 */
export const posterLimits: BulkheadOptions = {
  places: { perKey: 1, total: 2 },
  waiting: { perKey: 8, total: 64 },
  maxQueueMs: 20_000,
  refusal() {
    const message = 'Too many posters are being drawn at the moment. Ask for fewer at a time.';
    return refusal('overloaded', message, {}, { 'retry-after': '5' });
  },
};

/** A poster, and how it is drawn. */
interface Wanted {
  readonly ctx: PublicCtx;
  readonly open: OpenForm;
  readonly source: string;
  readonly format: Format;
}

type Format = keyof typeof formats;

/** Print takes 300 dots to the inch; a screen is well served with half of it. */
const formats = {
  pdf: {
    density: 300,
    flatten: '#ffffff',
    as: { format: 'jpeg', quality: 92, chromaSubsampling: '4:4:4' },
  },
  png: { density: 144, as: { format: 'png', compressionLevel: 7 } },
} satisfies Record<string, Omit<PictureOrder, 'source'>>;

const keptBytes = 16 * 1024 * 1024;

/** A poster is asked for again and again. */
const kept = keptOutcomes<Buffer>(keptBytes, ({ length }) => length + 500);

/** The poster of a page on A4, to print, or as a picture for a screen. Raises `overloaded` where too many are being drawn. */
export async function posterOf(
  ctx: PublicCtx,
  open: OpenForm,
  language: string | undefined,
  format: Format,
): Promise<Buffer> {
  const source = posterDrawing(await contentOf(ctx, open, language));
  const wanted: Wanted = { ctx, open, source, format };
  const name = `${format} ${hash('sha256', source)}`;
  return kept(name, () => draw(wanted));
}

function draw({ ctx, open, source, format }: Wanted): Promise<Buffer> {
  return ctx.app.posters.enter(strangersShares(ctx, open.pass.workspaceId), async () => {
    const picture = await drawPicture({ source, ...formats[format] });
    return format === 'pdf' ? picturePdf(picture, A4, open.pass.title) : picture.bytes;
  });
}

async function contentOf(ctx: PublicCtx, { pass, workspace, form }: OpenForm, asked: string | undefined) {
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
