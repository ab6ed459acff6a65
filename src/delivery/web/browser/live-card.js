/** The web card in a browser: follows every change, and says when it cannot. */
import { shownState, showState } from './draw-card.js';
import { forgetCopy, keepCopy, offerToKeep, offerToShare } from './keep-card.js';
import { element, page, say, viewer } from './page-parts.js';

/** Beats come every 15 seconds: after so long without one the connection is dead, whatever the browser believes. */
const silenceMs = 40_000;
/** A connection that is back by then was not worth a word. */
const blinkMs = 3_000;
const longestPauseMs = 60_000;

const line = element('#status');

/** @type {EventSource | null} */
let source = null;
/** When the service was heard last: until then, what is shown was true. 0 for not yet. */
let heardAt = 0;
let connectedAt = 0;
let refusals = 0;
/** @type {number | undefined} */
let retryTimer;
/** @type {number | undefined} */
let offlineTimer;

line.hidden = false;
connect();
offerToKeep(keepShown);
offerToShare();
window.addEventListener('online', connect);
window.addEventListener('offline', disconnect);
window.addEventListener('pagehide', leave);
window.addEventListener('pageshow', (event) => event.persisted && connect());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') reconnectIfSilent();
  else keepShown();
});
setInterval(reconnectIfSilent, 5_000);

/** Listens to the card, anew if it did already. */
function connect() {
  source?.close();
  clearTimeout(retryTimer);
  connectedAt = Date.now();
  const opened = new EventSource(`card/events?viewer=${viewer}`);
  source = opened;
  opened.addEventListener('open', sayLive);
  opened.addEventListener('beat', sayLive);
  opened.addEventListener('card', (event) => {
    sayLive();
    showState(JSON.parse(event.data));
    keepShown();
  });
  opened.addEventListener('gone', leaveIfGone);
  opened.addEventListener('error', () => lose(opened));
}

/** The network has gone, as the browser says. It may be wrong, so the connection is tried again all the same. */
function disconnect() {
  source?.close();
  if (source !== null) lose(source);
}

/** @param {EventSource} lost */
function lose(lost) {
  if (lost !== source) return;
  offlineTimer ??= setTimeout(sayOffline, heardAt === 0 || !navigator.onLine ? 0 : blinkMs);
  // The browser comes back by itself after a broken connection, and never after a refusal.
  if (lost.readyState !== EventSource.CLOSED) return;
  refusals += 1;
  const pauseMs = Math.min(1_000 * 2 ** refusals, longestPauseMs);
  retryTimer = setTimeout(connect, pauseMs * (0.5 + Math.random()));
  if (navigator.onLine) void leaveIfGone();
}

/** A network that went away without a word: a phone that was in a pocket does not know that its connection is dead. */
function reconnectIfSilent() {
  if (document.visibilityState !== 'visible' || heardAt === 0) return;
  if (Date.now() - Math.max(heardAt, connectedAt) < silenceMs) return;
  offlineTimer ??= setTimeout(sayOffline, blinkMs);
  connect();
}

function leave() {
  keepShown();
  source?.close();
  source = null;
}

function sayLive() {
  heardAt = Date.now();
  refusals = 0;
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  line.classList.remove('offline');
  line.classList.add('live');
  say(line, line.dataset.live);
}

async function sayOffline() {
  offlineTimer = undefined;
  if (heardAt > 0) keepShown();
  else await showCopy();
  // The service may have been heard in the meantime.
  if (source?.readyState === EventSource.OPEN) return;
  const at = heardAt > 0 ? new Date(heardAt) : new Date(shownState()?.at ?? page.dataset.at ?? Date.now());
  line.classList.remove('live');
  line.classList.add('offline');
  say(line, line.dataset.offline?.replace('{time}', momentText(at)));
}

/**
 * In the language of the page, and in the way that is usual where the browser is.
 *
 * @param {Date} time
 */
function momentText(time) {
  const { lang } = document.documentElement;
  const [language] = lang.split('-');
  const here = navigator.languages.find((one) => one.split('-')[0] === language) ?? lang;
  return new Intl.DateTimeFormat(here, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** What the service worker keeps may be newer than the page that it kept. */
async function showCopy() {
  const response = await fetch('card/state').catch(() => null);
  if (response?.ok && heardAt === 0) showState(await response.json());
}

function keepShown() {
  const state = shownState();
  if (state !== null) keepCopy({ ...state, at: heardAt > 0 ? new Date(heardAt).toISOString() : state.at });
}

/** The service knows the card no longer, and says so itself: nor shall this browser. */
async function leaveIfGone() {
  const response = await fetch('card/state', { cache: 'no-store' }).catch(() => null);
  const answer = response?.status === 404 ? await response.json().catch(() => null) : null;
  if (answer?.code !== 'instance_not_found') return;
  source?.close();
  source = null;
  await forgetCopy();
  location.reload();
}
