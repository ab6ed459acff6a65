import { cardColors, type WantedColors } from '../cards/card-colors.ts';
import { Html, html } from '../kit/html.ts';
import { filledText } from '../kit/text/fill-words.ts';
import { languageTag } from '../kit/text/language.ts';
import { wordsIn } from '../locales/languages.ts';
import type { StoredImage } from '../passes/pass-row.ts';
import { type BarcodeFormat, isLinear, linearNames } from '../wallet/barcode-format.ts';
import { barcodeSvg } from './barcode-svg.ts';
import { PENDING_KEY } from './program-fields.ts';
import { type Stamps, stampColors, stampsDrawing } from './stamps-drawing.ts';

/** What the front of a card shows. */
export interface DrawnCard {
  readonly organization: string;
  readonly title: string;
  readonly type: 'loyalty' | 'coupon' | 'eventTicket' | 'giftCard' | 'generic';
  /** In the order of display inside each section. A field without a value is not drawn. */
  readonly fields: readonly CardField[];
  /** Drawn as a picture. */
  readonly stamps: Stamps | null;
  readonly images: DrawnImages;
  readonly colors: WantedColors;
  readonly barcode: { readonly format: BarcodeFormat; readonly value: string } | null;
  readonly expired: boolean;
  readonly voided: boolean;
  /** BCP 47; the language of the shop's texts and the direction of the card. */
  readonly locale: string | null;
}

/** The images on the front of a card; null where there is none. */
export interface DrawnImages {
  readonly logo: StoredImage | null;
  /** Across the card: its strip or hero. Stamps are drawn on it. */
  readonly banner: StoredImage | null;
  /** Next to the fields. */
  readonly thumbnail: StoredImage | null;
}

export interface CardField {
  readonly key: string;
  readonly label: string;
  readonly value: string | null;
  readonly section: CardSection;
  /** What opens where the value is touched. */
  readonly uri?: string | null;
  /** The announcement of a change; `%@` is replaced by the new value. */
  readonly changeMessage?: string | null;
}

export type CardSection = 'header' | 'primary' | 'secondary' | 'auxiliary' | 'back';

/** The address of an image, seen from the page. */
type ImageAddress = (image: StoredImage) => string;

/** Images that lie in a folder, seen from the page: with a slash at its end. */
export function imagesIn(folder: string): ImageAddress {
  return ({ hash }) => `${folder}${hash}.png`;
}

/** The front of a card the way a wallet shows it. Its colours are the style sheet's `--card…` properties. */
export function cardDrawing(card: DrawnCard, addressOf: ImageAddress): Html {
  const language = languageTag(card.locale);
  const { logo, banner, thumbnail } = card.images;
  const isLifeless = card.voided || card.expired;
  const title = html`<h2 class="card-title" id="card-title"><bdi>${card.title}</bdi></h2>`;
  const across =
    card.stamps !== null
      ? stampsPicture(card.stamps, card.colors, banner && addressOf(banner))
      : banner !== null && picture(addressOf, banner, 'across', { width: 375, height: 144 });
  return html`<div class="card-frame"><article class="card ${card.type}${isLifeless && ' lifeless'}" aria-labelledby="card-title"${
    language !== null && html` lang="${language}"`
  } dir="${isRightToLeft(language) ? 'rtl' : 'ltr'}">
<header class="card-top">
<p class="issuer">${
    logo === null ? monogram(card.organization) : picture(addressOf, logo, 'logo', { width: 160, height: 50 })
  }<bdi>${card.organization}</bdi></p>
${fieldList(card.fields, 'header')}
</header>
${
  thumbnail === null
    ? [title, across, fieldList(card.fields, 'primary')]
    : [
        across,
        html`<div class="with-thumbnail"><div>${title}${fieldList(card.fields, 'primary')}</div>${picture(addressOf, thumbnail, 'thumbnail', { width: 90, height: 90 })}</div>`,
      ]
}
${fieldList(card.fields, 'secondary')}
${fieldList(card.fields, 'auxiliary')}
${!card.voided && card.barcode !== null && barcode(card.barcode, card.locale)}
</article></div>`;
}

