import { html } from '../../kit/html.ts';
import { contentTag } from '../../kit/http/endpoints/headers.ts';
import { wordsIn } from '../../locales/languages.ts';
import type { Words } from '../../locales/words.ts';
import { cardDrawing, imagesIn } from '../../rendering/card-drawing.ts';
import { aboutCard, type CardView, cardBanner, momentText, shownColors } from '../../rendering/page.ts';
import { cardTheme } from '../../rendering/page-style.ts';
import type { WebCardState } from './open-web-cards.ts';

/** What can be said about changes of a card. */
export type CardNews = Pick<WebCardState, 'language' | 'name' | 'facts' | 'changed'>;

/** The same as a page or a push has it, in the language of the card. */
export function cardNews(view: CardView): CardNews {
  const { words, language } = wordsIn(view.reader);
  const name = `${view.title} · ${view.organization}`;
  return { language, name, facts: factsOf(view, words.webCard), changed: words.webCard.changed };
}

/** Draws a card as it is at this moment. Equal views give equal versions. */
export function webCardState(view: CardView, now: Date): WebCardState {
  const { words } = wordsIn(view.reader);
  const { language, name, facts, changed } = cardNews(view);
  const shown = {
    language,
    name,
    theme: cardTheme(shownColors(view)),
    face: html`<h1 class="unseen">${name}</h1>
${cardBanner({ ...view, development: false }, words.card)}
${cardDrawing(view, imagesIn('../../images/'))}`.text,
    about: html`${aboutCard(view, words.card)}`.text,
    facts,
    changed,
  };
  const willExpire = view.expiresAt !== null && !view.expired;
  return {
    ...shown,
    version: contentTag(JSON.stringify(shown)),
    at: now.toISOString(),
    changesAt: willExpire ? (view.expiresAt?.toISOString() ?? null) : null,
  };
}

/** The shop writes with each field how a change of it is announced; without that, its label says what has changed. */
function factsOf(view: CardView, own: Words['webCard']): Record<string, string> {
  const words = wordsIn(view.reader).words.card;
  const facts: Record<string, string> = {};
  for (const { key, label, value, changeMessage } of view.fields) {
    const isEmpty = value === null || value === '';
    facts[`field ${key}`] =
      changeMessage && !isEmpty
        ? changeMessage.replaceAll('%@', () => value)
        : `${label || key}: ${isEmpty ? '–' : value}`;
  }
  facts.status = view.voided ? words.voidedTitle : view.expired ? words.expiredTitle : own.validAgain;
  if (view.expiresAt !== null && !view.expired && !view.voided)
    facts.expiry = `${words.validUntil} ${momentText(view.expiresAt, view.reader)}`;
  if (view.message !== null) facts.message = view.message;
  return facts;
}
