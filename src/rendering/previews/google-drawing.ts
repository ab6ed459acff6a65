import { cardColors } from '../../cards/card-colors.ts';
import { textLines, textWidth } from '../../kit/fonts/measure-text.ts';
import { stampColors, stampsDrawing } from '../stamps-drawing.ts';
import { barcodePlate } from './barcode-plate.ts';
import { fieldRow, type RowLook } from './field-row.ts';
import type { GooglePreview } from './preview-card.ts';
import {
  across,
  pictureIn,
  plainText,
  rectangle,
  round,
  type Sheet,
  sheetDocument,
  textAt,
} from './sheet.ts';

const width = 375;
const edge = 22;
const room = width - 2 * edge;
const radius = 28;
const headerHeight = 76;
const logoSide = 42;
const rowHeight = 58;
/** Of 1032 by 336 pixels. */
const heroHeight = 122;

/** A part of the drawing, and where the next one begins. */
interface Drawn {
  readonly svg: string;
  readonly bottom: number;
}

/** The front of a card the way Google Wallet shows it, as an SVG document. Equal cards give equal text. */
export function googleDrawing(card: GooglePreview): string {
  const sheet: Sheet = { width, fromRight: card.fromRight };
  // Google chooses the colour of texts: whatever can be read on the background.
  const colors = cardColors({ background: card.colors.background, foreground: null, label: null });
  const head = header(sheet, card, colors.foreground);
  const name = title(sheet, card, colors.foreground, head.bottom);
  const items = itemRows(sheet, card, colors, name.bottom);
  const code = barcode(sheet, card, colors.foreground, items.bottom);
  const last = hero(sheet, card, code.bottom);
  const parts = [head, name, items].map(({ svg }) => svg).join('');
  const height = round(last.bottom);
  return sheetDocument(sheet, {
    height,
    outline: `M0 ${radius}a${radius} ${radius} 0 0 1 ${radius} ${-radius}H${width - radius}a${radius} ${radius} 0 0 1 ${radius} ${radius}V${height - radius}a${radius} ${radius} 0 0 1 ${-radius} ${radius}H${radius}a${radius} ${radius} 0 0 1 ${-radius} ${-radius}Z`,
    language: card.language,
    title: `${plainText(card.organization)}: ${plainText(card.title)}`,
    parts: [
      rectangle(sheet, { x: 0, y: 0, width, height }, 0, `fill="${colors.background}"`),
      card.ended === null ? parts : `<g opacity=".5">${parts}</g>`,
      code.svg,
      card.ended === null ? last.svg : `<g opacity=".5">${last.svg}</g>`,
    ],
  });
}

/** The round logo and the issuer, over a line. */
function header(sheet: Sheet, card: GooglePreview, ink: string): Drawn {
  const style = { size: 17, weight: 400 } as const;
  const begin = edge + logoSide + 14;
  const [line = ''] = textLines(plainText(card.organization), style, width - edge - begin, 1);
  const rule = { x: 0, y: headerHeight - 1, width, height: 1 };
  return {
    svg: [
      logo(sheet, card, ink),
      textAt(sheet, line, begin, headerHeight / 2 + 6, { ...style, fill: ink }),
      rectangle(sheet, rule, 0, `fill="${ink}" fill-opacity=".16"`),
    ].join(''),
    bottom: headerHeight,
  };
}

/** Google masks it. Where there is none, a letter replaces it. */
function logo(sheet: Sheet, card: GooglePreview, ink: string): string {
  const box = { x: edge, y: (headerHeight - logoSide) / 2, width: logoSide, height: logoSide };
  const circle = `cx="${round(across(sheet, box.x + logoSide / 2))}" cy="${headerHeight / 2}" r="${logoSide / 2}"`;
  if (card.logo !== null)
    return `<clipPath id="logo"><circle ${circle}/></clipPath><g clip-path="url(#logo)">${pictureIn(sheet, card.logo, box)}</g>`;
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(plainText(card.organization))?.[0]?.toLocaleUpperCase('en') ?? '';
  const style = { size: 20, weight: 600, fill: ink, align: 'middle' } as const;
  return `<circle ${circle} fill="${ink}" fill-opacity=".16"/>${textAt(sheet, letter, box.x + logoSide / 2, headerHeight / 2 + 7, style)}`;
}

