import { type CardColors, cardColors, type WantedColors } from '../cards/card-colors.ts';
import { dateFormat } from '../kit/anywhere/formats.ts';
import { Html, type HtmlPart, html } from '../kit/html.ts';
import { languageTag } from '../kit/text/language.ts';
import { wordsIn } from '../locales/languages.ts';
import type { Words } from '../locales/words.ts';
import { kindOf, type StoredImage } from '../passes/pass-row.ts';
import { type Badge, type Badges, badgeFor } from './badges/badges.ts';
import { barcodeSvg } from './barcode-svg.ts';
import { cardDrawing, type DrawnCard, imagesIn, linked, shownFields } from './card-drawing.ts';
import { type PageDocument, pageDocument } from './page-document.ts';
import { cardPageStyle } from './page-style.ts';

type CardWords = Words['card'];

/** Everything that the page of a card shows. */
export interface CardView extends DrawnCard {
  readonly details: string | null;
  readonly terms: string | null;
  /** The shop's newest message to all holders. */
  readonly message: string | null;
  /** The small picture of the pass; null for a drawing of ours. */
  readonly icon: StoredImage | null;
  /** Buttons of the shop's own. */
  readonly actions: readonly { readonly title: string; readonly uri: string }[];
  readonly modules: readonly { readonly header: string; readonly text: string; readonly uri: string }[];
  readonly holderName: string | null;
  readonly expiresAt: Date | null;
  /** BCP 47; the language of the page's own words. */
  readonly reader: string;
  /** Absolute URLs of ours. */
  readonly links: {
    readonly add: string;
    readonly apple: string;
    /** null: Google Wallet is not set up. */
    readonly google: string | null;
    readonly qr: string;
    readonly card: string;
  };
  /** Official artwork that takes the place of our drawing. */
  readonly badges: Badges;
  /** Signed with a development certificate, which phones refuse. */
  readonly development: boolean;
}

export type Platform = 'apple' | 'android' | 'desktop';

/**
 * Where a browser runs, as far as its User-Agent shows. Safari on an iPad calls itself a Mac, as it does on a Mac:
 * both count as desktop, whose page has the Apple button too.
 */
