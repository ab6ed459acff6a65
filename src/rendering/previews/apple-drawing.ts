import { cardColors } from '../../cards/card-colors.ts';
import { textLines, textWidth } from '../../kit/fonts/measure-text.ts';
import type { PassType } from '../../passes/pass-row.ts';
import { hasOneRow } from '../apple-rows.ts';
import { STRIP, stampColors, stampsDrawing } from '../stamps-drawing.ts';
import { barcodePlate } from './barcode-plate.ts';
import { fieldRow, fieldsAtEnd, type RowLook } from './field-row.ts';
import type { ApplePreview, PreviewField } from './preview-card.ts';
import { linesOn, pictureIn, plainText, rectangle, type Sheet, sheetDocument, textAt } from './sheet.ts';

/** In points. */
const width = 375;
const height = 512;
const edge = 14;
const room = width - 2 * edge;
const headerHeight = 64;
const logoRoom = { width: 160, height: 50 };
const photo = 90;

interface Ink {
  readonly background: string;
  readonly foreground: string;
  readonly label: string;
}

/** A part of the drawing, and where the next one begins. */
interface Drawn {
  readonly svg: string;
  readonly bottom: number;
}

/** The front of a card the way Apple Wallet shows it, as an SVG document. Equal cards give equal text. */
export function appleDrawing(card: ApplePreview): string {
  return drawnOn({ width, fromRight: card.fromRight }, card);
}

/** The title does not have the key of a field. */
export const titleKey = 'title';

/** The keys of the texts that have no room on the front of the card, and end in an ellipsis or are left out. */
export function cutOnApple(card: ApplePreview): ReadonlySet<string> {
  const cut = new Set<string>();
  drawnOn({ width, fromRight: card.fromRight, cut }, card);
  return cut;
}

function drawnOn(sheet: Sheet, card: ApplePreview): string {
  const ink = inkOf(card);
  const head = header(sheet, card, ink);
  const main = hasStripLayout(card) ? acrossStrip(sheet, card, ink) : nextToPhoto(sheet, card, ink);
  const below = rows(sheet, card, ink, main.bottom);
  const parts = [head, main.svg, below].join('');
  return sheetDocument(sheet, {
    height,
    outline: appleOutline(card.type, width, height),
    language: card.language,
    title: `${plainText(card.organization)}: ${plainText(card.title)}`,
    parts: [
      ground(sheet, card, ink),
      card.ended === null ? parts : `<g opacity=".45">${parts}</g>`,
      foot(sheet, card, ink),
    ],
  });
}

/** What the pass asks for is shown as it is, readable or not: that is what the wallet does. */
function inkOf({ colors }: ApplePreview): Ink {
  const chosen = cardColors({ background: colors.background, foreground: null, label: null });
  return {
    background: chosen.background,
    foreground: colors.foreground ?? chosen.foreground,
    label: colors.label ?? (colors.foreground === null ? chosen.label : colors.foreground),
  };
}

/** Behind everything; the background picture is darkened, so that texts can be read. */
function ground(sheet: Sheet, { type, images }: ApplePreview, ink: Ink): string {
  const whole = { x: 0, y: 0, width, height };
  const plain = rectangle(sheet, whole, 0, `fill="${ink.background}"`);
  if (type !== 'eventTicket' || images.background === null || images.strip !== null) return plain;
  return [
    plain,
    pictureIn(sheet, images.background, whole),
    rectangle(sheet, whole, 0, 'fill="#000" fill-opacity=".36"'),
  ].join('');
}

function header(sheet: Sheet, card: ApplePreview, ink: Ink): string {
  const { logo } = card.images;
  const scale = logo === null ? 0 : Math.min(logoRoom.width / logo.width, logoRoom.height / logo.height);
  const logoBox = {
    x: edge,
    y: 8,
    width: (logo?.width ?? 0) * scale,
    height: (logo?.height ?? 0) * scale,
  };
  const begin = logo === null ? edge : edge + logoBox.width + 10;
  const fields = inSection(card, 'header').slice(0, appleRoom.header);
  // The name gives way to the fields, but never as a whole.
  const place = { x: begin + 50, y: 0, width: width - edge - begin - 50 };
  const atEnd = fieldsAtEnd(sheet, fields, place, { ...smallRow(card, ink), labelAt: 25, valueAt: 46 });
  const name = { size: 18, weight: 600, fill: ink.foreground } as const;
  const nameRoom = width - edge - begin - (atEnd.width === 0 ? 0 : atEnd.width + 14);
  const [line = ''] = linesOn(sheet, { key: titleKey, text: plainText(card.title) }, name, nameRoom);
  return [
    logo === null
      ? ''
      : pictureIn(sheet, logo, { ...logoBox, y: 8 + (logoRoom.height - logoBox.height) / 2 }, 'whole'),
    textAt(sheet, line, begin, 40, name),
    atEnd.svg,
  ].join('');
}

