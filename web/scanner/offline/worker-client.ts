import { effect } from '@preact/signals';
import { ownScript } from '../own-script.ts';
import { isEntering, whileNobodyEnters } from './entering.ts';

const workerPath = '/scan/sw.js';
const hourMs = 3_600_000;

/**
 * Lets the page open without a network from now on, where the browser can do that. A newer version takes over when nothing is
 * being entered in any tab, and the page is then loaded anew.
 */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  let isControlled = serviceWorker.controller !== null;
  let isNewer = false;
  const reload = () => {
    if (isNewer && !isEntering.value) location.reload();
  };
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over the page that it is of.
    isNewer ||= isControlled;
    isControlled = true;
    reload();
  });
  serviceWorker.addEventListener('message', ({ data }) => {
    // The service no longer has a scanner: it says so itself.
    if (data === 'gone') {
      isNewer = true;
      reload();
    }
  });
  // The worker looks by itself when it opens a page, but cannot notice one that is not there yet.
  if (isFromWorker() && (await isGone())) {
    await (await serviceWorker.getRegistration('/scan'))?.unregister();
    location.reload();
    return;
  }
  try {
    const registration = await serviceWorker.register(ownScript(workerPath), {
      scope: '/scan',
      updateViaCache: 'none',
    });
    const exchange = () => offerExchange(registration);
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', exchange);
    });
    const look = () => {
      if (document.hidden) return;
      // Where there is no network, the next look finds what is new.
      registration.update().catch(() => undefined);
      registration.active?.postMessage('check');
      exchange();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    setInterval(look, hourMs);
    effect(() => {
      if (isEntering.value) return;
      reload();
      exchange();
    });
    const { active } = await serviceWorker.ready;
    whenIdle(() => active?.postMessage('keep all'));
  } catch {
    // A browser that keeps nothing opens the page with a network only.
  }
}

function isFromWorker(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return opening !== undefined && opening.workerStart > 0;
}

async function isGone(): Promise<boolean> {
  const answer = await fetch(workerPath, { cache: 'no-store' }).catch(() => null);
  return answer?.status === 404 || answer?.status === 410;
}

/** Lets a version that was fetched take over. */
function offerExchange({ waiting, active }: ServiceWorkerRegistration): void {
  if (waiting === null || active === null) return;
  void whileNobodyEnters(
    () =>
      new Promise((resolve) => {
        waiting.addEventListener('statechange', () => resolve());
        waiting.postMessage('take over');
      }),
  );
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => act());
  else setTimeout(act, 2_000);
}
