/**
 * The service worker of a web card. It keeps the page, what belongs to it, the last state and its images, and shows them when there
 * is no network; a push makes it fetch the newest state and say what has changed. Its scope is one card.
 *
 * @typedef {import('./page-parts.js').State} State
 * @typedef {Event & { waitUntil(work: Promise<unknown>): void }} LastingEvent
 * @typedef {LastingEvent & { request: Request, respondWith(answer: Promise<Response>): void }} FetchEvent
 * @typedef {{ focus(): Promise<unknown>, url: string, visibilityState: string }} WindowClient
 * @typedef {object} CardWorker
 * @property {ServiceWorkerRegistration} registration
 * @property {() => Promise<void>} skipWaiting
 * @property {{ claim(): Promise<void>, matchAll(filter: object): Promise<WindowClient[]>, openWindow(url: string): Promise<unknown> }} clients
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 */

const worker = /** @type {CardWorker} */ (/** @type {unknown} */ (globalThis));
const { scope } = worker.registration;

/** What is kept. The state is the newest, also where the page is older. */
const kept = [
  'card',
  'card/state',
  'card.webmanifest',
  'icons/192.png',
  'scripts/live-card.js',
  'scripts/draw-card.js',
  'scripts/keep-card.js',
  'scripts/page-parts.js',
];
/** Where the images of passes lie. The address of one names its content, so a copy of it is never old. */
const images = new URL('../../images/', scope).href;
/** Where the reception is bad, the copy is better than waiting. */
const timeoutMs = 4_000;
const longestNote = 240;

/** The card is gone: late answers are no longer kept. */
let isGone = false;
/** Ends with the last turn of looking after the images. */
let keeping = Promise.resolve();

worker.addEventListener('install', (/** @type {LastingEvent} */ event) => {
  event.waitUntil(Promise.all([fetchAll().then(keepImages), worker.skipWaiting()]));
});
worker.addEventListener('activate', (/** @type {LastingEvent} */ event) => {
  event.waitUntil(worker.clients.claim());
});
worker.addEventListener('fetch', (/** @type {FetchEvent} */ event) => {
  const { method, url: address } = event.request;
  const path = pathOf(address);
  if (method !== 'GET') return;
  if (kept.includes(path)) event.respondWith(answer(event, path));
  else if (address.startsWith(images)) event.respondWith(answerImage(event.request));
});
worker.addEventListener('message', (/** @type {LastingEvent & { data: State }} */ event) => {
  event.waitUntil(keepState(event.data).then(keepImages));
});
worker.addEventListener('push', (/** @type {LastingEvent} */ event) => {
  event.waitUntil(notify().then(keepImages));
});
worker.addEventListener(
  'notificationclick',
  (/** @type {LastingEvent & { notification: Notification }} */ event) => {
    event.notification.close();
    event.waitUntil(openPage());
  },
);

/** A file that cannot be had now is kept when it is asked for. */
async function fetchAll() {
  await Promise.all(kept.map((path) => fetchAndKeep(new Request(url(path))).catch(() => undefined)));
}

/**
 * The newest from the network; the copy when there is none in time, the service fails, or a proxy answers in its place.
 *
 * @param {FetchEvent} event
 * @param {string} path
 */
async function answer(event, path) {
  const fetched = fetchAndKeep(event.request);
  // It may come too late for this answer, and is kept for the next.
  event.waitUntil(fetched.then(keepImages).catch(() => undefined));
  const response = await Promise.race([fetched, after(timeoutMs)]).catch(() => null);
  if (response !== null && (isGone || (response.status !== 404 && response.status < 500))) return response;
  const copy = await (await caches.open(scope)).match(url(path));
  return copy ?? response ?? fetched.catch(() => Response.error());
}

/** @param {Request} request */
async function answerImage(request) {
  return (await caches.match(request.url)) ?? fetch(request);
}

/** Keeps the images of the page and of the newest state, and no others; one turn after the other. */
function keepImages() {
  keeping = keeping.then(keepThem).catch(() => undefined);
  return keeping;
}

