import { Marked, type Tokens } from 'marked';
import { escapeHtml, Html, html } from '../../src/kit/html.ts';
import { linkedCode } from './prose.ts';
import { highlighted } from './samples/languages.ts';
import { type Guide, ROOT, type Site, slug } from './site.ts';

/** A heading that can be linked to. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** A guide from its file, whose text begins with a title and a paragraph. */
export function guideOf(name: string, markdown: string): Guide {
  const [, title, summary] = /^# (.+)\n\n([^\n]+(?:\n[^\n]+)*)\n/.exec(markdown) ?? [];
  if (title === undefined || summary === undefined)
    throw new Error(`the guide ${name} does not begin with a title and a paragraph`);
  return { name, title, summary: summary.replaceAll('\n', ' '), markdown };
}

export function guideHref({ name }: Guide): string {
  return `${ROOT}/${name}`;
}

/** The headings of the second level. */
export function headingsOf({ markdown }: Guide): Heading[] {
  const withoutCode = markdown.replaceAll(/^```.*?^```/gms, '');
  return [...withoutCode.matchAll(/^## (.+)$/gm)].map(([, text = '']) => ({
    id: slug(text),
    text: withoutBackticks(text),
  }));
}

/**
 * The text of a guide. What stands between backticks is linked where it names an operation or an error; links to other
 * guides and documents, which lead to files where the Markdown is read as such, lead to their pages.
 */
export function guideText({ markdown }: Guide, site: Site): Html {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const id = slug(text);
        return `<h${depth} id="${id}"><a href="#${id}">${unlinked(inner)}</a></h${depth}>\n`;
      },
      codespan: ({ text }: Tokens.Codespan): string => linkedCode(text, site).text,
      code: ({ text, lang = '' }: Tokens.Code): string =>
        html`<pre tabindex="0" role="group" aria-label="${lang === '' ? 'Text' : lang}"><code>${highlighted(text, false)}</code></pre>\n`
          .text,
      link({ href, tokens }: Tokens.Link): string {
        const inside = unlinked(this.parser.parseInline(tokens));
        return `<a href="${escapeHtml(pageOf(href))}">${inside}</a>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => escapeHtml(text),
      image: ({ text }: Tokens.Image): string => escapeHtml(text),
    },
  });
  const text = marked.parse(markdown, { async: false });
  return new Html(
    text
      .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replaceAll('</table>', '</table></div>'),
  );
}

/** Files next to the guides and their pages: `till.md#undo` → `/docs/till#undo`. */
function pageOf(href: string): string {
  const file = /^(?:\.\.\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  if (file === null) return href;
  const [, name = '', anchor = ''] = file;
  if (!href.startsWith('../')) return `${ROOT}/${name}${anchor}`;
  return name === 'ERRORS' ? `${ROOT}/errors${anchor}` : ROOT;
}

/** Removes links from text that is itself a link. */
function unlinked(markup: string): string {
  return markup.replaceAll(/<\/?a\b[^>]*>/g, '');
}

/** Markdown of one line where code cannot be marked. */
export function withoutBackticks(text: string): string {
  return text.replaceAll('`', '');
}