/** Store cards and coupons write the primary field across the strip, with a picture or without; tickets with one. */
function hasStripLayout({ type, images, stamps }: ApplePreview): boolean {
  if (type === 'generic') return false;
  return type !== 'eventTicket' || images.strip !== null || stamps !== null;
}

function acrossStrip(sheet: Sheet, card: ApplePreview, ink: Ink): Drawn {
  const stripHeight = STRIP[card.type]?.height ?? 0;
  const box = { x: 0, y: headerHeight, width, height: stripHeight };
  const picture = stripPicture(sheet, card, box);
  const [primary] = inSection(card, 'primary');
  if (picture === '' && primary === undefined) return { svg: '', bottom: headerHeight };
  return {
    svg: picture + (primary === undefined ? '' : primaryAcross(sheet, primary, box, ink)),
    bottom: box.y + box.height,
  };
}

function stripPicture(
  sheet: Sheet,
  card: ApplePreview,
  box: { y: number; height: number; x: number; width: number },
) {
  const { strip } = card.images;
  const picture = strip === null ? '' : pictureIn(sheet, strip, box);
  if (card.stamps === null) return picture;
  const colors = cardColors(card.colors);
  const shapes = stampsDrawing(card.stamps, box, stampColors(card.stamps, colors, strip !== null));
  return `${rectangle(sheet, box, 0, `fill="${colors.shade}"`)}${picture}<g transform="translate(0 ${box.y})">${shapes}</g>`;
}

/** The value large, its label below. */
function primaryAcross(
  sheet: Sheet,
  field: PreviewField,
  box: { y: number; height: number },
  ink: Ink,
): string {
  const value = plainText(field.value);
  const size = fitting(value, [52, 46, 40, 34, 28, 24], room);
  const style = { size, weight: 400 } as const;
  const label = { size: 17, weight: 400 } as const;
  const { key } = field;
  const [valueLine = ''] = linesOn(sheet, { key, text: value }, style, room);
  const [labelLine = ''] = linesOn(sheet, { key, text: plainText(field.label) }, label, room);
  // Both in the middle of the strip: capitals are about 0.73 of their size high.
  const whole = size * 0.73 + (labelLine === '' ? 0 : 27);
  const baseline = box.y + (box.height - whole) / 2 + size * 0.73;
  return (
    textAt(sheet, valueLine, edge, baseline, { ...style, fill: ink.foreground }) +
    textAt(sheet, labelLine, edge, baseline + 26, { ...label, fill: ink.foreground })
  );
}

/** Generic cards, and tickets without a strip: the primary field, and the picture next to it. */
function nextToPhoto(sheet: Sheet, card: ApplePreview, ink: Ink): Drawn {
  const { thumbnail } = card.images;
  const shown =
    thumbnail !== null && (card.type === 'generic' || card.type === 'eventTicket') ? thumbnail : null;
  const scale = shown === null ? 0 : Math.min(photo / shown.width, photo / shown.height);
  const box = {
    width: (shown?.width ?? 0) * scale,
    height: (shown?.height ?? 0) * scale,
    y: headerHeight + 10,
  };
  const [primary] = inSection(card, 'primary');
  const textRoom = shown === null ? room : room - box.width - 14;
  return {
    svg: [
      shown === null ? '' : roundedPicture(sheet, shown, { ...box, x: width - edge - box.width }),
      primary === undefined ? '' : primaryBeside(sheet, card, primary, textRoom, ink),
    ].join(''),
    bottom: headerHeight + (shown === null ? (primary === undefined ? 4 : 78) : box.height + 16),
  };
}

function roundedPicture(
  sheet: Sheet,
  picture: NonNullable<ApplePreview['images']['logo']>,
  box: Parameters<typeof pictureIn>[2],
) {
  return `<clipPath id="photo">${rectangle(sheet, box, 4, '')}</clipPath><g clip-path="url(#photo)">${pictureIn(sheet, picture, box)}</g>`;
}

