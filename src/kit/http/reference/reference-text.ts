import { type Html, type HtmlPart, html } from '../../html.ts';

/** A description: paragraphs apart by an empty line, lists of lines that begin with `- `, and `code`. */
export function prose(text: string): Html[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block)}</p>`;
      return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`;
    });
}

/** One line of a description: what stands between backticks is code. */
export function inline(text: string): HtmlPart[] {
  return text.split('`').map((part, index, all) => {
    const closed = index % 2 === 1 && index < all.length - 1;
    if (closed) return html`<code>${part}</code>`;
    return index % 2 === 1 ? `\`${part}` : part;
  });
}

/** A heading's words as an anchor. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
