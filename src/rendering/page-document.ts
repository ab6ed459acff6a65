import { Html, html, styleHash } from '../kit/html.ts';
import { directionOf } from '../kit/text/language.ts';

/** A document and what a content security policy must name to let its style through. */
export interface PageDocument {
  readonly html: string;
  /** A source expression without its quotes: `sha256-…`. */
  readonly styleHash: string;
  /** What the page may load and run, as it says itself. A header can add who may frame it. */
  readonly policy: string;
}

export interface DocumentParts {
  readonly title: string;
  /** What a chat shows below the title when the link is shared in it; null for nothing. */
  readonly description: string | null;
  /** BCP 47; the language of the page's own words. */
  readonly language: string;
  /** CSS, trusted: it goes into the document as it is. */
  readonly style: string;
  readonly body: Html;
  /** What the page brings besides its style: elements of the head, and the directives that let them through. */
  readonly brings?: { readonly head: Html; readonly policy: string };
  /** Whether its forms may be sent, to where the page came from. */
  readonly hasForm?: boolean;
  /**
   * `same-origin` where its forms have to show where they come from: without a referrer browsers say nothing of it.
   * No other site learns the address either way.
   */
  readonly referrer?: 'no-referrer' | 'same-origin';
}

/**
 * A whole page for holders. By default it loads nothing and runs nothing, and says so in a content security policy of
 * its own.
 */
export function pageDocument(parts: DocumentParts): PageDocument {
  const {
    title,
    description,
    language,
    style,
    body,
    brings,
    hasForm = false,
    referrer = 'no-referrer',
  } = parts;
  const hash = styleHash(style);
  const more = brings === undefined || brings.policy === '' ? '' : `${brings.policy}; `;
  const policy = `default-src 'none'; style-src '${hash}'; ${more}base-uri 'none'; form-action '${hasForm ? 'self' : 'none'}'`;
  const page = html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="referrer" content="${referrer}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>${title}</title>
<meta property="og:title" content="${title}">
${description !== null && html`<meta property="og:description" content="${description}">`}
${brings?.head}
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return { html: page.text, styleHash: hash, policy };
}
