import { type Html, html } from '../kit/html.ts';
import type { DocumentParts } from './page-document.ts';
import { type Brand, logoSize } from './shop-brand.ts';

/** The shop that a page is about, above its heading: its logo, or its name. `brandedStyle` has its colours. */
export function shopSign({ shop, logo }: Brand): Html {
  if (logo === null) return html`<p class="shop"><bdi>${shop}</bdi></p>`;
  const { width, height } = logoSize(logo);
  return html`<p class="shop"><img src="${logo.url}" alt="${shop}" width="${width}" height="${height}"></p>`;
}

/** What lets the logo through. Browsers that may load images would ask for `/favicon.ico`. */
export function bringsLogo({ logo }: Brand): Pick<DocumentParts, 'brings'> {
  if (logo === null) return {};
  return {
    brings: { head: html`<link rel="icon" type="image/png" href="${logo.url}">`, policy: "img-src 'self'" },
  };
}
