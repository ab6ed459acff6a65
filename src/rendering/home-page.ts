import { html } from '../kit/html.ts';
import type { AnswerPage } from '../kit/http/server/exchange.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { pageHeaders } from './link.schema.ts';
import { pageDocument } from './page-document.ts';
import { HOME_PAGE_STYLE } from './page-style.ts';

/** What a browser shows that was sent to the address of the service itself: what this is, and where to go. */
export function homePage(acceptLanguage: string | undefined): AnswerPage {
  const { words, language } = wordsIn(askedLanguage(acceptLanguage));
  const { home } = words.people;
  const page = pageDocument({
    title: 'Punchcard',
    description: null,
    language,
    style: HOME_PAGE_STYLE,
    body: html`<main>
<h1>Punchcard</h1>
<p>${home.lead}</p>
<p>${home.forHolders}</p>
<h2>${home.forDevelopers}</h2>
<nav aria-label="${home.forDevelopers}"><ul>
<li><a href="/docs">${home.reference}</a> <span>${home.referenceText}</span></li>
<li><a href="/openapi.json">${home.openApi}</a> <span>${home.openApiText}</span></li>
<li><a href="/healthz">${home.health}</a> <span>${home.healthText}</span></li>
<li><a href="/readyz">${home.readiness}</a> <span>${home.readinessText}</span></li>
</ul></nav>
</main>`,
  });
  return {
    html: page.html,
    headers: { ...pageHeaders(page.policy), 'cache-control': 'no-store', vary: 'accept-language' },
  };
}
