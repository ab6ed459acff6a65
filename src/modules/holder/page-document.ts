import { createHash } from 'node:crypto';
import { Html, html } from '../../kit/html.ts';

export interface DocumentParts {
  readonly title: string;
  /** What a chat shows below the title when the link is shared in it. */
  readonly description: string | null;
  /** BCP 47. */
  readonly language: string;
  /** CSS, trusted: it goes into the document as it is. */
  readonly style: string;
  readonly body: Html;
}

/**
 * A whole document of the holder's pages. Its only resource is its one style element, so a policy of
 * `default-src 'none'; style-src '<styleHash of the style>'` lets everything through that it needs.
 */
export function pageDocument({ title, description, language, style, body }: DocumentParts): string {
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
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
  return page.text;
}

/** The source expression of a style for a content security policy, without its quotes: `sha256-…`. */
export function styleHash(style: string): string {
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}
