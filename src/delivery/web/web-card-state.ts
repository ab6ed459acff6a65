import { html } from '../../kit/html.ts';
import { contentTag } from '../../kit/http/endpoints/headers.ts';
import { wordsIn } from '../../locales/languages.ts';
import type { Words } from '../../locales/words.ts';
import { cardDrawing, imagesIn } from '../../rendering/card-drawing.ts';
import { aboutCard, type CardView, cardBanner, momentText, shownColors } from '../../rendering/page.ts';
import { cardTheme } from '../../rendering/page-style.ts';
import type { WebCardState } from './open-web-cards.ts';

/** Draws a card as it is at this moment. Equal views give equal versions. */
export function webCardState(view: CardView, now: Date): WebCardState {
  const { words, language } = wordsIn(view.reader);
  const own = words.webCard;
  const shown = {
    language,
    name: `${view.title} · ${view.organization}`,
    theme: cardTheme(shownColors(view)),
    face: html`<h1 class="unseen">${view.title} · ${view.organization}</h1>
${cardBanner({ ...view, development: false }, words.card)}
${cardDrawing(view, imagesIn('../../images/'))}`.text,
    about: html`${aboutCard(view, words.card)}`.text,
    facts: factsOf(view, own),
    changed: own.changed,
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
