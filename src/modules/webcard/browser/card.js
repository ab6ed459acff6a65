/**
 * The web card in a browser: follows every change, says what has changed, keeps the card for times without a network,
 * and offers to install it. It is sent as it stands and loads nothing else.
 *
 * @typedef {object} State What the card shows, as the service draws it.
 * @property {string} version
 * @property {string} at
 * @property {string} language
 * @property {string} name
 * @property {Record<string, string>} theme
 * @property {string} face
 * @property {string} about
 * @property {Record<string, string>} facts
 * @property {string} changed
 */

/** Beats come every 15 seconds: after so long without one the connection is dead, whatever the browser believes. */
const silenceMs = 40_000;
/** A connection that is back by then was not worth a word. */
const blinkMs = 3_000;
const highlightMs = 4_000;

const page = element('main');
const line = element('#status');
const news = element('#news');

/** @type {State | null} */
let shown = null;
/** @type {EventSource | null} */
let source = null;
/** When the service was heard last: until then, what is shown was true. */
let heardAt = 0;
let attempts = 0;
/** @type {number | undefined} */
let retryTimer;
/** @type {number | undefined} */
let offlineTimer;

/** How the browser calls itself to this card's service. It stays the same where the browser keeps anything. */
const viewer = stored('viewer') ?? store('viewer', newId());

line.hidden = false;
connect();
window.addEventListener('online', connect);
window.addEventListener('offline', sayOffline);
window.addEventListener('pagehide', leave);
window.addEventListener('pageshow', (event) => event.persisted && connect());
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') reconnectIfSilent();
  else keepCopy();
});
setInterval(reconnectIfSilent, 5_000);

/** Listens to the card, anew if it did already. */
function connect() {
  source?.close();
  clearTimeout(retryTimer);
  const opened = new EventSource(`card/events?viewer=${viewer}`);
  source = opened;
  opened.addEventListener('open', sayLive);
  opened.addEventListener('beat', sayLive);
  opened.addEventListener('card', (event) => {
    sayLive();
    show(JSON.parse(event.data));
  });
  opened.addEventListener('gone', checkIfGone);
  opened.addEventListener('error', () => lose(opened));
}

/** @param {EventSource} lost */
function lose(lost) {
  if (lost !== source) return;
  const isFirst = heardAt === 0;
  offlineTimer ??= setTimeout(sayOffline, isFirst || !navigator.onLine ? 0 : blinkMs);
  // The browser comes back by itself after a broken connection, and never after a refusal.
  if (lost.readyState !== EventSource.CLOSED) return;
  attempts += 1;
  const pauseMs = Math.min(2 ** attempts, 60) * 1_000 * (0.5 + Math.random());
  retryTimer = setTimeout(connect, pauseMs);
  if (navigator.onLine) void checkIfGone();
}

function reconnectIfSilent() {
  if (document.visibilityState === 'visible' && heardAt > 0 && Date.now() - heardAt > silenceMs) {
    // One at a time, also when the new connection stays silent.
    heardAt = Date.now() - silenceMs / 2;
    offlineTimer ??= setTimeout(sayOffline, blinkMs);
    connect();
  }
}

function leave() {
  keepCopy();
  source?.close();
  source = null;
}

function sayLive() {
  heardAt = Date.now();
  attempts = 0;
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  line.classList.remove('offline');
  line.classList.add('live');
  say(line, line.dataset.live ?? '');
}

async function sayOffline() {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  if (heardAt > 0) keepCopy();
  // What the service worker keeps may be newer than the page that it kept.
  else await showCopy();
  const at = heardAt > 0 ? new Date(heardAt) : new Date(shown?.at ?? page.dataset.at ?? Date.now());
  const time = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(at);
  if (source?.readyState === EventSource.OPEN) return;
  line.classList.remove('live');
  line.classList.add('offline');
  say(line, (line.dataset.offline ?? '').replace('{time}', time));
}

async function showCopy() {
  const response = await fetch('card/state').catch(() => null);
  if (response?.ok && heardAt === 0) show(await response.json());
}

/** The service knows the card no longer: nor shall this browser. */
async function checkIfGone() {
  const response = await fetch('card/state', { cache: 'no-store' }).catch(() => null);
  if (response?.status !== 404) return;
  source?.close();
  await forgetCopies();
  location.reload();
}

async function forgetCopies() {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration !== undefined) await caches.delete(registration.scope);
  await registration?.unregister();
}

/** @param {State} state */
function show(state) {
  const before = shown;
  shown = state;
  // The page's own words are in the language that it was loaded in.
  if (state.language !== document.documentElement.lang && navigator.onLine) location.reload();
  if (state.version !== page.dataset.version) {
    draw(state);
    tell(before, state);
  }
  keepCopy();
}

/** @param {State} state */
function draw(state) {
  page.dataset.version = state.version;
  page.classList.add('live-card');
  document.title = state.name;
  // Set by a script, a style needs no leave of the content security policy.
  for (const [name, value] of Object.entries(state.theme))
    document.documentElement.style.setProperty(name, value);
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', state.theme['--card'] ?? '');
  drawPart(element('#face'), state.face);
  drawPart(element('#more'), state.about);
}

/**
 * @param {HTMLElement} part
 * @param {string} html Written by the service, which lets no text become markup.
 */
function drawPart(part, html) {
  const before = valuesIn(part);
  part.innerHTML = html;
  highlight(part, before);
}

