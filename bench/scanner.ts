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
 * and our own decoder, with the look-up in between: what a customer waits at a till.
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
    for (let scan = 0; waits.length < options.rounds * 3; scan++) {
      if (scan > 20 * options.rounds + 20) throw new Error('no code comes into view');
      await page.waitForFunction((before) => (globalThis as unknown as Watch).waits.length > before, scan);
      const wait = await page.evaluate((at) => (globalThis as unknown as Watch).waits[at], scan);
      // The first scan loads the decoder; null where the code was in view already.
      if (scan > 0 && typeof wait === 'number') waits.push(wait);
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
  // Whichever page it is: the first code may be in view before anything else is.
  await page.locator('#app h1').waitFor();
}

interface Watch {
  /** From the picture with a code to the card, of each scan. */
  readonly waits: readonly (number | null)[];
}

/** Runs in the page: notes when the middle of the camera's picture becomes bright, and when the page of a card was drawn. */
const watch = `{
  const canvas = new OffscreenCanvas(8, 8);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let video = null, wasDark = false, seenAt = null;
  const look = (looked) => {
    if (looked !== video) return;
    video.requestVideoFrameCallback(() => look(looked));
    const { videoWidth: w, videoHeight: h } = video;
    context.drawImage(video, w * 0.4, h * 0.4, w * 0.2, h * 0.3, 0, 0, 8, 8);
    const { data } = context.getImageData(0, 0, 8, 8);
    const isDark = Math.max(...data.filter((_, at) => at % 4 === 0)) < 140;
    if (!isDark && wasDark && seenAt === null) seenAt = performance.now();
    if (isDark) { wasDark = true; seenAt = null; }
  };
  globalThis.waits = [];
  new MutationObserver(() => {
    const now = document.querySelector('video');
    if (now !== null && now !== video) {
      [video, wasDark, seenAt] = [now, false, null];
      video.requestVideoFrameCallback(() => look(now));
    }
    const isCard = now === null && location.pathname.startsWith('/scan/cards/')
      && document.querySelector('main h1') !== null && document.querySelector('main [aria-busy]') === null;
    if (!isCard || video === null) return;
    const began = seenAt;
    video = null;
    requestAnimationFrame(() => setTimeout(() => waits.push(began === null ? null : performance.now() - began)));
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}`;
