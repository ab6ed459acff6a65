import type { PublicCtx } from '../context.ts';
import type { CardKey } from '../engine/card-key.ts';
import { linkedModules } from '../passes/card-options.ts';
import { misfitOf } from '../passes/field-formats.ts';
import type { ImageFiles } from '../passes/images/image-files.ts';
import type { AppleDate, AppleField } from '../wallet/apple/card.ts';
import { type PassImage, prepareImage } from '../wallet/apple/pkpass.ts';
import { hasOneRow } from './apple-rows.ts';
import { appleValue, linkedText } from './apple-value.ts';
import type { CardRow } from './card.sql.ts';
import { type PlacedImages, placedImages, shownFieldsOf, writtenFieldsOf } from './card-view.ts';
import { BALANCE_KEY, PENDING_KEY } from './program-fields.ts';
import { readCardRows } from './read-cards.ts';
import { hasStrip, stampsOf } from './stamps-drawing.ts';

/** The fields of a pass file, where Wallet has room for them. */
export function appleFields(card: CardRow): AppleField[] {
  // An empty value would leave its label over nothing.
  const written = writtenFieldsOf(card);
  const fields = shownFieldsOf(card).map((field, at): AppleField => {
    const value = written[at]?.value || null;
    const typed = value === null ? null : appleValue(field, card.timezone);
    return { ...field, value, typed };
  });
  const announced = withRewardsAnnounced(fields);
  const placed = hasStrip(card.type) && stampsOf(card) !== null ? belowStrip(announced) : announced;
  const format = card.barcodeMode === 'none' ? null : card.barcodeFormat;
  return hasOneRow(card.type, format) ? readyAlone(placed) : placed;
}

/** The modules of a card as links on the back. Keys of a pass's own fields have no hyphen. */
export function moduleFields({ modules }: Pick<CardRow, 'modules'>): AppleField[] {
  return linkedModules(modules).map(({ header, text, uri }, at) => ({
    key: `module-${at + 1}`,
    label: header,
    value: text,
    typed: linkedText(text, uri),
    section: 'back',
    changeMessage: null,
  }));
}

/** When the card matters to its holder; a field that has no moment has none. */
export function appleDates(card: CardRow): AppleDate[] {
  const fields = card.dates.some((date) => 'field' in date) ? shownFieldsOf(card) : [];
  return card.dates.flatMap((date) => {
    if (!('field' in date))
      return [{ start: new Date(date.start), end: date.end ? new Date(date.end) : null }];
    const field = fields.find(({ key }) => key === date.field);
    const value = field === undefined || misfitOf(field, field.value) !== null ? null : field.value;
    return value ? [{ start: new Date(value), end: null }] : [];
  });
}

/** A ready reward has the only row to itself, so that it can be read: the others are on the back until it is redeemed. */
function readyAlone(fields: readonly AppleField[]): AppleField[] {
  const isReady = fields.some(({ key, value }) => key === PENDING_KEY && value !== null);
  return fields.map((field) =>
    isReady && field.section === 'auxiliary' ? { ...field, section: 'back' } : field,
  );
}

/**
 * A phone announces changes of fields that it knows. A first reward is a new field, so the balance announces it: what
 * unlocks a reward changes the balance, too.
 */
function withRewardsAnnounced(fields: readonly AppleField[]): AppleField[] {
  const pending = fields.find(({ key }) => key === PENDING_KEY)?.value ?? null;
  if (pending === null || pending.includes('%')) return [...fields];
  return fields.map((field) =>
    field.key === BALANCE_KEY && field.changeMessage !== null
      ? { ...field, changeMessage: `${field.changeMessage} · ${pending}` }
      : field,
  );
}

/** Wallet writes primary fields across the strip: they lead the row below it instead. */
function belowStrip(fields: readonly AppleField[]): AppleField[] {
  const primary = fields.filter(({ section }) => section === 'primary');
  const others = fields.filter(({ section }) => section !== 'primary');
  return [...primary.map((field) => ({ ...field, section: 'auxiliary' as const })), ...others];
}

/** The fields that a card's pass file has now, its program's among them; none where there is no such card. */
export async function fieldsOnPhone(ctx: PublicCtx, card: CardKey): Promise<AppleField[]> {
  return (await readCardRows(ctx, [card])).flatMap(appleFields);
}

/** An image of a pass file, and what the store knows it by. */
interface StoredPassImage {
  readonly hash: string;
  readonly image: PassImage;
}

const places: readonly (keyof PlacedImages)[] = [
  'icon',
  'logo',
  'strip',
  'thumbnail',
  'background',
  'artwork',
  'primaryLogo',
];

/** Checksums take milliseconds: they are kept as long as the bytes are. */
const prepared = new WeakMap<Buffer, PassImage>();

/** The images of its pass that are files in the pass file of a card: a strip with stamps on it is none. Throws when one of them is not in the store. */
export async function appleImages(
  card: Pick<CardRow, 'type' | 'images' | 'program' | 'stampLook'>,
  store: ImageFiles,
): Promise<StoredPassImage[]> {
  const placed = { ...placedImages(card), ...(stampsOf(card) !== null && { strip: undefined }) };
  const wanted = places.flatMap((place) => {
    const files = Object.entries(placed[place]?.files ?? {});
    return files.filter(([name]) => name.split(/[@.]/, 1)[0] === place);
  });
  const images: StoredPassImage[] = [];
  for (const [name, { hash }] of wanted)
    images.push({ hash, image: prepare(name, await readImage(store, hash)) });
  return images;
}

/** The bytes of an image that a pass shows. Throws when the store has lost it. */
export async function readImage(store: ImageFiles, hash: string): Promise<Buffer> {
  const bytes = await store.read(hash);
  if (bytes === undefined) throw new Error(`the image ${hash} of a pass is not in the store`);
  return bytes;
}

function prepare(name: string, bytes: Buffer): PassImage {
  const known = prepared.get(bytes);
  if (known?.name === name) return known;
  const image = prepareImage(name, bytes);
  prepared.set(bytes, image);
  return image;
}
