import { cardColors } from '../../cards/card-colors.ts';
import type { KeyCtx } from '../../context.ts';
import { loadSharp, onPixelThread } from '../../kit/pictures/sharp.ts';
import { keptWork } from '../../kit/promises.ts';
import type { PassImage, StoredImage } from '../../passes/pass-row.ts';
import { readImage } from '../apple-images.ts';
import { drawnIcon } from '../drawn-icon.ts';
import { placedImages } from '../placed-images.ts';
import type { CardRow } from '../read-cards.ts';
import type { ApplePreview, GooglePreview } from './preview-card.ts';
import type { Picture } from './sheet.ts';

type Pictured = Pick<CardRow, 'type' | 'images' | 'program' | 'colors'>;

/** The images of a pass file, small where nobody would see more of them. */
export async function applePictures(ctx: KeyCtx, card: Pictured): Promise<ApplePreview['images']> {
  const { logo, strip, thumbnail, background } = placedImages(card);
  const behind = fileOf(background, ['background.png']);
  return {
    logo: await pictureOf(ctx, fileOf(logo, ['logo@3x.png', 'logo@2x.png', 'logo.png'])),
    strip: await pictureOf(ctx, fileOf(strip, ['strip@2x.png', 'strip.png'])),
    thumbnail: await pictureOf(
      ctx,
      fileOf(thumbnail, ['thumbnail@3x.png', 'thumbnail@2x.png', 'thumbnail.png']),
    ),
    background: behind === undefined ? null : await blurredPicture(ctx, behind),
  };
}

/** The pictures that Google fetches. */
export async function googlePictures(
  ctx: KeyCtx,
  card: Pictured,
): Promise<Pick<GooglePreview, 'logo' | 'hero'>> {
  const { logo, hero } = placedImages(card);
  const own = await pictureOf(ctx, fileOf(logo, ['google-logo.png']));
  return {
    // Loyalty cards must have a logo: Google gets a drawing where the pass has none.
    logo: own ?? (card.type === 'loyalty' ? await drawnLogo(card) : null),
    hero: await pictureOf(ctx, fileOf(hero, ['google-hero.png'])),
  };
}

function fileOf(image: PassImage | undefined, names: readonly string[]): StoredImage | undefined {
  return names.flatMap((name) => image?.files[name] ?? [])[0];
}

async function pictureOf(ctx: KeyCtx, file: StoredImage | undefined): Promise<Picture | null> {
  if (file === undefined) return null;
  const bytes = await readImage(ctx.app.images, file.hash);
  return { ...file, href: dataUri('png', bytes) };
}

async function drawnLogo({ colors }: Pictured): Promise<Picture> {
  return { href: dataUri('png', await drawnIcon(cardColors(colors), 'logo.png')), width: 660, height: 660 };
}

/** Blurring takes milliseconds, and all cards of a pass have the same background. */
const blurred = new WeakMap<Buffer, Promise<Buffer>>();

async function blurredPicture(ctx: KeyCtx, file: StoredImage): Promise<Picture> {
  const bytes = await readImage(ctx.app.images, file.hash);
  return { ...file, href: dataUri('jpeg', await keptWork(blurred, bytes, () => blur(bytes))) };
}

function blur(bytes: Buffer): Promise<Buffer> {
  return onPixelThread(async () => {
    const sharp = await loadSharp();
    return sharp(bytes).flatten({ background: '#000000' }).blur(7).jpeg({ quality: 80 }).toBuffer();
  });
}

function dataUri(format: 'png' | 'jpeg', bytes: Buffer): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}
