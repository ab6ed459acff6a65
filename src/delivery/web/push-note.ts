import { contentTag } from '../../kit/http/endpoints/headers.ts';
import type { CardView } from '../../rendering/page.ts';
import type { PushSubscription } from '../../wallet/web/push-encryption.ts';
import { cardNews } from './web-card-state.ts';

/** What a browser knows of a card: a hash of each fact, by its key. */
export type Said = Readonly<Record<string, string>>;

/** Where a browser takes pushes, and what it knows of the card; null: nothing. */
export interface Subscription extends PushSubscription {
  readonly said: Said | null;
}

/** As long as the notes of the service worker. With the name of a card and its address, a push is then below 3,000 bytes. */
const longestNote = 240;

/** What a browser knows that shows this card. */
export function saidBy(view: CardView): Said {
  return saidIn(cardNews(view).facts);
}

/**
 * A declarative push message (W3C, Push API) that says how a card differs from what a browser knows, and what it knows by that. Where
 * the card's service worker runs it says so itself (`mutable`), and keeps the newest state; where it does not, the browser shows this.
 */
export function pushNote(view: CardView, known: Said | null): { message: string; said: Said } {
  const { language, name, facts, changed } = cardNews(view);
  const said = saidIn(facts);
  const news = Object.entries(facts).filter(([key]) => known !== null && known[key] !== said[key]);
  const message = JSON.stringify({
    web_push: 8030,
    mutable: true,
    notification: {
      title: name,
      body: (news.map(([, fact]) => fact).join('\n') || changed).slice(0, longestNote),
      navigate: view.links.card,
      icon: `${view.links.add}/icons/192.png`,
      lang: language,
      tag: 'card',
    },
  });
  return { message, said };
}

function saidIn(facts: Readonly<Record<string, string>>): Said {
  return Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, contentTag(fact)]));
}
