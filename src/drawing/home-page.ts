import { html } from '../kit/html.ts';
import type { AnswerPage } from '../kit/http/exchange.ts';
import { pageHeaders } from './link.schema.ts';
import { pageDocument } from './page-document.ts';
import { HOME_PAGE_STYLE } from './page-style.ts';

/** What a browser shows that was sent to the address of the service itself: what this is, and where to go. */
export function homePage(): AnswerPage {
  const page = pageDocument({
    title: 'Punchcard',
    description: null,
    language: 'en',
    style: HOME_PAGE_STYLE,
    body: html`<main>
<h1>Punchcard</h1>
<p>This service issues wallet passes and runs loyalty programs. Shops and their tills reach it over its API.</p>
<p>Looking for your card? Open the link in the message that the shop sent you.</p>
<h2>For developers and operators</h2>
<nav aria-label="For developers and operators"><ul>
<li><a href="/docs">API reference</a> <span>every operation, with examples and errors</span></li>
<li><a href="/openapi.json">OpenAPI document</a> <span>the same for tools</span></li>
<li><a href="/healthz">Health</a> <span>whether the process is alive</span></li>
<li><a href="/readyz">Readiness</a> <span>whether it takes requests</span></li>
</ul></nav>
</main>`,
  });
  return { html: page.html, headers: { ...pageHeaders(page.policy), 'cache-control': 'no-store' } };
}
