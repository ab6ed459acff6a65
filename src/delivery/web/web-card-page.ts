import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Html, html } from '../../kit/html.ts';
import { wordsIn } from '../../locales/languages.ts';
import type { Words } from '../../locales/words.ts';
import type { IconName } from '../../rendering/drawn-icon.ts';
import { type CardView, shownColors, walletButtons } from '../../rendering/page.ts';
import { type PageDocument, pageDocument } from '../../rendering/page-document.ts';
import { cardStyle } from '../../rendering/page-style.ts';
import type { WebCardState } from './open-web-cards.ts';
import { iconAddress } from './pass-icon.ts';

interface Parts {
  readonly view: CardView;
  readonly state: WebCardState;
  readonly instanceId: string;
  /** What a browser subscribes to pushes with. */
  readonly pushKey: string;
}

/**
 * The page of a web card. All it loads lies next to it, by relative addresses, so that it works behind any proxy and
 * from its offline copy. Without JavaScript it is the card as it was when the page was loaded.
 */
export function webCardPage({ view, state, instanceId, pushKey }: Parts): PageDocument {
  const { words: all, language } = wordsIn(view.reader);
  const words = all.webCard;
  const { toApple, toGoogle } = walletButtons(besidePage(view), language, '../../badges/');
  return pageDocument({
    title: state.name,
    description: null,
    language: state.language,
    style: cardStyle(shownColors(view), WEB_CARD_LAYOUT),
    brings: { head: head(view, state), policy },
    body: html`<main data-version="${state.version}" data-at="${state.at}" data-card="${nameOf(instanceId)}" data-push-key="${pushKey}">
<div id="face">${new Html(state.face)}</div>
<p class="status" id="status" role="status" data-live="${words.live}" data-offline="${words.offline}" hidden>${words.connecting}</p>
<p class="unseen" id="news" role="status"></p>
<noscript><p class="status">${words.withoutScript}</p></noscript>
${keep(words)}
${take(view, words)}
${!view.voided && html`<div class="buttons">${toApple('quiet')}${toGoogle('quiet')}</div>`}
<div id="more">${new Html(state.about)}</div>
</main>
<footer><p><a href="../${view.links.add.split('/').at(-1)}">${words.otherWallets}</a></p><p>${words.privacy}</p></footer>`,
  });
}

/** The same with addresses as the page sees them. */
function besidePage(view: CardView): CardView {
  const google = view.links.google === null ? null : 'google';
  return { ...view, links: { ...view.links, apple: 'apple.pkpass', google } };
}

/** Everything comes from where the page came from. */
const policy =
  "script-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; worker-src 'self'";

function head(view: CardView, { theme }: WebCardState): Html {
  return html`<meta name="theme-color" content="${theme['--card']}">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="${view.title}">
<link rel="manifest" href="card.webmanifest">
<link rel="icon" type="image/png" sizes="192x192" href="${iconAddress(view, '192.png')}">
<link rel="apple-touch-icon" href="${iconAddress(view, '180.png')}">
${scriptNames.slice(1).map((name) => html`<link rel="modulepreload" href="scripts/${name}">`)}
<script type="module" src="scripts/${scriptNames[0]}"></script>`;
}

/** What takes the card elsewhere: a picture, and where the browser can share, that. */
function take({ title }: CardView, words: Words['webCard']): Html {
  return html`<p class="take"><a class="button quiet" href="picture.png" download="${fileName(title)}">${words.savePicture}</a>
<button type="button" class="button quiet" id="share" hidden>${words.share}</button></p>`;
}

/** A title as the name of a file, in any script. */
function fileName(title: string): string {
  return `${title.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || 'card'}.png`;
}

/** What helps to keep the card. The script shows what this browser can do. */
function keep(words: Words['webCard']): Html {
  return html`<section class="keep" id="keep" aria-labelledby="keep-title" hidden><h2 id="keep-title">${words.keep}</h2>
<div id="installing" hidden><p data-platform="apple" hidden>${words.installOnApple}</p>
<p data-platform="android" hidden>${words.installOnAndroid}</p>
<p data-platform="desktop" hidden>${words.installOnDesktop}</p>
<button type="button" class="button" id="install" hidden>${words.install}</button></div>
<div id="notifying" hidden><button type="button" class="button quiet" id="notify" data-allow="${words.allow}" data-stop="${words.stop}">${words.allow}</button>
<p id="notified" role="status" data-allowed="${words.allowed}" data-stopped="${words.stopped}" data-blocked="${words.blocked}" data-impossible="${words.impossible}"></p></div>
</section>`;
}

/** Names the card in the browser's own storage, without what opens it. */
function nameOf(instanceId: string): string {
  return createHash('sha256').update(`web card ${instanceId}`).digest('base64url').slice(0, 16);
}

