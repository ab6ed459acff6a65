import { barcodeOf, expiryOf, fieldValuesOf, hasExpired } from '../cards/instance.schema.ts';
import { linkTo } from '../cards/link-token.ts';
import type { PublicCtx } from '../context.ts';
import { drawableFormat } from '../passes/barcode-formats.ts';
import { linkedActions, linkedModules } from '../passes/card-options.ts';
import { opens, writtenValue } from '../passes/field-formats.ts';
import type { PassField, PassImage, StoredImage } from '../passes/pass-row.ts';
import { shownTier } from '../passes/programs/tiers.ts';
import type { CardRow } from './card.sql.ts';
import { inLanguage, localeOf } from './card-language.ts';
import type { CardView } from './page.ts';
import { withProgram } from './program-fields.ts';
import { hasStrip, stampsOf } from './stamps-drawing.ts';

/**
 * What the holder's page shows of a card: its texts in the language of the reader where it has them in it, the page's own
 * words in that language anyway.
 */
export function cardView(
  ctx: PublicCtx,
  row: CardRow,
  reader: string = row.holder?.locale ?? row.workspaceLocale,
): CardView {
  const card = inLanguage(row, reader);
  const barcode = barcodeOf(card);
  const expiresAt = expiryOf(card);
  const add = linkTo(ctx.app.config.publicUrl, card);
  const { icon, logo, strip, hero, thumbnail } = placedImages(card);
  return {
    organization: card.organization,
    title: card.title,
    type: card.type,
    details: card.details,
    terms: card.terms,
    message: card.message,
    fields: writtenFieldsOf(card),
    stamps: stampsOf(card, localeOf(card)),
    images: { logo: shown(logo), banner: shown(strip ?? hero), thumbnail: shown(thumbnail) },
    icon: shown(icon),
    colors: card.colors,
    barcode:
      barcode === null ? null : { format: drawableFormat(card.barcodeFormat, barcode), value: barcode },
    actions: linkedActions(card.actions),
    modules: linkedModules(card.modules),
    holderName: card.holder?.name ?? null,
    expiresAt,
    expired: hasExpired(expiresAt, ctx.app.now()),
    voided: card.status === 'voided',
    locale: localeOf(card),
    reader,
    links: {
      add,
      apple: `${add}/apple.pkpass`,
      google: ctx.app.google === null && card.ownIssuerId === null ? null : `${add}/google`,
      qr: `${add}/qr.svg`,
      card: `${add}/card`,
    },
    badges: ctx.app.badges,
    development: ctx.app.apple.development && card.ownPassType === null,
  };
}

function shown(image: PassImage | undefined): StoredImage | null {
  return image?.shown ?? null;
}

/** All fields of a card with what it shows in them: those of its pass, and those of the pass's program. In its own language. */
export function shownFieldsOf(card: CardRow): PassField[] {
  const values = fieldValuesOf(card, shownTier(card.program));
  const own = card.passFields.map((field) => ({ ...field, value: values[field.key] ?? null }));
  return withProgram(own, card.program, { locale: localeOf(card), timezone: card.timezone });
}

/** A field with its value as a text, and what opens where that is touched. */
export interface WrittenField extends PassField {
  readonly uri: string | null;
}

/** The same with all values as texts. */
export function writtenFieldsOf(card: CardRow): WrittenField[] {
  const reader = { locale: localeOf(card), timezone: card.timezone };
  return shownFieldsOf(card).map((field) => ({
    ...field,
    value: writtenValue(field, reader),
    uri: opens(field),
  }));
}

/** The images of a card by the place in which they are shown; undefined for an empty place. */
export interface PlacedImages {
  readonly icon: PassImage | undefined;
  readonly logo: PassImage | undefined;
  readonly strip: PassImage | undefined;
  readonly thumbnail: PassImage | undefined;
  readonly background: PassImage | undefined;
  /** Behind the whole of a poster, and its logo. */
  readonly artwork: PassImage | undefined;
  readonly primaryLogo: PassImage | undefined;
  /** Above a card that has more room than a strip. */
  readonly hero: PassImage | undefined;
}

/**
 * Which of the images of its pass a card shows: a drawing of stamps replaces strip and hero unless it is on them, and
 * a strip replaces the background and the thumbnail.
 */
export function placedImages({
  type,
  images,
  program,
  stampLook,
}: Pick<CardRow, 'type' | 'images' | 'program' | 'stampLook'>): PlacedImages {
  const drawsStamps = stampsOf({ program, stampLook }) !== null;
  const isReplaced = drawsStamps && stampLook.over !== 'image';
  const strip = hasStrip(type) && !isReplaced ? images.stripUrl : undefined;
  const artwork = type === 'generic' ? images.posterUrl : undefined;
  const isBareTicket = type === 'eventTicket' && !drawsStamps && strip === undefined;
  return {
    icon: images.iconUrl,
    logo: images.logoUrl,
    strip,
    thumbnail: type === 'generic' || isBareTicket ? images.thumbnailUrl : undefined,
    background: isBareTicket ? images.backgroundUrl : undefined,
    artwork,
    primaryLogo: artwork && images.logoUrl,
    hero: isReplaced ? undefined : heroOf(images),
  };
}

/** What Google shows across a card. */
export function heroOf({ heroUrl, stripUrl }: CardRow['images']): PassImage | undefined {
  return heroUrl ?? stripUrl;
}
