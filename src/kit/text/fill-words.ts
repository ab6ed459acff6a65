import { type Html, type HtmlPart, html } from '../html.ts';

/** Values for the placeholders of a sentence, `{like}` this. */
export type Names = Readonly<Record<string, string>>;

/** A sentence with its names, as plain text. */
export function filledText(sentence: string, names: Names): string {
  return pieces(sentence)
    .map((piece, at) => (at % 2 === 0 ? piece : plainName(names[piece] ?? '')))
    .join('');
}

/** The same for a page or a mail: each name keeps its own direction and changes nothing around it. */
export function filledHtml(sentence: string, names: Names): Html {
  const parts: HtmlPart[] = pieces(sentence).map((piece, at) =>
    at % 2 === 0 ? piece : html`<bdi>${plainName(names[piece] ?? '')}</bdi>`,
  );
  return html`${parts}`;
}

/** One line, without what would turn the rest of it around. */
function plainName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}

/** Text and names in turn. */
function pieces(sentence: string): string[] {
  return sentence.split(/\{(\w+)\}/);
}
