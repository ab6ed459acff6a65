import { html } from '../kit/html.ts';
import type { AnswerPage } from '../kit/http/server/exchange.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { pageHeaders } from './link.schema.ts';
import { pageDocument } from './page-document.ts';
import { HOME_PAGE_STYLE } from './page-style.ts';

/** What a browser shows that was sent to the address of the service itself: what this is, and where to go; the doors are those of people who work with it. */
export function homePage(acceptLanguage: string | undefined, hasConsole: boolean): AnswerPage {
  const { words, language } = wordsIn(askedLanguage(acceptLanguage));
  const { home, signIn } = words.people;
  const page = pageDocument({
    title: 'Punchcard',
    description: null,
    language,
    style: HOME_PAGE_STYLE,
    body: html`<main>
<h1>Punchcard</h1>
<p>${home.lead}</p>
${
  hasConsole &&
  html`<p class="doors"><a class="button" href="/console">${signIn.title}</a>
<a class="button quiet" href="/scan">${home.scanner}</a></p>`
}
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
