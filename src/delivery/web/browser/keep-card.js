/** Keeps the card in the browser: a copy for times without a network, an installation, and notifications. */
import { element, page, say, viewer } from './page-parts.js';

/** For the browser's push service to answer. */
const timeoutMs = 10_000;

/** Service workers need https, or the machine itself. */
const isPossible = 'serviceWorker' in navigator && window.isSecureContext;
const isInstalled =
  matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true;
let isForgotten = false;

/**
 * Registers the service worker, and offers what this browser can do.
 *
 * @param {() => void} onWorker Called when the worker is ready to keep a copy.
 */
export function offerToKeep(onWorker) {
  if (!isPossible) return;
  // At once: the browser may have its offer ready before the service worker runs.
  if (!isInstalled) offerInstallation();
  navigator.serviceWorker.addEventListener('controllerchange', onWorker);
  navigator.serviceWorker
    .register('sw.js', { updateViaCache: 'none' })
    .then(offerToFollow)
    .catch(() => undefined);
}

/**
 * Hands the newest state to the service worker.
 *
 * @param {import('./page-parts.js').State} state
 */
export function keepCopy(state) {
  if (isPossible && !isForgotten) navigator.serviceWorker.controller?.postMessage(state);
}

/** Leaves nothing of the card behind. */
export async function forgetCopy() {
  isForgotten = true;
  if (!isPossible) return;
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration !== undefined) await caches.delete(registration.scope);
  await registration?.unregister();
}

/** Shares the picture of the card where the browser can share files, else its address; anyone with that can show the card. */
export function offerToShare() {
  if (typeof navigator.share !== 'function') return;
  const button = element('#share');
  button.hidden = false;
  button.addEventListener('click', () => void share().catch(() => undefined));
}

async function share() {
  const title = document.title;
  const answer = await fetch('picture.png').catch(() => null);
  const picture = answer?.ok ? new File([await answer.blob()], 'card.png', { type: 'image/png' }) : null;
  const files = picture === null ? [] : [picture];
  await navigator.share(navigator.canShare?.({ files }) ? { title, files } : { title, url: location.href });
}

/** @param {ServiceWorkerRegistration} registration */
async function offerToFollow(registration) {
  const subscription = await subscriptionOf(registration);
  if (isInstalled || subscription !== null) await reportInstalled(subscription);
  if ('pushManager' in registration && 'Notification' in window)
    offerNotifications(registration.pushManager, subscription);
}

function offerInstallation() {
  const button = element('#install');
  const hint = element(`[data-platform="${platform()}"]`);
  element('#keep').hidden = false;
  element('#installing').hidden = false;
  hint.hidden = false;
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    hint.hidden = true;
    button.hidden = false;
    button.onclick = () => /** @type {Event & { prompt(): void }} */ (event).prompt();
  });
  window.addEventListener('appinstalled', async () => {
    element('#installing').hidden = true;
    await reportInstalled(await subscriptionOf(await navigator.serviceWorker.ready));
  });
}

/** @param {ServiceWorkerRegistration} registration */
async function subscriptionOf({ pushManager }) {
  return (await pushManager?.getSubscription()) ?? null;
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
  label();
  button.addEventListener('click', async () => {
    say(said, await change().catch(() => said.dataset.impossible));
    label();
  });

  function label() {
    say(button, subscription === null ? button.dataset.allow : button.dataset.stop);
  }

  /** What there is to say about it. */
  async function change() {
    if (subscription !== null) {
      await subscription.unsubscribe();
      subscription = null;
      await (isInstalled ? reportInstalled(null) : reportRemoved());
      return said.dataset.stopped;
    }
    if ((await Notification.requestPermission()) !== 'granted') return said.dataset.blocked;
    subscription = await subscribe(pushManager);
    return said.dataset.allowed;
  }
}

/** @param {PushManager} pushManager */
async function subscribe(pushManager) {
  const applicationServerKey = page.dataset.pushKey ?? '';
  const subscribing = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  // Should it come later, the next visit finds it.
  const fresh = await Promise.race([subscribing, failAfter(timeoutMs)]);
  if (await reportInstalled(fresh)) return fresh;
  // A push service that the card's service does not know is as good as none.
  await fresh.unsubscribe();
  throw new Error('the subscription was refused');
}

/**
 * Has the card count as installed. False when the service refuses the subscription.
 *
 * @param {PushSubscription | null} subscription
 */
async function reportInstalled(subscription) {
  const installation = { viewer, installed: true };
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  const pushes = endpoint === undefined ? {} : { subscription: { endpoint, keys } };
  const response = await fetch('card/installation', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...installation, ...pushes }),
  });
  return response.ok;
}

/** Has the card count while it is open, and no longer. */
async function reportRemoved() {
  await fetch(`card/installation?viewer=${viewer}`, { method: 'DELETE' });
}

/**
 * @param {number} ms
 * @returns {Promise<never>}
 */
function failAfter(ms) {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), ms));
}
