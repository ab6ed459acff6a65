import { cardColors } from '../../cards/card-colors.ts';
import { findInstance, instanceNotFound } from '../../cards/find-instance.ts';
import { barcodeOf, expiryOf, hasExpired } from '../../cards/instance.schema.ts';
import type { KeyCtx } from '../../context.ts';
import { drawPicture } from '../../kit/pictures/draw-picture.ts';
import { keptWork } from '../../kit/promises.ts';
import { languageTag } from '../../kit/text/language.ts';
import { wordsIn } from '../../locales/languages.ts';
import { drawableFormat, sampleCode } from '../../passes/barcode-formats.ts';
import { findPass, passNotFound } from '../../passes/find-pass.ts';
import type { ImageFiles } from '../../passes/images/image-files.ts';
import type { PassImage, StoredImage } from '../../passes/pass-row.ts';
import { frontRows, hasPoints } from '../../wallet/google/card-layout.ts';
import { appleFields, readImage } from '../apple-content.ts';
import { isRightToLeft } from '../card-drawing.ts';
import { inLanguage, localeOf } from '../card-language.ts';
import { placedImages, writtenFieldsOf } from '../card-view.ts';
import { drawnIcon } from '../drawn-icon.ts';
import { BALANCE_KEY } from '../program-fields.ts';
import { type CardRow, readCardRows, readNewCard } from '../read-cards.ts';
import { stampsOf } from '../stamps-drawing.ts';
import type { ApplePreview, GooglePreview, PreviewField } from './preview-card.ts';
import type { Picture } from './sheet.ts';

/** What is to be drawn, by its public ids. */
interface WantedPreview {
  readonly passId: string;
  /** Without one, it is a card that would be issued now. */
  readonly instanceId?: string | undefined;
  readonly platform: 'apple' | 'google';
}

/**
 * What a wallet shows of a card. Raises `pass_not_found`, `instance_not_found` (also for an instance of another pass),
 * and `forbidden` or `insufficient_scope` for what the caller does not reach.
 */
export async function readPreview(ctx: KeyCtx, wanted: WantedPreview): Promise<ApplePreview | GooglePreview> {
  const { images, now } = ctx.app;
  return previewOf(await readCard(ctx, wanted), wanted.platform, { images, now: now() });
}

/** Where the images of a card are, and the time that it is drawn at. */
interface Drawing {
  readonly images: ImageFiles;
  readonly now: Date;
}

/** What a wallet shows of a card with these images. */
export function previewOf(card: CardRow, platform: 'apple', drawing: Drawing): Promise<ApplePreview>;
export function previewOf(
  card: CardRow,
  platform: 'apple' | 'google',
  drawing: Drawing,
): Promise<ApplePreview | GooglePreview>;
export function previewOf(card: CardRow, platform: 'apple' | 'google', drawing: Drawing) {
  return platform === 'apple' ? appleCard(card, drawing) : googleCard(card, drawing);
}

async function readCard(ctx: KeyCtx, { passId, instanceId }: WantedPreview): Promise<CardRow> {
  const { db } = ctx.app.database;
  const pass = await findPass(db, ctx, passId);
  if (instanceId === undefined) {
    const card = await readNewCard(ctx, pass);
    if (card === undefined) throw passNotFound(passId);
    return withSampleCode(card);
  }
  const instance = await findInstance(db, ctx, instanceId);
  const cards = instance.passId === pass.passId ? await readCardRows(ctx, [instance]) : [];
  const [card] = cards;
  if (card === undefined) throw instanceNotFound(`the id "${instanceId.slice(0, 40)}" on this pass`);
  return inLanguage(card);
}

/** The card with a code in the place of the one that it would have of its own. */
export function withSampleCode(card: CardRow): CardRow {
  const hasOwn = card.barcodeMode === 'unique' || card.barcodeMode === 'pool';
  return hasOwn ? { ...card, barcode: sampleCode(card.barcodeFormat) } : card;
}

function contentOf(card: CardRow, now: Date) {
  const locale = localeOf(card);
  const words = wordsIn(locale).words.card;
  const expiresAt = expiryOf(card);
  const isExpired = hasExpired(expiresAt, now);
  const code = barcodeOf(card);
  const language = languageTag(locale);
  return {
    organization: card.organization,
    title: card.title,
    type: card.type,
    colors: card.colors,
    // Nothing of an erased card leads to its holder.
    barcode:
      code === null || card.erasedAt !== null
        ? null
        : { format: drawableFormat(card.barcodeFormat, code), value: code },
    stamps: stampsOf(card, locale),
    ended: card.status === 'voided' ? words.voidedTitle : isExpired ? words.expiredTitle : null,
    language,
    fromRight: isRightToLeft(language),
  };
}

