import { type FontWeight, fontAdvances, readBundledFonts } from './bundled-fonts.ts';

export interface TextStyle {
  /** In the units of the drawing. */
  readonly size: number;
  readonly weight: FontWeight;
}

/**
 * How wide a text is in the bundled fonts at most: letters that join are measured as if each stood alone. What the
 * fonts do not have is taken for a full square, as it is in most scripts that they lack.
 */
export function textWidth(text: string, { size, weight }: TextStyle): number {
  let width = 0;
  if (isPlain.test(text)) {
    for (const character of text) width += knownAdvance(character, weight) ?? 1;
    return width * size;
  }
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment, weight);
  return width * size;
}

/** True if the bundled fonts have every character, and none changes its shape next to others. */
export function isMeasuredExactly(text: string, weight: FontWeight): boolean {
  return !joined.test(text) && [...text].every((character) => knownAdvance(character, weight) !== undefined);
}

/**
 * A text in at most so many lines of a width, broken between words, and inside of those that are longer than a line.
 * What has no room is cut between characters as readers see them, and ends in `…`. Blank text has no lines.
 */
export function textLines(text: string, style: TextStyle, width: number, most: number): string[] {
  const lines: string[] = [];
  let words = text.split(/\s+/u).filter((word) => word !== '');
  while (words.length > 0 && lines.length < most) {
    if (lines.length === most - 1) return [...lines, cut(words.join(' '), style, width)];
    const { line, rest } = fullLine(words, style, width);
    lines.push(line);
    words = rest;
  }
  return lines;
}

/** One line of text with all of it, or with as much as has room and `…`. */
function cut(text: string, style: TextStyle, width: number): string {
  if (textWidth(text, style) <= width) return text;
  const kept = begin(text, style, width - textWidth('…', style)).trimEnd();
  return `${kept}…`;
}

/** As many whole words as have room; a part of the first where not even that has. */
function fullLine(words: readonly string[], style: TextStyle, width: number) {
  const [first = '', ...others] = words;
  if (textWidth(first, style) > width) {
    const line = begin(first, style, width) || first.slice(0, firstLength(first));
    const remainder = first.slice(line.length);
    return { line, rest: remainder === '' ? others : [remainder, ...others] };
  }
  let line = first;
  let taken = 1;
  for (const word of others) {
    if (textWidth(`${line} ${word}`, style) > width) break;
    line = `${line} ${word}`;
    taken += 1;
  }
  return { line, rest: words.slice(taken) };
}

/** As many whole characters of the beginning as have room. */
function begin(text: string, { size, weight }: TextStyle, width: number): string {
  let taken = 0;
  let room = width;
  for (const { segment, index } of graphemes.segment(text)) {
    room -= graphemeWidth(segment, weight) * size;
    if (room < 0) break;
    taken = index + segment.length;
  }
  return text.slice(0, taken);
}

function firstLength(text: string): number {
  const [first] = graphemes.segment(text);
  return first?.segment.length ?? 0;
}

/** One character as readers see it: a letter with its accents, or a picture of several signs. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What no bundled font has all of comes from another font, as a whole. */
function graphemeWidth(grapheme: string, weight: FontWeight): number {
  let known = 0;
  for (const character of grapheme) {
    const advance = knownAdvance(character, weight);
    if (advance === undefined) return unknownWidth(grapheme);
    known += advance;
  }
  return known;
}

function unknownWidth(grapheme: string): number {
  let [pictures, squares] = [0, 0];
  for (const character of grapheme) {
    if (isPicture.test(character)) pictures += 1;
    else if (!takesNoRoom.test(character)) squares += 1;
  }
  // Several pictures are one where the font has that; letters of one character are drawn into each other.
  return Math.max(1, pictures * pictureWidth + Math.min(squares, 2));
}

/** Each character is one as readers see it. */
const isPlain = /^[ -~]*$/;
/** The width of a picture of a colour font, in font sizes. */
const pictureWidth = 1.4;
const isPicture = /^[\p{Emoji_Presentation}\p{Extended_Pictographic}]$/u;
const joined = /\p{Script=Arabic}|\p{M}|\u200D/u;
/** What is drawn over the letter before it, or not at all. */
const takesNoRoom = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]$/u;
const isNotDrawn = /^\p{Default_Ignorable_Code_Point}$/u;

function knownAdvance(character: string, weight: FontWeight): number | undefined {
  const codePoint = character.codePointAt(0) ?? 0;
  const known = advances[weight];
  if (known.has(codePoint)) return known.get(codePoint);
  const advance = isNotDrawn.test(character) ? 0 : advanceOf(codePoint, weight);
  const moves = advance !== undefined && !takesNoRoom.test(character);
  known.set(codePoint, advance === undefined || moves ? advance : 0);
  return known.get(codePoint);
}

/** Found once for a character: there are not more of them than Unicode has. */
const advances: Readonly<Record<FontWeight, Map<number, number | undefined>>> = {
  400: new Map(),
  600: new Map(),
};
const fonts: Partial<Record<FontWeight, ReturnType<typeof fontAdvances>[]>> = {};

function advanceOf(codePoint: number, weight: FontWeight): number | undefined {
  // Read with the first text: few processes draw any.
  fonts[weight] ??= readBundledFonts(weight).map(fontAdvances);
  for (const advanceIn of fonts[weight]) {
    const advance = advanceIn(codePoint);
    if (advance !== undefined) return advance;
  }
  return undefined;
}
