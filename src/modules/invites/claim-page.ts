import { html } from '../../kit/html.ts';
import { cardDrawing } from '../holder/card-drawing.ts';
import { type CardView, shownColors } from '../holder/page.ts';
import { type DocumentParts, type PageDocument, pageDocument } from '../holder/page-document.ts';
import { cardPageStyle } from '../holder/page-style.ts';
import { inLanguageOf } from '../holder/page-words.ts';
import { filledHtml } from './fill-words.ts';
import { inviteLanguages, kindOf } from './invite-words.ts';

/**
 * The page that an invitation leads to: the card as it will be, and one button. To look at it changes nothing, since the
 * programs that look after mail follow links too.
 */
export function claimPage(view: CardView, person: { name: string | null; hasCard: boolean }): PageDocument {
  const { words, language } = inLanguageOf(view.locale, inviteLanguages);
  const kind = kindOf(view.type);
  const { name, hasCard } = person;
  return pageDocument({
    title: `${view.title} · ${view.organization}`,
    description: view.details?.slice(0, 200) ?? null,
    language,
    // The colours at the top end on a short page as they do on a long one.
    style: `${cardPageStyle(shownColors(view))}html { min-height: 100vh; }\n`,
    ...bringsImages(view),
    hasForm: true,
    body: html`<main>
<header class="intro">
${name !== null && html`<p class="hello">${filledHtml(words.hello, { name })}</p>`}
<h1>${hasCard ? words.haveTitle : words.waiting[kind]}</h1>
<p class="lead">${hasCard ? words.haveLead : words.claimLead}</p>
</header>
${cardDrawing(view, '../images/')}
<form class="act primary" method="post"><button class="button">${hasCard ? words.open : words.take[kind]}</button></form>
</main>`,
  });
}

/** A page that may load images is asked for an icon too: one of its own images, since there is no other. */
function bringsImages({ icon, images }: CardView): Pick<DocumentParts, 'brings'> {
  const [image] = [icon, ...Object.values(images)].filter((one) => one !== null);
  if (image === undefined) return {};
  const head = html`<link rel="icon" type="image/png" href="../images/${image.hash}.png">`;
  return { brings: { head, policy: "img-src 'self'" } };
}
