import { html } from '../../kit/html.ts';
import { type PageDocument, pageDocument } from '../holder/page-document.ts';
import { QUESTION_PAGE_STYLE } from '../holder/page-style.ts';
import { inLanguageOf } from '../holder/page-words.ts';
import { filledHtml, filledText } from './fill-words.ts';
import { inviteLanguages } from './invite-words.ts';

/** The page that asks whether a shop is to write no more, or says that it will not. Only its button changes anything. */
export function unsubscribePage(invite: {
  readonly organization: string;
  readonly locale: string | null;
  readonly workspaceLocale: string;
  readonly isSuppressed: boolean;
}): PageDocument {
  const { words, language } = inLanguageOf(invite.locale ?? invite.workspaceLocale, inviteLanguages);
  const shop = { shop: invite.organization };
  const [title, text] = invite.isSuppressed
    ? [words.endedTitle, words.endedText]
    : [words.endTitle, words.endText];
  return pageDocument({
    title: filledText(title, shop),
    description: null,
    language,
    style: QUESTION_PAGE_STYLE,
    hasForm: true,
    body: html`<main>
<h1>${filledHtml(title, shop)}</h1>
<p>${filledHtml(text, shop)}</p>
${!invite.isSuppressed && html`<form method="post"><button class="button">${words.end}</button></form>`}
</main>`,
  });
}