function primaryBeside(
  sheet: Sheet,
  card: ApplePreview,
  field: PreviewField,
  textRoom: number,
  ink: Ink,
): string {
  const { label } = smallRow(card, ink);
  const value = plainText(field.value);
  const size = fitting(value, [32, 28, 24], textRoom);
  const isLong = textWidth(value, { size, weight: 400 }) > textRoom;
  const style = { size: isLong ? 20 : size, weight: 400, fill: ink.foreground } as const;
  const { key } = field;
  const lines = linesOn(sheet, { key, text: value }, style, textRoom, isLong ? 2 : 1);
  const [labelLine = ''] = linesOn(sheet, { key, text: capitals(field.label, card) }, label, textRoom);
  const top = headerHeight + 22;
  return [
    textAt(sheet, labelLine, edge, top, label),
    ...lines.map((line, at) => textAt(sheet, line, edge, top + (isLong ? 24 : 34) + at * 25, style)),
  ].join('');
}

/** So many fields of a section are on the front; secondary and auxiliary ones together where they share a row. */
export const appleRoom = { header: 3, primary: 1, secondary: 4, auxiliary: 4 } as const;

function rows(sheet: Sheet, card: ApplePreview, ink: Ink, top: number): string {
  const [secondary, auxiliary] = [inSection(card, 'secondary'), inSection(card, 'auxiliary')];
  const shown = hasOneRow(card.type, card.barcode?.format ?? null)
    ? [[...secondary, ...auxiliary].slice(0, appleRoom.secondary)]
    : [secondary.slice(0, appleRoom.secondary), auxiliary.slice(0, appleRoom.auxiliary)];
  return shown
    .filter((fields) => fields.length > 0)
    .map((fields, at) =>
      fieldRow(sheet, fields, { x: edge, y: top + 8 + at * 52, width: room }, smallRow(card, ink)),
    )
    .join('');
}

function smallRow(card: ApplePreview, ink: Ink): RowLook {
  return {
    label: { size: 11, weight: 600, fill: ink.label },
    value: { sizes: [19, 17, 15, 13], weight: 400, fill: ink.foreground },
    labelAt: 17,
    valueAt: 40,
    capitals: true,
    language: card.language,
  };
}

/** At the bottom: the barcode, or what is to be known of a card without one. */
function foot(sheet: Sheet, card: ApplePreview, ink: Ink): string {
  if (card.barcode !== null) {
    const plate = barcodePlate(card.barcode, { radius: 6, side: 150, captioned: true, ended: card.ended });
    return plate.draw(sheet, height - 22 - plate.height);
  }
  if (card.ended === null) return '';
  const style = { size: 15, weight: 600, fill: ink.foreground } as const;
  return textLines(plainText(card.ended), style, room, 2)
    .map((line, at) => textAt(sheet, line, width / 2, height - 50 + at * 20, { ...style, align: 'middle' }))
    .join('');
}

function inSection(card: ApplePreview, section: PreviewField['section']): PreviewField[] {
  return card.fields.filter((field) => field.section === section);
}

function capitals(text: string, { language }: ApplePreview): string {
  return plainText(text).toLocaleUpperCase(language ?? 'en');
}

/** The first size in which a text has room, or the last. */
function fitting(text: string, sizes: readonly number[], textRoom: number): number {
  return sizes.find((size) => textWidth(text, { size, weight: 400 }) <= textRoom) ?? sizes.at(-1) ?? 12;
}

const radius = 12;
/** Of a ticket: a shallow bite out of the middle of its upper edge. */
const bite = { width: 62, depth: 13 };
/** Of a coupon: its upper and lower edges are perforated. */
const tooth = { radius: 3.4, step: 12.5 };

/** The edge of a card as Apple Wallet cuts it, by its type. */
function appleOutline(type: PassType, width: number, height: number): string {
  if (type === 'coupon') return perforated(width, height);
  const top = type === 'eventTicket' ? bitten(width) : '';
  return `M0 ${radius}a${radius} ${radius} 0 0 1 ${radius} ${-radius}${top}H${width - radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 ${-radius} ${radius}H${radius}a${radius} ${radius} 0 0 1 ${-radius} ${-radius}Z`;
}

function bitten(width: number): string {
  const half = bite.width / 2;
  // The circle through both ends of the bite and its lowest point.
  const curve = (half * half + bite.depth * bite.depth) / (2 * bite.depth);
  return `H${width / 2 - half}a${curve} ${curve} 0 0 0 ${bite.width} 0`;
}

function perforated(width: number, height: number): string {
  const count = Math.floor(width / tooth.step);
  const flat = (width / count - 2 * tooth.radius) / 2;
  const row = (forward: 1 | -1) =>
    `h${flat * forward}a${tooth.radius} ${tooth.radius} 0 0 0 ${2 * tooth.radius * forward} 0h${flat * forward}`;
  return `M0 0${row(1).repeat(count)}V${height}${row(-1).repeat(count)}Z`;
}
