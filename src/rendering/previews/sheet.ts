import { bundledFamilies } from '../../kit/fonts/bundled-fonts.ts';
import { isMeasuredExactly, type TextStyle, textLines, textWidth } from '../../kit/fonts/measure-text.ts';
import { escapeHtml } from '../../kit/html.ts';

/**
 * What is drawn on. Places are measured from the side where its language begins to read, so that a drawing is mirrored
 * as a whole.
 */
export interface Sheet {
  readonly width: number;
  readonly fromRight: boolean;
  /** Takes the keys of the texts that end in an ellipsis. */
  readonly cut?: Set<string>;
}

/** A text in as many lines of a width at most, as `textLines` breaks it; the sheet notes where not all of it has room. */
export function linesOn(
  sheet: Sheet,
  { key, text }: { readonly key: string | undefined; readonly text: string },
  style: TextStyle,
  width: number,
  most = 1,
): string[] {
  const lines = textLines(text, style, width, most);
  if (key !== undefined && !text.endsWith(lines.at(-1) ?? '')) sheet.cut?.add(key);
  return lines;
}

/** A picture that is part of the drawing. */
export interface Picture {
  /** A `data:` URI. */
  readonly href: string;
  /** In any unit: only their proportion counts. */
  readonly width: number;
  readonly height: number;
}

interface Box {
  /** From the side where reading begins. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Align = 'start' | 'middle' | 'end';

interface TextLook extends TextStyle {
  readonly fill: string;
  readonly align?: Align;
  readonly opacity?: number;
}

/** A line of text, its baseline at `y`, and its begin, middle or end at `x`. */
export function textAt(sheet: Sheet, text: string, x: number, y: number, look: TextLook): string {
  if (text === '') return '';
  const isMiddle = look.align === 'middle';
  const textFromRight = readsFromRight(text);
  // Which end of the text itself is at x: text may run against the sheet.
  const isItsEnd = (look.align === 'end') !== (sheet.fromRight !== textFromRight);
  const anchor = isMiddle ? 'middle' : isItsEnd ? 'end' : 'start';
  return `<text x="${round(across(sheet, x))}" y="${round(y)}" font-size="${round(look.size)}"${
    look.weight === 400 ? '' : ` font-weight="${look.weight}"`
  }${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${textFromRight ? ' direction="rtl"' : ''}${
    (look.opacity ?? 1) === 1 ? '' : ` fill-opacity="${look.opacity}"`
  }${sameLength(text, look)} fill="${look.fill}">${escapeHtml(text)}</text>`;
}

/** A viewer that lacks the font takes another, and fits it into the room that was measured. */
function sameLength(text: string, look: TextLook): string {
  if (!isMeasuredExactly(text, look.weight)) return '';
  return ` textLength="${round(textWidth(text, look))}" lengthAdjust="spacingAndGlyphs"`;
}

/** Fills a box with a picture and cuts off what stands over; with `whole`, fits it in at the side of the begin. */
export function pictureIn(
  sheet: Sheet,
  picture: Picture,
  box: Box,
  fit: 'cover' | 'whole' = 'cover',
): string {
  const side = sheet.fromRight ? 'xMaxYMid' : 'xMinYMid';
  const ratio = fit === 'cover' ? 'xMidYMid slice' : `${side} meet`;
  return `<image ${placed(sheet, box)} preserveAspectRatio="${ratio}" href="${escapeHtml(picture.href)}"/>`;
}

export function rectangle(sheet: Sheet, box: Box, radius: number, look: string): string {
  return `<rect ${placed(sheet, box)}${radius === 0 ? '' : ` rx="${round(radius)}"`} ${look}/>`;
}

/** A drawing of its own, such as a barcode, at a place. */
export function drawingIn(sheet: Sheet, svg: string, box: Box): string {
  return svg.replaceAll('\n', '').replace(/^<svg /, `<svg ${placed(sheet, box)} `);
}

function placed(sheet: Sheet, { x, y, width, height }: Box): string {
  const left = sheet.fromRight ? sheet.width - x - width : x;
  return `x="${round(left)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`;
}

/** From the left. */
export function across({ width, fromRight }: Sheet, x: number): number {
  return fromRight ? width - x : x;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** What is around a card, for its shadow. */
const margin = 20;

/** Edges upon each other, each wider and hardly seen: a blur would take ten times as long to draw. */
const shadow = `<g transform="translate(0 3)" fill="none" stroke="#000" stroke-opacity=".024" stroke-linejoin="round">${[
  2, 5, 8, 11, 15, 19, 24,
]
  .map((thick) => `<use href="#card" stroke-width="${thick}"/>`)
  .join('')}</g>`;

/** The whole document: the card of an outline, in front of its shadow, with nothing outside of the outline. */
export function sheetDocument(
  sheet: Sheet,
  card: {
    readonly height: number;
    /** The path of the card's edge. */
    readonly outline: string;
    readonly language: string | null;
    /** For people who cannot see it. */
    readonly title: string;
    readonly parts: readonly string[];
  },
): string {
  const [width, height] = [sheet.width + 2 * margin, Math.ceil(card.height + 2 * margin)];
  const families = [...bundledFamilies.map((name) => `'${name}'`), 'system-ui', 'sans-serif'].join(', ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-margin} ${-margin} ${width} ${height}" font-family="${families}"${
    card.language === null
      ? ''
      : ` xml:lang="${escapeHtml(card.language)}" lang="${escapeHtml(card.language)}"`
  }><title>${escapeHtml(card.title)}</title><defs><path id="card" d="${card.outline}"/><clipPath id="edge"><use href="#card"/></clipPath></defs>${shadow}<g clip-path="url(#edge)">${card.parts.join('')}</g></svg>`;
}

/**
 * A text as one line that may be part of a drawing: in Unicode's NFC form, without what XML refuses, without control
 * characters and marks that turn the direction of what follows, and with no more marks on a letter than languages use.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .toWellFormed()
    .replace(refused, '')
    .replace(blank, ' ')
    .replace(heapedMarks, '$1')
    .trim();
}

/** Noncharacters, and signs that embed, override or isolate a direction: each text has one of its own. */
const refused = /[\p{Noncharacter_Code_Point}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const blank = /[\s\p{Cc}]+/gu;
/** They would be drawn over the lines above and below. */
const heapedMarks = /(\p{M}{4})\p{M}+/gu;

/** Whether a text begins in a script that is written from right to left. */
function readsFromRight(text: string): boolean {
  const [first] = /\p{L}/u.exec(text) ?? [];
  return first !== undefined && fromRight.test(first);
}

const fromRight =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}|\p{Script=Hanifi_Rohingya}/u;
