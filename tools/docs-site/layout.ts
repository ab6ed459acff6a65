import { Html, type HtmlPart, html, styleHash } from '../../src/kit/html.ts';
import { guideHref } from './guide.ts';
import { groupHref, operationHref, operationsOf, ROOT, type Site } from './site.ts';
import { STYLE } from './style.ts';

export interface PageParts {
  readonly title: string;
  /** The page's address, to mark it in the contents. */
  readonly href: string;
  /** The group whose operations the contents name. */
  readonly tag?: string;
  readonly main: HtmlPart;
  /** How wide the page may be: as prose, or with room for a second column. */
  readonly width: 'prose' | 'wide';
  /** The text in the search field. */
  readonly query?: string;
}

/** Style from the page itself, a form that asks this service, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src '${styleHash(STYLE)}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** A whole page: no script, no request to anywhere, readable on a phone, in light and dark. */
export function layout(site: Site, parts: PageParts): string {
  const { title: name } = site.document.info;
  const { title, main, width, query = '' } = parts;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === name ? `${name} documentation` : `${title} – ${name}`}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="${ROOT}">${name}<span> docs</span></a>
<form role="search" action="${ROOT}/search"><input type="search" name="q" value="${query}" maxlength="200" autocomplete="off" aria-label="Search" placeholder="Search"><button>Search</button></form>
<a class="menu" href="#contents">Menu</a>
</header>
<div class="frame">
${contents(site, parts)}
<main id="content" class="${width}">
${main}
</main>
</div>
</body>
</html>
`.text;
}

function contents(site: Site, { href: current, tag: currentTag }: PageParts): Html {
  const item = (href: string, text: HtmlPart) =>
    html`<li><a href="${href}"${href === current && new Html(' aria-current="page"')}>${text}</a></li>`;
  const groups = site.document.tags.map(({ name }) => {
    const operations = name === currentTag ? operationsOf(site, name) : [];
    const inner = operations.map(({ method, operation }) =>
      item(operationHref(operation), html`<span>${operation.summary}</span> ${verb(method)}`),
    );
    return html`${item(groupHref(name), name)}${inner.length > 0 && html`<li><ul class="inner">${inner}</ul></li>`}`;
  });
  return html`<nav id="contents" aria-label="Contents">
<a class="close" href="#content">Close</a>
<p class="title" id="nav-guides">Guides</p>
<ul aria-labelledby="nav-guides">${item(ROOT, 'Start')}${site.guides.map((guide) => item(guideHref(guide), guide.title))}</ul>
<p class="title" id="nav-reference">Reference</p>
<ul aria-labelledby="nav-reference">${groups}${item(`${ROOT}/errors`, 'Errors')}</ul>
</nav>`;
}

/** The method as a badge. */
export function verb(method: string): Html {
  return html`<span class="verb ${method.toLowerCase()}">${method}</span>`;
}

/** A path that may be broken before each slash, its parameters marked. */
export function pathParts(path: string): Html[] {
  return path.split(/(?=\/)|(\{\w+\})/).flatMap((part = '') => {
    if (part.startsWith('{')) return [html`<span class="hole">${part}</span>`];
    return part === '' ? [] : [html`<wbr>${part}`];
  });
}