async function appleCard(card: CardRow, { images, now }: Drawing): Promise<ApplePreview> {
  const fields = appleFields(card).flatMap(({ key, label, value, section }): PreviewField[] =>
    value === null || section === 'back' ? [] : [{ key, label, value, section }],
  );
  return { ...contentOf(card, now), platform: 'apple', fields, images: await applePictures(images, card) };
}

async function googleCard(card: CardRow, { images, now }: Drawing): Promise<GooglePreview> {
  return {
    ...contentOf(card, now),
    platform: 'google',
    subheader: card.type === 'generic' ? (card.holder?.name ?? null) : null,
    rows: googleRows(card),
    ...(await googlePictures(images, card)),
  };
}

/** The rows of the class, filled with what the object of this card says. */
function googleRows(card: CardRow) {
  const fields = writtenFieldsOf(card);
  const balance = fields.find(({ key }) => key === BALANCE_KEY);
  const design = { type: card.type, fields, showsPoints: balance !== undefined };
  const isApart = balance !== undefined && hasPoints(design);
  const own = isApart ? fields.filter((field) => field !== balance) : fields;
  const rows = frontRows({ ...design, fields: own }).map((row, at) =>
    isApart && at === 0 ? [balance, ...row] : row,
  );
  const values = new Map(fields.map(({ key, value }) => [key, value]));
  return rows.map((row) =>
    row.flatMap(({ key, label }) => {
      const value = values.get(key) ?? '';
      return value === '' ? [] : [{ key, label, value }];
    }),
  );
}

type Pictured = Pick<CardRow, 'type' | 'images' | 'program' | 'stampLook' | 'colors'>;

/** The images of a pass file, small where the drawing would not show more of them. */
async function applePictures(store: ImageFiles, card: Pictured): Promise<ApplePreview['images']> {
  const { logo, strip, thumbnail, background } = placedImages(card);
  const behind = fileOf(background, ['background.png']);
  return {
    logo: await pictureOf(store, fileOf(logo, ['logo@3x.png', 'logo@2x.png', 'logo.png'])),
    strip: await pictureOf(store, fileOf(strip, ['strip@2x.png', 'strip.png'])),
    thumbnail: await pictureOf(
      store,
      fileOf(thumbnail, ['thumbnail@3x.png', 'thumbnail@2x.png', 'thumbnail.png']),
    ),
    background: behind === undefined ? null : await blurredPicture(store, behind),
  };
}

/** The pictures that Google fetches. */
async function googlePictures(
  store: ImageFiles,
  card: Pictured,
): Promise<Pick<GooglePreview, 'logo' | 'hero'>> {
  const { logo, hero } = placedImages(card);
  const own = await pictureOf(store, fileOf(logo, ['google-logo.png']));
  return {
    // Loyalty cards must have a logo: Google gets a drawing where the pass has none.
    logo: own ?? (card.type === 'loyalty' ? await drawnLogo(card) : null),
    hero: await pictureOf(store, fileOf(hero, ['google-hero.png'])),
  };
}

function fileOf(image: PassImage | undefined, names: readonly string[]): StoredImage | undefined {
  return names.flatMap((name) => image?.files[name] ?? [])[0];
}

async function pictureOf(store: ImageFiles, file: StoredImage | undefined): Promise<Picture | null> {
  if (file === undefined) return null;
  const bytes = await readImage(store, file.hash);
  return { ...file, href: dataUri('png', bytes) };
}

async function drawnLogo({ colors }: Pictured): Promise<Picture> {
  return { href: dataUri('png', await drawnIcon(cardColors(colors), 'logo.png')), width: 660, height: 660 };
}

/** Blurring takes milliseconds, and all cards of a pass have the same background. */
const blurred = new WeakMap<Buffer, Promise<Buffer>>();

async function blurredPicture(store: ImageFiles, file: StoredImage): Promise<Picture> {
  const bytes = await readImage(store, file.hash);
  return { ...file, href: dataUri('jpeg', await keptWork(blurred, bytes, () => blur(bytes))) };
}

async function blur(bytes: Buffer): Promise<Buffer> {
  const as = { format: 'jpeg', quality: 80 } as const;
  return (await drawPicture({ source: bytes, flatten: '#000000', blur: 7, as })).bytes;
}

/** The address of an image that comes along with it. */
export function dataUri(format: 'png' | 'jpeg', bytes: Buffer): string {
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}