/** How the web card's page lays out what it shows: on a phone, on a desktop, on paper. Colours are set elsewhere. */
const WEB_CARD_LAYOUT = `
body { background-image: linear-gradient(color-mix(in srgb, var(--card) 9%, transparent), transparent 24rem);
  background-repeat: no-repeat; min-height: 100vh; }
main { padding-top: max(1.25rem, env(safe-area-inset-top)); }
[hidden] { display: none !important; }
.banner { margin-bottom: 1.25rem; padding: .875rem 1rem; border-radius: .75rem; font-size: .9375rem; background: var(--alert);
  color: var(--alert-ink); }
.banner strong { display: block; }
.status { display: flex; width: fit-content; max-width: 100%; gap: .5rem; align-items: center; margin: 1.125rem auto 0;
  padding: .25rem .75rem; border-radius: 1rem; color: var(--soft); font-size: .875rem; text-wrap: balance; }
.status::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--soft); }
.status.live::before { background: #16a34a; }
.status.offline { background: var(--note); color: var(--note-ink); }
.status.offline::before { background: none; border: 2px solid; }
.take { display: flex; flex-wrap: wrap; gap: .625rem; margin-top: 1.25rem; }
.take .button { flex: 1 1 10rem; width: auto; }
.buttons { display: grid; gap: .625rem; margin-top: .625rem; }
.keep { margin-top: 1.25rem; padding: 1.125rem 1.125rem 1.25rem; border-radius: 1rem; background: var(--raised);
  border: 1px solid var(--line); }
.keep h2 { font-size: 1rem; font-weight: 600; }
.keep p { margin-top: .25rem; color: var(--soft); font-size: .9375rem; }
.keep p:empty { margin: 0; }
.keep .button { width: 100%; margin-top: .75rem; font-family: inherit; cursor: pointer; }
.about { margin-top: 1.75rem; }
.about h2 { font-size: 1.125rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
.about dl > div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.about dt { color: var(--soft); font-size: .875rem; }
.about dd { white-space: pre-line; }
.about dt, .about dd { text-align: match-parent; }
.changed { border-radius: .25rem; outline: 2px solid currentColor; outline-offset: .25rem; }
.live-card .card-frame { animation: none; }
footer { padding-top: 1.5rem; padding-bottom: max(2rem, env(safe-area-inset-bottom)); color: var(--soft); font-size: .8125rem; }
footer p + p { margin-top: .5rem; }
@media (min-width: 56rem) {
  main { max-width: 58rem; padding-top: 3.5rem; display: grid; column-gap: 4.5rem; align-content: start;
    grid-template-columns: 23.5rem minmax(0, 1fr); grid-template-rows: auto auto auto auto 1fr; }
  #face { grid-row: 1 / -1; }
  main > * { grid-column: 2; }
  main > #face { grid-column: 1; }
  .status { margin: 0; padding-inline: 0; }
  .status.offline { padding-inline: .75rem; }
  .about { margin-top: 1.5rem; }
  .about dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 1.25rem; }
  .about dt { padding-top: .0625rem; }
  footer { max-width: 58rem; padding-top: 3rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .changed { animation: settle 3s ease-out both; }
  @keyframes settle { 0%, 50% { outline-color: currentColor; } 100% { outline-color: transparent; } }
}
@page { margin: 16mm; }
@media print {
  :root { --paper: #ffffff; --raised: #ffffff; --ink: #000000; --soft: #404040; --line: #bdbdbd; --alert: #ffffff;
    --alert-ink: #000000; }
  body { background: none; min-height: 0; font-size: 11pt; }
  main { display: block; max-width: none; padding: 0; }
  .status, .take, .buttons, .actions, .keep, footer, noscript { display: none; }
  .banner { border: 1px solid; }
  main .card-frame { width: 100mm; max-width: 100%; filter: none; animation: none; break-inside: avoid; }
  main .card { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main .code.qr svg, main .code.aztec svg { width: 50mm; }
  main .code.linear svg { height: 22mm; }
  .changed { outline: none; animation: none; }
  .about { max-width: 150mm; break-inside: avoid; }
}
`;

/** The first of them imports the others. */
export const scriptNames = ['live-card.js', 'draw-card.js', 'keep-card.js', 'page-parts.js'] as const;

/** The scripts of the web card's page, by name. */
export const pageScripts = new Map(scriptNames.map((name) => [name, read(name)]));
/** The service worker of an installed web card. */
export const workerScript = read('sw.js');

/** As they stand: browsers run what is written here. */
function read(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}

/** The card as an app of its own (W3C, "Web Application Manifest"). Addresses are relative to the manifest's own. */
export function webCardManifest(view: CardView): Record<string, unknown> {
  const { background } = shownColors(view);
  const icon = (name: IconName, sizes: string, purpose: string) => ({
    src: iconAddress(view, name),
    type: 'image/png',
    sizes,
    purpose,
  });
  return {
    id: 'card',
    name: `${view.title} · ${view.organization}`,
    short_name: view.title,
    lang: wordsIn(view.reader).language,
    start_url: 'card',
    scope: './',
    display: 'standalone',
    background_color: background,
    theme_color: background,
    icons: [
      icon('192.png', '192x192', 'any'),
      icon('512.png', '512x512', 'any'),
      icon('maskable.png', '512x512', 'maskable'),
    ],
  };
}
