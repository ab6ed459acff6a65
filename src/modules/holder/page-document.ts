import { createHash } from 'node:crypto';
import { Html, html } from '../../kit/html.ts';

/** A document and what a content security policy must name to let its style through. */
export interface PageDocument {
  readonly html: string;
  /** A source expression without its quotes: `sha256-…`. */
  readonly styleHash: string;
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
}

/** A whole page for holders. It loads nothing and runs nothing, and says so in a content security policy of its own. */
export function pageDocument({ title, description, language, style, body }: DocumentParts): PageDocument {
  const styleHash = styleHashOf(style);
  const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
<title>${title}</title>
<meta property="og:title" content="${title}">
${description !== null && html`<meta property="og:description" content="${description}">`}
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return { html: page.text, styleHash };
}

/** What a content security policy calls a style: a source expression without its quotes. */
function styleHashOf(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}