/** Says what a field of the card says: people who cannot see it miss nothing. Without a look of its own, its colours follow the card's. */
function stampsPicture(stamps: Stamps, colors: WantedColors, behind: string | null): Html {
  const size = { width: 375, height: 123 };
  const ownColors = { foreground: 'currentColor', shade: 'var(--card)' };
  const ink = stampColors(
    stamps,
    stamps.look === undefined ? ownColors : cardColors(colors),
    behind !== null,
  );
  const photo =
    behind !== null &&
    html`<image href="${behind}" width="${size.width}" height="${size.height}" preserveAspectRatio="xMidYMid slice"/>`;
  return html`<svg class="stamps${behind !== null && ' across'}" viewBox="0 0 ${size.width} ${size.height}" aria-hidden="true">${photo}${new Html(stampsDrawing(stamps, size, ink))}</svg>`;
}

/**
 * An image as large as it fits into its place, in pixels of a style sheet, and not enlarged beyond its own. Whatever it
 * shows, the card says in words.
 */
function picture(
  addressOf: ImageAddress,
  image: StoredImage,
  name: string,
  most: { readonly width: number; readonly height: number },
): Html {
  const { width, height } = image;
  const scale = Math.min(1, most.width / width, most.height / height);
  return html`<img class="${name}" src="${addressOf(image)}" width="${Math.round(width * scale)}" height="${Math.round(height * scale)}" alt="">`;
}

/** The fields of a section that have a value. */
export function shownFields(fields: readonly CardField[], section: CardSection): ShownField[] {
  return fields.flatMap((field) => {
    const { value } = field;
    return field.section === section && value !== null && value !== '' ? [{ ...field, value }] : [];
  });
}

export interface ShownField extends CardField {
  readonly value: string;
}

function fieldList(fields: readonly CardField[], section: CardSection): Html | null {
  const shown = shownFields(fields, section);
  if (shown.length === 0) return null;
  const longest = Math.max(...shown.map(({ value }) => value.length));
  const isReady = shown.some(({ key }) => key === PENDING_KEY);
  return html`<dl class="fields ${section}${section === 'primary' && lengthClass(longest)}${isReady && ' ready'}">${shown.map(
    ({ key, label, value, uri }) =>
      html`<div>${
        label === '' ? html`<dt class="unseen">${key}</dt>` : html`<dt><bdi>${label}</bdi></dt>`
      }<dd>${linked(html`<bdi>${value}</bdi>`, uri)}</dd></div>`,
  )}</dl>`;
}

/** A value that opens something. */
export function linked(value: Html, uri: string | null | undefined): Html {
  return uri == null ? value : html`<a href="${uri}" rel="noreferrer">${value}</a>`;
}

/** Primary values are large while they are short. */
function lengthClass(characters: number): string {
  if (characters > 40) return ' longest';
  return characters > 14 ? ' long' : '';
}

/** Replaces the logo: the first letter or digit of the name, as it is written in its script. */
function monogram(organization: string): Html | null {
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(organization)?.[0];
  return letter === undefined
    ? null
    : html`<span class="monogram" aria-hidden="true">${letter.toLocaleUpperCase('en')}</span>`;
}

/** A value that the symbol cannot hold is shown in letters alone: a clerk can type it. */
function barcode({ format, value }: { format: BarcodeFormat; value: string }, locale: string | null): Html {
  const { code } = wordsIn(locale).words.card;
  const name = isLinear(format) ? filledText(code.linear, { symbol: linearNames[format] }) : code[format];
  const svg = drawn(format, value, name);
  const isShort = value.length <= LONGEST_CAPTION;
  return html`<figure class="code ${isLinear(format) ? 'linear' : format}">${svg}${
    (isShort || svg === null) && html`<figcaption><bdi>${value}</bdi></figcaption>`
  }</figure>`;
}

const LONGEST_CAPTION = 64;

function drawn(format: BarcodeFormat, value: string, title: string): Html | null {
  try {
    return new Html(barcodeSvg(format, value, { title }));
  } catch {
    return null;
  }
}

/** Whether a language is written from right to left in its usual script. */
export function isRightToLeft(language: string | null): boolean {
  if (language === null) return false;
  return RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? '');
}

/** ISO 15924 codes of the scripts in use that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);
