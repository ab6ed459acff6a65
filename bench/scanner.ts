import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { findChromium, howToInstall, startChromium } from '../test/chromium.ts';
import { type Scene, writeFilm } from '../test/phone-film.ts';
import { freePort } from '../test/service-process.ts';
import { options } from './options.ts';
import { type BenchResult, median } from './result.ts';
import { type Bench, callService, type Service, startAsShipped, withBench } from './service.ts';

/**
 * How long it takes from the picture in which a code is in view to the holder on the screen, in Chromium with a filmed camera
 * and our own decoder, with the look-up in between: what somebody waits at a till.
 */
export function bench(): Promise<BenchResult[]> {
  if (findChromium() === null) throw new Error(howToInstall);
  return withBench(async (bench) => {
    const port = await freePort();
    const settings = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
    const service = await startAsShipped(bench, 'scanner', settings);
    const results: BenchResult[] = [];
    for (const format of ['qr', 'pdf417', 'aztec', 'code128'] as const) {
      const waits = await measure(bench, service, format);
      results.push({
        name: `code in view to holder on screen, ${format}`,
        value: median(waits),
        unit: 'ms',
        target: { max: 500 },
        note: `slowest of ${waits.length}: ${Math.max(...waits).toFixed(0)} ms`,
      });
    }
    return results;
  });
}

type Format = NonNullable<Scene['shown']>['format'];

/** Milliseconds of each scan. */
async function measure(bench: Bench, service: Service, format: Format): Promise<number[]> {
  const pass = await callService<{ passId: string }>(service, 'POST', '/passes', {
    title: `Cards with ${format}`,
    type: 'loyalty',
    barcode: { mode: 'unique', format },
  });
  await callService(service, 'PATCH', `/passes/${pass.passId}`, { status: 'published' });
  const scenes: Scene[] = [];
  for (const name of ['Ada', 'Bo', 'Cy']) {
    const body = { holder: { name } };
    const card = await callService<{ barcode: string }>(
      service,
      'POST',
      `/passes/${pass.passId}/instances`,
      body,
    );
    scenes.push({ shown: { format, value: card.barcode }, frames: 60 }, { shown: null, frames: 40 });
  }
  const film = join(bench.folder, `${format}.mjpeg`);
  await writeFilm(film, scenes);
  const browser = await startChromium({
    viewport: { width: 390, height: 780 },
    locale: 'en-GB',
    flags: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    const page = await browser.context.newPage();
    await signIn(page, service, format);
    await page.addInitScript(watch);
    await page.goto(`http://localhost:${service.port}/scan`);
    const waits: number[] = [];
    // The first scan loads the decoder.
    for (let shown = 0, scan = 0; scan < 1 + options.rounds * 3; shown++) {
      if (shown > 20 * options.rounds + 20) throw new Error('no code comes into view');
      await page.waitForURL(/\/scan\/cards\//);
      await page.locator('main:not(:has([aria-busy])) h1').waitFor();
      const wait = await page.evaluate(() => (globalThis as unknown as Watch).waited());
      // Null where the code was in view already.
      if (wait !== null && scan++ > 0) waits.push(wait);
      await page.getByRole('link', { name: 'Find a card' }).click();
    }
    return waits;
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, service: Service, name: string): Promise<void> {
  const person = { email: `${name}@example.com`, name: 'Ada Lovelace', role: 'staff' };
  const { link } = await callService<{ link: string }>(service, 'POST', '/people', person);
  const base = `http://localhost:${service.port}`;
  await page.goto(`${base}/sign-in?next=%2Fscan`);
  await page.goto(`${base}${new URL(link).pathname}`);
  await page.click('button');
  await page.locator('video').waitFor();
}

interface Watch {
  /** From the picture with a code to the card, of the last scan. */
  waited(): number | null;
}

/** Runs in the page: notes when the middle of the camera's picture becomes bright, and when the page of a card is there. */
const watch = `{
  const canvas = new OffscreenCanvas(8, 8);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let video = null, isOpen = false, wasDark = false, seenAt = null, waited = null;
  const look = () => {
    const now = document.querySelector('video');
    // It is gone before the card is there.
    if (now !== null && now !== video) { video = now; isOpen = true; wasDark = false; seenAt = null; }
    if (now !== null && video.videoWidth > 0) {
      const { videoWidth: w, videoHeight: h } = video;
      context.drawImage(video, w * 0.4, h * 0.4, w * 0.2, h * 0.3, 0, 0, 8, 8);
      const { data } = context.getImageData(0, 0, 8, 8);
      const isDark = Math.max(...data.filter((_, at) => at % 4 === 0)) < 140;
      if (!isDark && wasDark && seenAt === null) seenAt = performance.now();
      if (isDark) { wasDark = true; seenAt = null; }
    }
    requestAnimationFrame(look);
  };
  look();
  new MutationObserver(() => {
    const isCard = location.pathname.startsWith('/scan/cards/') && document.querySelector('main h1') !== null
      && document.querySelector('main [aria-busy]') === null;
    if (isCard && isOpen) {
      waited = seenAt === null ? null : performance.now() - seenAt;
      isOpen = false;
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
  globalThis.waited = () => waited;
}`;
