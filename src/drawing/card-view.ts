import { barcodeOf, expiryOf } from '../cards/instance.schema.ts';
import { linkTo } from '../cards/link-token.ts';
import type { PublicCtx } from '../context.ts';
import { stampsOf } from '../ledger/stamps-drawing.ts';
import { drawableFormat } from '../passes/design.ts';
import type { PassImage, StoredImage } from '../passes/pass-row.ts';
import type { CardRow } from './card.sql.ts';
import type { CardView } from './page.ts';
import { placedImages } from './placed-images.ts';
import { localeOf, shownFieldsOf } from './shown-fields.ts';

/** What the holder's page shows of a card. */
export function cardView(ctx: PublicCtx, card: CardRow): CardView {
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
    fields: shownFieldsOf(card),
    stamps: stampsOf(card.program),
    images: { logo: shown(logo), banner: shown(strip ?? hero), thumbnail: shown(thumbnail) },
    icon: shown(icon),
    colors: card.colors,
    barcode:
      barcode === null ? null : { format: drawableFormat(card.barcodeFormat, barcode), value: barcode },
    holderName: card.holder?.name ?? null,
    expiresAt,
    expired: expiresAt !== null && expiresAt <= ctx.app.now(),
    voided: card.status === 'voided',
    locale: localeOf(card),
    links: {
      add,
      apple: `${add}/apple.pkpass`,
      google: ctx.app.google === null ? null : `${add}/google`,
      qr: `${add}/qr.svg`,
      card: `${add}/card`,
    },
    development: ctx.app.apple.development,
  };
}

function shown(image: PassImage | undefined): StoredImage | null {
  return image?.shown ?? null;
}