export function platformOf(userAgent: string | undefined): Platform {
  const agent = userAgent ?? '';
  // Windows phones named the other two, to be served their pages.
  if (/Windows Phone|IEMobile/i.test(agent)) return 'desktop';
  if (/\b(iPhone|iPad|iPod|Apple Watch|watchOS)\b/i.test(agent)) return 'apple';
  // The other browsers of an iPad in its desktop mode: they exist on no Mac under these names.
  if (/Macintosh/.test(agent) && /\b(CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo|GSA|Mobile)\//.test(agent))
    return 'apple';
  return /\bAndroid\b/i.test(agent) ? 'android' : 'desktop';
}

/**
 * The "Add to wallet" page of a card: its front, the platform's button first, and what else there is to know.
 * It needs no JavaScript, and loads nothing but the images of the pass.
 */
export function cardPage(view: CardView, platform: Platform): PageDocument {
  const { words: all, language } = wordsIn(view.reader);
  const words = all.card;
  const isUsable = !view.voided && !view.expired;
  const body = html`<main${!isUsable && html` class="${view.voided ? 'voided' : 'expired'}"`}>
${intro(view, words, isUsable)}
${cardBanner(view, words)}
${cardDrawing(view, imagesIn('../images/'))}
${!view.voided && ways(view, platform, words, language)}
${aboutCard(view, words)}
</main>
${!view.voided && html`<footer><p>${words.privacy}</p></footer>`}`;
  return pageDocument({
    title: `${view.title} · ${view.organization}`,
    description: view.details?.slice(0, 200) ?? null,
    language,
    style: cardPageStyle(shownColors(view)),
    ...((hasImages(view) || view.badges.size > 0) && {
      brings: { head: icon(view), policy: "img-src 'self'" },
    }),
    body,
  });
}

/** Browsers that may load images would ask for `/favicon.ico`. */
function icon({ links }: CardView): Html {
  return html`<link rel="icon" type="image/png" sizes="192x192" href="${links.add.split('/').at(-1)}/icons/192.png">`;
}

function hasImages({ images }: DrawnCard): boolean {
  return Object.values(images).some((image) => image !== null);
}

/** The colours that a card is drawn in: one that no till takes is grey, and as readable as any. */
export function shownColors({ voided, expired, colors }: DrawnCard): CardColors {
  return cardColors(voided || expired ? LIFELESS : colors);
}

const LIFELESS: WantedColors = { background: '#5f6368', foreground: '#ffffff', label: '#eceded' };

function intro(view: CardView, words: CardWords, isUsable: boolean): Html {
  return html`<header class="intro">
${view.holderName !== null && html`<p class="hello">${words.hello} <bdi>${view.holderName}</bdi></p>`}
<h1>${isUsable ? words.ready[kindOf(view.type)] : html`<bdi>${view.title}</bdi>`}</h1>
${isUsable && html`<p class="lead">${words.lead}</p>`}
</header>`;
}

/** What is wrong with a card, above its front; false for nothing. */
export function cardBanner(
  { voided, expired, development, organization }: CardView,
  words: CardWords,
): Html | false {
  if (voided) return notice('alert', words.voidedTitle, words.voidedText, organization);
  if (expired) return notice('alert', words.expiredTitle, words.expiredText, organization);
  return development && notice('test', words.testTitle, words.testText, organization);
}

function notice(kind: 'alert' | 'test', title: string, text: string, shop: string): Html {
  return html`<p class="banner ${kind}"><strong>${title}</strong> ${text
    .split('{shop}')
    .map((part, index) => (index === 0 ? part : [html`<bdi>${shop}</bdi>`, part]))}</p>`;
}

/** The ways to keep the card, the one for this device first. */
function ways(view: CardView, platform: Platform, words: CardWords, language: string): HtmlPart {
  const { google, card } = view.links;
  const { toApple, toGoogle } = walletButtons(view, language, '../badges/');
  const toWeb = (look: ButtonLook) => button(card, words.keepWebCard, look, CARD_GLYPH);
  const withoutWallet = html`${others(words.withoutWallet, toWeb('quiet'))}
<p class="hint">${words.webHint}</p>`;
  if (platform === 'apple') {
    return html`<p class="act primary">${toApple('')}</p>
<p class="hint">${words.safariHint}</p>
${google !== null && others(words.otherPhone, toGoogle('quiet'))}
${withoutWallet}`;
  }
  if (platform === 'android') {
    return html`<p class="act primary">${google === null ? toWeb('') : toGoogle('')}</p>
${google === null && html`<p class="hint">${words.webHint}</p>`}
${others(words.otherPhone, toApple('quiet'))}
${google !== null && withoutWallet}`;
  }
  return html`${scan(view, words)}
${others(words.thisComputer, [toApple(''), toGoogle('')])}
${withoutWallet}`;
}

function others(title: string, buttons: HtmlPart): Html {
  return html`<section class="other"><h2>${title}</h2><div class="buttons">${buttons}</div></section>`;
}

function scan({ links }: CardView, words: CardWords): Html {
  return html`<section class="scan">${new Html(barcodeSvg('qr', links.add, { title: words.scanCode }))}
<div><h2>${words.scanTitle}</h2><p>${words.scanText}</p><p><a href="${links.qr}">${words.scanAlone}</a></p></div></section>`;
}

type ButtonLook = '' | 'quiet';

/** The buttons of both wallets: the official artwork in the language of the page, or else a drawing of ours. */
export function walletButtons({ links, badges }: CardView, language: string, folder: string) {
  const { addToApple, addToGoogle } = wordsIn(language).words.card;
  const toWallet = (wallet: 'apple' | 'google', link: string, label: string, look: ButtonLook) => {
    const badge = badgeFor(badges, wallet, language);
    return badge === undefined ? button(link, label, look) : official(badge, link, label, folder);
  };
  return {
    toApple: (look: ButtonLook) => toWallet('apple', links.apple, addToApple, look),
    toGoogle: (look: ButtonLook) =>
      links.google !== null && toWallet('google', links.google, addToGoogle, look),
  };
}

/** The height of the badges is that of our own buttons: both wallets ask for the same height, Google for 48 at least. */
const badgeHeight = 52;

function official(
  { name, version, width, height }: Badge,
  link: string,
  label: string,
  folder: string,
): Html {
  const shown = Math.round((width / height) * badgeHeight);
  return html`<a class="badge" href="${link}"><img src="${folder}${name}?v=${version}" alt="${label}" width="${shown}" height="${badgeHeight}"></a>`;
}

function button(link: string, label: string, look: ButtonLook, glyph = WALLET_GLYPH): Html {
  return html`<a class="button${look === 'quiet' && ' quiet'}" href="${link}">${glyph}<span>${label}</span></a>`;
}

const WALLET_GLYPH = html`<svg viewBox="0 0 28 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><path d="M5 8V5.5A2.5 2.5 0 0 1 7.5 3h13A2.5 2.5 0 0 1 23 5.5V8"/><path d="M2.5 10.5A2.5 2.5 0 0 1 5 8h18a2.5 2.5 0 0 1 2.5 2.5v8A2.5 2.5 0 0 1 23 21H5a2.5 2.5 0 0 1-2.5-2.5z"/><path d="M14 11.5v6M11 14.5h6"/></svg>`;

const CARD_GLYPH = html`<svg viewBox="0 0 28 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true"><rect x="2.5" y="4" width="23" height="16" rx="2.5"/><path d="M2.5 9h23M6.5 15.5h6"/></svg>`;

/** What there is to know about a card besides its front; false for nothing. */
export function aboutCard(view: CardView, words: CardWords): Html | false {
  const language = languageTag(view.locale);
  const facts: readonly (readonly [term: string, text: HtmlPart])[] = [
    [words.message, view.message],
    [words.issuedTo, view.holderName],
    [
      view.expired ? words.expiredOn : words.validUntil,
      // A voided card is not valid until any date.
      view.voided || view.expiresAt === null ? null : moment(view.expiresAt, view.reader),
    ],
    ...shownFields(view.fields, 'back').map(
      ({ label, key, value, uri }) => [label || key, linked(html`${value}`, uri)] as const,
    ),
    ...(view.voided ? [] : view.modules).map(
      ({ header, text, uri }) => [header, linked(html`${text}`, uri)] as const,
    ),
    [words.details, view.details],
    [words.terms, view.terms],
  ];
  const known = facts.filter(([, text]) => text !== null && text !== '');
  const actions = view.voided ? [] : view.actions;
  if (known.length + actions.length === 0) return false;
  const tag = language !== null && html` lang="${language}"`;
  const buttons = actions.map(
    ({ title, uri }) =>
      html`<a class="button quiet" href="${uri}" rel="noreferrer"${tag}><bdi>${title}</bdi></a>`,
  );
  return html`${actions.length > 0 && html`<p class="actions">${buttons}</p>`}
${
  known.length > 0 &&
  html`<section class="about" aria-labelledby="about"><h2 id="about">${words.about}</h2>
<dl>${known.map(([term, text]) => html`<div><dt dir="auto">${term}</dt><dd dir="auto"${tag}>${text}</dd></div>`)}</dl>
</section>`
}`;
}

function moment(time: Date, locale: string | null): Html {
  return html`<time datetime="${time.toISOString()}">${momentText(time, locale)}</time>`;
}

/** In the card's language. No clock of a server is the holder's, so the time is in UTC and says so. */
export function momentText(time: Date, locale: string | null): string {
  const format = dateFormat(languageTag(locale) ?? 'en', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  return format.format(time);
}
