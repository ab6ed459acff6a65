import { createHash } from 'node:crypto';
import { Html, html } from '../../kit/html.ts';
import { type CardView, shownColors } from '../holder/page.ts';
import { type PageDocument, pageDocument } from '../holder/page-document.ts';
import { cardStyle } from '../holder/page-style.ts';
import { inLanguageOf } from '../holder/page-words.ts';
import { scriptNames } from './browser-scripts.ts';
import type { WebCardState } from './open-web-cards.ts';
import { iconAddress } from './pass-icon.ts';
import { WEB_CARD_LAYOUT } from './web-card-style.ts';
import { type WebCardWords, webCardWords } from './web-card-words.ts';

interface Parts {
  readonly view: CardView;
  readonly state: WebCardState;
  readonly instanceId: string;
  /** What a browser subscribes to pushes with. */
  readonly pushKey: string;
}

/**
 * The page of a web card. All it loads lies beside it, by relative addresses, so that it works behind any proxy and
 * from its offline copy. Without JavaScript it is the card as it was when the page was loaded.
 */
export function webCardPage({ view, state, instanceId, pushKey }: Parts): PageDocument {
  const { words } = inLanguageOf(view.locale, webCardWords);
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
<div id="more">${new Html(state.about)}</div>
</main>
<footer><p><a href="../${view.links.add.split('/').at(-1)}">${words.otherWallets}</a></p><p>${words.privacy}</p></footer>`,
  });
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

/** What helps to keep the card. The script shows what this browser can do. */
function keep(words: WebCardWords): Html {
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