async function keepThem() {
  if (isGone) return;
  const cache = await caches.open(scope);
  const shown = new Set(
    (await Promise.all(['card', 'card/state'].map((path) => imagesOf(cache, path)))).flat(),
  );
  const copies = (await cache.keys()).map((copy) => copy.url).filter((url) => url.startsWith(images));
  await Promise.all(copies.filter((url) => !shown.has(url)).map((url) => cache.delete(url)));
  const missing = [...shown].filter((url) => !copies.includes(url));
  // One that cannot be had now is fetched after the next change, or when it is asked for.
  await Promise.all(missing.map((url) => fetchImage(cache, url).catch(() => undefined)));
}

/**
 * The addresses of the images in what is kept under a path.
 *
 * @param {Cache} cache
 * @param {string} path
 */
async function imagesOf(cache, path) {
  const text = (await (await cache.match(url(path)))?.text()) ?? '';
  return [...text.matchAll(/\bimages\/[0-9a-f]{64}\.png/g)].map(([found]) => url(`../../${found}`));
}

/**
 * @param {Cache} cache
 * @param {string} url
 */
async function fetchImage(cache, url) {
  const response = await fetch(url);
  if (response.ok && !isGone) await cache.put(url, response);
}

/**
 * Fetches a file and keeps it under its path. A card that is gone leaves nothing behind.
 *
 * @param {Request} request
 */
async function fetchAndKeep(request) {
  const response = await fetch(request);
  if (response.status === 404) await forgetIfErased();
  else if (response.ok) await keep(pathOf(request.url), response.clone());
  return response;
}

/**
 * @param {string} path
 * @param {Response} response
 */
async function keep(path, response) {
  if (!isGone) await (await caches.open(scope)).put(url(path), response);
}

/** A proxy says 404, too, while the service starts again: only the service's own word about the card counts. */
async function forgetIfErased() {
  const response = await fetch(url('card/state'), { cache: 'no-store' });
  const answer = response.status === 404 ? await response.json().catch(() => null) : null;
  if (answer?.code !== 'instance_not_found') return;
  isGone = true;
  await caches.delete(scope);
  await worker.registration.unregister();
}

/** Says what has changed since the copy, and keeps the new state. Browsers insist that every push is shown. */
async function notify() {
  const before = await keptState();
  const response = await fetchAndKeep(new Request(url('card/state'), { cache: 'no-store' })).catch(
    () => null,
  );
  if (isGone) return;
  /** @type {State | null} */
  const now = response?.ok ? await response.json() : before;
  if (now === null) return;
  const changes = Object.entries(now.facts).filter(([key, fact]) => before?.facts[key] !== fact);
  const said = before === null ? '' : changes.map(([, fact]) => fact).join('\n');
  await worker.registration.showNotification(now.name, {
    body: (said || now.changed).slice(0, longestNote),
    icon: url('icons/192.png'),
    lang: now.language,
    tag: 'card',
    // Who looks at the card has seen it already.
    silent: (await windows()).some(({ visibilityState }) => visibilityState === 'visible'),
  });
}

async function openPage() {
  const [open] = await windows();
  if (open === undefined) await worker.clients.openWindow(url('card'));
  else await open.focus();
}

/** The windows that show this card. */
async function windows() {
  const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter((client) => pathOf(client.url) === 'card');
}

/** @param {State} state */
async function keepState(state) {
  const response = new Response(JSON.stringify(state), { headers: { 'content-type': 'application/json' } });
  await keep('card/state', response);
}

/** @returns {Promise<State | null>} */
async function keptState() {
  const response = await (await caches.open(scope)).match(url('card/state'));
  return response === undefined ? null : response.json();
}

/** @param {string} path */
function url(path) {
  return new URL(path, scope).href;
}

/**
 * The path below the scope, without query; empty for what lies elsewhere.
 *
 * @param {string} address
 */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  const whole = origin + pathname;
  return whole.startsWith(scope) ? whole.slice(scope.length) : '';
}

/**
 * @param {number} ms
 * @returns {Promise<null>}
 */
function after(ms) {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