/**
 * Says what has changed to whoever cannot see it.
 *
 * @param {State | null} before
 * @param {State} now
 */
function tell(before, now) {
  if (before === null) return;
  const changes = Object.entries(now.facts).filter(([key, fact]) => before.facts[key] !== fact);
  say(news, changes.map(([, fact]) => fact).join('. ') || now.changed);
}

/** @param {Element} part */
function valuesIn(part) {
  return new Map([...part.querySelectorAll('dl > div')].map((entry) => [labelIn(entry), valueIn(entry)]));
}

/**
 * @param {Element} part
 * @param {Map<string, string>} before
 */
function highlight(part, before) {
  for (const entry of part.querySelectorAll('dl > div')) {
    if (before.get(labelIn(entry)) === valueIn(entry)) continue;
    const value = entry.querySelector('dd');
    value?.classList.add('changed');
    setTimeout(() => value?.classList.remove('changed'), highlightMs);
  }
}

/** @param {Element} entry */
function labelIn(entry) {
  return entry.querySelector('dt')?.textContent ?? '';
}

/** @param {Element} entry */
function valueIn(entry) {
  return entry.querySelector('dd')?.textContent ?? '';
}

/** Hands the newest state to the service worker, which shows it when there is no network. */
function keepCopy() {
  if (shown === null || !isInstallable()) return;
  const at = heardAt > 0 ? new Date(heardAt).toISOString() : shown.at;
  navigator.serviceWorker.controller?.postMessage({ ...shown, at });
}

// — Keeping the card: installing it, and notifications —

const isInstalled =
  matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true;

if (isInstallable()) {
  navigator.serviceWorker
    .register('sw.js', { updateViaCache: 'none' })
    .then(offerToKeep)
    .catch(() => undefined);
  navigator.serviceWorker.addEventListener('controllerchange', keepCopy);
}

/** @param {ServiceWorkerRegistration} registration */
async function offerToKeep(registration) {
  if (!isInstalled) offerInstallation();
  const { pushManager } = registration;
  const subscription = (await pushManager?.getSubscription()) ?? null;
  if (pushManager !== undefined && 'Notification' in window) offerNotifications(pushManager, subscription);
  if (isInstalled || subscription !== null) await tellInstalled(subscription);
}

function offerInstallation() {
  const button = element('#install');
  element('#keep').hidden = false;
  element('#installing').hidden = false;
  const hint = element(`[data-platform="${platform()}"]`);
  hint.hidden = false;
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    hint.hidden = true;
    button.hidden = false;
    button.onclick = () => /** @type {Event & { prompt(): void }} */ (event).prompt();
  });
  window.addEventListener('appinstalled', () => {
    element('#installing').hidden = true;
    void tellInstalled(null);
  });
}

/** @returns {'apple' | 'android' | 'desktop'} */
function platform() {
  if (/android/i.test(navigator.userAgent)) return 'android';
  // Safari on iPhones and iPads, whatever it calls itself.
  return 'standalone' in navigator && navigator.maxTouchPoints > 1 ? 'apple' : 'desktop';
}

/**
 * @param {PushManager} pushManager
 * @param {PushSubscription | null} present
 */
function offerNotifications(pushManager, present) {
  const button = element('#notify');
  const said = element('#notified');
  let subscription = present;
  element('#keep').hidden = false;
  element('#notifying').hidden = false;
  draw();
  button.addEventListener('click', () => change().catch(() => say(said, said.dataset.impossible ?? '')));

  function draw() {
    button.textContent = (subscription === null ? button.dataset.allow : button.dataset.stop) ?? '';
  }

  async function change() {
    if (subscription !== null) {
      await subscription.unsubscribe();
      subscription = null;
      await tellInstalled(null);
      say(said, said.dataset.stopped ?? '');
    } else if ((await Notification.requestPermission()) === 'granted') {
      const applicationServerKey = page.dataset.pushKey ?? '';
      const fresh = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
      // A push service that is not known here is as good as none.
      if (!(await tellInstalled(fresh))) {
        await fresh.unsubscribe();
        throw new Error('refused');
      }
      subscription = fresh;
      say(said, said.dataset.allowed ?? '');
    } else say(said, said.dataset.blocked ?? '');
    draw();
  }
}

/**
 * Has the card count as installed, or as merely open where nothing speaks for more.
 *
 * @param {PushSubscription | null} subscription
 */
async function tellInstalled(subscription) {
  const response = await fetch('card/installation', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      viewer,
      installed: true,
      ...(subscription && { subscription: { endpoint: subscription.endpoint } }),
    }),
  });
  return response.ok;
}

/** Service workers need https, or the machine itself. */
function isInstallable() {
  return 'serviceWorker' in navigator && window.isSecureContext;
}

// — Small things —

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
function element(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`${selector} is missing`);
  return found;
}

/**
 * Writes a text, unless it stands there: what is written again is read out again.
 *
 * @param {HTMLElement} where
 * @param {string} text
 */
function say(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

/** Not for secrets, only for names: browsers without a secure context have no randomUUID. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** @param {string} name */
function stored(name) {
  try {
    return localStorage.getItem(`${name} ${page.dataset.card}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function store(name, value) {
  try {
    localStorage.setItem(`${name} ${page.dataset.card}`, value);
  } catch {
    // A browser that keeps nothing calls itself something else the next time.
  }
  return value;
}
