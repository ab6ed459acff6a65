import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../src/kit/embedded-postgres/harness.fixture.ts';
import { startChromium } from './chromium.ts';
import { consoleSkip } from './console.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { startTestApp } from './harness.ts';
import { freePort } from './service-process.ts';

describe('the worker of the scanner', { skip: consoleSkip }, async () => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const proxy = await startFaultProxy(port, () => servicePort);
  after(() => proxy.close());
  await startTestApp({ PORT: String(servicePort), PUBLIC_URL: proxy.url });

  it('opens the page without a network after the first visit, at each of its addresses', () =>
    inScanner(proxy, async (page) => {
      proxy.isDown = true;
      for (const path of ['/scan', '/scan/anything']) {
        await page.goto(`${proxy.url}${path}`);
        await page.locator('h1').waitFor();
      }
      // Of the files it keeps those of this build, and of what the API says nothing.
      const kept = await keptBy(page);
      assert.equal(kept.length, 1);
      const paths = kept[0]?.paths ?? [];
      assert.ok(paths.length > 3 && paths.includes('/scan'), paths.join());
      for (const path of paths) assert.match(path, /^\/scan$|^\/scan\/assets\/[\w.-]+-\w{8}\.\w+$/);
      // The console is none of its business.
      await assert.rejects(page.goto(`${proxy.url}/console`));
    }));

  it('takes a newer version, forgets the older one, and loads the page anew', () =>
    inScanner(proxy, async (page) => {
      const before = await versionOf(page);
      proxy.changes = newerWorker;
      const reloaded = page.waitForEvent('load');
      await lookForNewer(page);
      await reloaded;
      await page.locator('h1').waitFor();
      await eventually(
        'the older one is gone',
        async () => (await versionsOf(page)).join() === `${before}-newer`,
      );
    }));

  it('leaves the page alone while something is entered in another tab', () =>
    inScanner(proxy, async (page) => {
      const before = await versionOf(page);
      const other = await page.context().newPage();
      await other.goto(`${proxy.url}/scan`);
      const isDone = await holdEntering(other);
      proxy.changes = newerWorker;
      await lookForNewer(page);
      assert.equal(
        await page.evaluate(`navigator.serviceWorker.ready.then(({ waiting }) => waiting?.state)`),
        'installed',
      );
      // The other worker was refused the lock: nothing waits for it.
      const waiting = 'navigator.locks.query().then(({ pending }) => pending.length)';
      assert.equal(await other.evaluate(waiting), 0);
      assert.ok((await versionsOf(page)).includes(before));
      const reloaded = page.waitForEvent('load');
      await isDone();
      await lookForNewer(page);
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await reloaded;
      await eventually(
        'the older one is gone',
        async () => (await versionsOf(page)).join() === `${before}-newer`,
      );
    }));

  it('stays as it is where the page is of another build than the worker', () =>
    inScanner(proxy, async (page) => {
      const before = await versionOf(page);
      proxy.changes = (path, text) =>
        path === '/scan/sw.js'
          ? newerWorker(path, text).replace(/scanner-\w{8}\.js/, 'scanner-00000000.js')
          : text;
      assert.equal(await lookForNewer(page), 'failed');
      assert.deepEqual(await versionsOf(page), [before]);
      proxy.isDown = true;
      await page.goto(`${proxy.url}/scan`);
      await page.locator('h1').waitFor();
    }));

  for (const status of [404, 410])
    it(`is gone with the scanner, when the service answers ${status}`, () =>
      inScanner(proxy, async (page) => {
        proxy.instead = (_method, path) => (path.startsWith('/scan') ? { status, headers: {} } : null);
        const answered = page.waitForResponse(
          (response) => response.url() === `${proxy.url}/scan` && !response.fromServiceWorker(),
        );
        await page.goto(`${proxy.url}/scan`);
        assert.equal((await answered).status(), status);
        await eventually(
          'nothing is kept',
          async () => (await versionsOf(page).catch(() => [''])).length === 0,
        );
      }));
});

/** Acts on the page of the scanner in a browser of its own, once its worker has all that it keeps. */
async function inScanner(proxy: FaultProxy, act: (page: Page) => Promise<void>): Promise<void> {
  Object.assign(proxy, { isDown: false, instead: () => null, changes: (_: string, text: string) => text });
  const browser = await startChromium();
  try {
    const page = await browser.context.newPage();
    await page.goto(`${proxy.url}/scan`);
    await page.evaluate(`navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
      new Promise((resolve) => active.addEventListener('statechange', resolve)))`);
    await page.reload();
    await page.locator('h1').waitFor();
    await act(page);
  } finally {
    await browser.close();
  }
}

/** As a newer build would be: all that a browser sees is that the text is another one. */
function newerWorker(path: string, text: string): string {
  return path === '/scan/sw.js' ? text.replace(/"version":"([^"]+)"/, '"version":"$1-newer"') : text;
}

/** Has the browser look for a newer version, and waits until that is installed, or has failed. */
function lookForNewer(page: Page): Promise<string> {
  return page.evaluate(`navigator.serviceWorker.ready.then((registration) => registration.update()).then(
    ({ installing }) => installing === null ? 'none' : new Promise((resolve) => {
      const look = () => {
        if (installing.state === 'redundant') resolve('failed');
        else if (installing.state !== 'installing') resolve('installed');
      };
      installing.addEventListener('statechange', look);
      look();
    }))`);
}

function keptBy(page: Page): Promise<{ name: string; paths: string[] }[]> {
  return page.evaluate(`caches.keys().then((names) => Promise.all(names.map(async (name) => ({
    name,
    paths: (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
  }))))`);
}

async function versionsOf(page: Page): Promise<string[]> {
  return (await keptBy(page)).map(({ name }) => name.replace('punchcard-scan-', ''));
}

async function versionOf(page: Page): Promise<string> {
  const [version, ...others] = await versionsOf(page);
  assert.ok(version !== undefined && others.length === 0);
  return version;
}

/** Something is being entered in a tab; what is returned ends that. */
async function holdEntering(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`new Promise((resolve) => {
    navigator.locks.request('punchcard-scan-entering', { mode: 'shared' }, () => {
      resolve();
      return new Promise((done) => { globalThis.endEntering = done; });
    });
  })`);
  return () => page.evaluate('endEntering()');
}
