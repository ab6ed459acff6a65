import { html } from '../../kit/html.ts';
import { pageDocument } from './page-document.ts';
import { ERROR_PAGE_STYLE } from './page-style.ts';

/** What a shopper is told instead of an error body. */
interface Advice {
  readonly title: string;
  /** What happened, and what to do. */
  readonly text: readonly string[];
}

/**
 * The page that stands for an error's body where a shopper would read it. It says what to do next; of a failure
 * on our side it says nothing else, whatever its message holds.
 */
export function errorPage(
  error: { readonly status: number; readonly code: string; readonly message: string },
  requestId: string,
): string {
  const { title, text } = adviceFor(error);
  return pageDocument({
    title,
    description: null,
    language: 'en',
    style: ERROR_PAGE_STYLE,
    body: html`<main>
<svg class="sign" viewBox="0 0 80 56" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="M30 50H10a6 6 0 0 1-6-6V12a6 6 0 0 1 6-6h30l-5 12 9 9-9 9z"/><path d="M50 6h20a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H45l5-14-9-9 9-9z"/><path d="M12 40h10M12 33h14"/></svg>
<h1>${title}</h1>
${text.map((paragraph) => html`<p dir="auto">${paragraph}</p>`)}
<p class="reference">If you ask for help, give this number: <code>${requestId}</code></p>
</main>`,
  }).html;
}