function title(sheet: Sheet, card: GooglePreview, ink: string, top: number): Drawn {
  const text = plainText(card.title);
  const small = { size: 13, weight: 400, fill: ink, opacity: 0.8 } as const;
  const size = textWidth(text, { size: 28, weight: 400 }) <= room ? 28 : 23;
  const style = { size, weight: 400, fill: ink } as const;
  const [above = ''] = textLines(plainText(card.subheader ?? ''), small, room, 1);
  const lines = textLines(text, style, room, 2);
  const first = top + (above === '' ? 38 : 54);
  return {
    svg: [
      textAt(sheet, above, edge, top + 26, small),
      ...lines.map((line, at) => textAt(sheet, line, edge, first + at * 29, style)),
    ].join(''),
    bottom: first + (lines.length - 1) * 29 + 16,
  };
}

function itemRows(
  sheet: Sheet,
  { rows, language }: GooglePreview,
  { foreground, label }: { foreground: string; label: string },
  top: number,
): Drawn {
  const look: RowLook = {
    label: { size: 12, weight: 400, fill: label },
    value: { sizes: [17, 15, 13], weight: 400, fill: foreground },
    labelAt: 20,
    valueAt: 42,
    capitals: false,
    language,
  };
  const shown = rows.filter((items) => items.length > 0);
  return {
    svg: shown
      .map((items, at) => fieldRow(sheet, items, { x: edge, y: top + at * rowHeight, width: room }, look))
      .join(''),
    bottom: top + shown.length * rowHeight,
  };
}

/** The plate, and the value below it in the colour of the card. */
function barcode(sheet: Sheet, card: GooglePreview, ink: string, top: number): Drawn {
  if (card.barcode === null) return ending(sheet, card, ink, top);
  const plate = barcodePlate(card.barcode, { radius: 16, side: 172, captioned: false, ended: card.ended });
  const opacity = card.ended === null ? 1 : 0.5;
  const style = { size: 13, weight: 400, fill: ink, align: 'middle', opacity } as const;
  const [caption = ''] = textLines(plainText(card.barcode.value), style, room, 1);
  const below = top + 16 + plate.height;
  return {
    svg: plate.draw(sheet, top + 16) + textAt(sheet, caption, width / 2, below + 22, style),
    bottom: below + 40,
  };
}

function ending(sheet: Sheet, { ended }: GooglePreview, ink: string, top: number): Drawn {
  const style = { size: 15, weight: 600, fill: ink, align: 'middle' } as const;
  const lines = textLines(plainText(ended ?? ''), style, room, 2);
  return {
    svg: lines.map((line, at) => textAt(sheet, line, width / 2, top + 30 + at * 20, style)).join(''),
    bottom: top + 24 + (lines.length === 0 ? 0 : 14 + lines.length * 20),
  };
}

/** Over the whole width, at the bottom. Stamps are its picture where a program draws them. */
function hero(sheet: Sheet, card: GooglePreview, top: number): Drawn {
  const box = { x: 0, y: top, width, height: heroHeight };
  const picture = card.hero === null ? '' : pictureIn(sheet, card.hero, box);
  if (card.stamps === null)
    return { svg: picture, bottom: top + (picture !== '' ? heroHeight : card.barcode === null ? 0 : 8) };
  const colors = cardColors(card.colors);
  const ink = stampColors(card.stamps, colors, card.hero !== null);
  const shapes = stampsDrawing(card.stamps, { width, height: heroHeight }, ink);
  return {
    svg: `${rectangle(sheet, box, 0, `fill="${colors.shade}"`)}${picture}<g transform="translate(0 ${round(top)})">${shapes}</g>`,
    bottom: top + heroHeight,
  };
}
