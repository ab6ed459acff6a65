import { type Html, type HtmlPart, html } from '../../src/kit/html.ts';
import type { Site } from './site.ts';

/** A description: paragraphs apart by an empty line, lists of lines that begin with `- `, and `code`. */
export function prose(text: string, site: Site): Html[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => block !== '')
    .map((block) => {
      const lines = block.split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block, site)}</p>`;
      return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2), site)}</li>`)}</ul>`;
    });
}

/** One line of a description: what stands between backticks is code, and linked where it names something that has a page. */
export function inline(text: string, site: Site): HtmlPart[] {
  return text.split('`').map((part, index, all) => {
    const isClosed = index % 2 === 1 && index < all.length - 1;
    if (isClosed) return linkedCode(part, site);
    return index % 2 === 1 ? `\`${part}` : part;
  });
}

/** Code, as a link where it names an operation or an error. */
export function linkedCode(text: string, site: Site): Html {
  const code = html`<code>${text}</code>`;
  const href = site.hrefOf(text);
  return href === undefined ? code : html`<a href="${href}">${code}</a>`;
}

/** The first letter as a capital, unless the first word is a name such as `nextCursor`; a full stop at the end. */
export function sentence(text: string): string {
  const capital = /^[a-z]+(?![\w`])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?:]$/.test(text) ? capital : `${capital}.`;
}
