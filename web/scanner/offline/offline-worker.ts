import type { WorkerBuild } from './worker-build.ts';

/** What of a service worker is used here: its types and those of pages exclude each other. */
interface Scope {
  readonly build: WorkerBuild;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly { postMessage(message: string): void }[]>;
  };
  readonly location: Location;
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listen: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

const scope = self as unknown as Scope;
const { version, page, assets, now, later } = scope.build;
const prefix = 'punchcard-scan-';
const cacheName = `${prefix}${version}`;

scope.addEventListener('install', (event) => event.waitUntil(keepBuild()));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(scope.skipWaiting());
  if (event.data === 'keep all') event.waitUntil(keepLater());
  if (event.data === 'check') event.waitUntil(endIfGone());
});
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // What is not of the build goes its way untouched: above all the API.
  if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
  if (request.mode === 'navigate') {
    if (url.pathname !== page && !url.pathname.startsWith(`${page}/`)) return;
    event.respondWith(openPage(request));
    event.waitUntil(endIfGone());
  } else if (url.pathname.startsWith(assets)) {
    event.respondWith(openAsset(request));
  }
});

/** All that the page needs to open, of one build: while a service changes its version, a page may be of another one. */
async function keepBuild(): Promise<void> {
  const opened = await fetch(page, { cache: 'no-store' });
  const text = await opened.clone().text();
  if (!opened.ok || !now.every((name) => text.includes(name)))
    throw new Error('the page is of another build than its worker');
  const cache = await caches.open(cacheName);
  await cache.addAll(now);
  await cache.put(page, opened);
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  await scope.clients.claim();
}

/** What the page loads when it is first used, such as the decoder of pictures. */
async function keepLater(): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const path of later) if ((await cache.match(path)) === undefined) await cache.add(path);
}

async function openPage(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(page)) ?? fetch(request);
}

/** The name of such a file is derived from its content, so that it is asked for once. */
async function openAsset(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.status === 200) await cache.put(request.url, answer.clone());
  return answer;
}

/** Where the service no longer has a scanner, nothing of it stays but what people have entered. */
async function endIfGone(): Promise<void> {
  const answer = await fetch(`${page}/sw.js`, { cache: 'no-store' }).catch(() => null);
  if (answer === null || (answer.status !== 404 && answer.status !== 410)) return;
  await scope.registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
  for (const client of await scope.clients.matchAll({ type: 'window' })) client.postMessage('gone');
}
