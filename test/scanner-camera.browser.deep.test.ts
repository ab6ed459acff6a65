import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { formats } from '../web/scanner/camera/code-formats.ts';
import type { Json } from './client.ts';
import { assertForEverybody, consoleSettings, consoleSkip, inConsole, type OpenConsole } from './console.ts';
import { makeCard, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import { type Scene, writeFilm } from './phone-film.ts';
import { until } from './wallets.ts';

type Format = NonNullable<Scene['shown']>['format'];

describe("the scanner's camera", { skip: consoleSkip }, async () => {
  const app = await startTestApp(await consoleSettings());
  const { client } = app;
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-film-'));
  after(() => rm(folder, { recursive: true }));

  /** A card of a pass with points, whose code has that format. */
  async function cardWith(format: Format, names: readonly string[]): Promise<Json[]> {
    const { passId } = await makePass(client, { barcode: { mode: 'unique', format } });
    const reward = { title: 'Free coffee', cost: 1_000 };
    // It counts no money: the till asks how many points.
    const earn = { perCurrencyUnit: 0 };
    const { body } = await client.post('/loyalty/programs', { passId, mode: 'POINTS', reward, earn });
    await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
    return Promise.all(names.map((name) => makeCard(client, passId, { holder: { name } })));
  }

  /** The cards, one after the other in front of the camera. */
  async function filmOf(cards: readonly { card: Json; format: Format }[], frames: number): Promise<string[]> {
    const path = join(folder, `${cards[0]?.card.instanceId}.mjpeg`);
    const scenes = cards.flatMap(({ card, format }): Scene[] => [
      { shown: { format, value: card.barcode }, frames },
      { shown: null, frames: 5 },
    ]);
    await writeFilm(path, scenes);
    return [...camera, `--use-file-for-fake-video-capture=${path}`];
  }

  /** Scans what is filmed until `enough` says so, and gives each card that was found to `act`. */
  async function scan(page: Page, act: (name: string) => Promise<boolean>): Promise<void> {
    let address = '';
    let shown = 0;
    const look = () => {
      // The same address again is a change of its state.
      if (page.url() !== address && page.url().includes('/scan/cards/')) shown += 1;
      address = page.url();
    };
    look();
    page.on('framenavigated', look);
    // Each of the film comes by so often that none is missed for long.
    for (let scans = 0; scans < 80; scans += 1) {
      await until('a card is shown', () => shown > scans);
      // The address changes before the page does.
      const heading = page.locator('main:not(:has([aria-busy])) h1').filter({ hasNotText: 'Scanner' });
      const isEnough = await act(await heading.innerText());
      if (isEnough) return;
      await page.getByRole('link', { name: 'Find a card' }).click();
    }
    assert.fail('it does not come to an end');
  }

  it('reads every format of cards from a phone that is held at an angle', async () => {
    const formats: Format[] = ['qr', 'pdf417', 'aztec', 'code128', 'ean13', 'code39', 'codabar', 'itf'];
    const cards = await Promise.all(
      formats.map(async (format) => ({ format, card: (await cardWith(format, [`Holder ${format}`]))[0] })),
    );
    const flags = await filmOf(cards, 45);
    const found = new Set<string>();
    await inScanner(flags, async ({ page }) => {
      await scan(page, async (name) => found.add(name).size === formats.length);
    });
    assert.deepEqual([...found].sort(), formats.map((format) => `Holder ${format}`).sort());
  });

  it('finds no card by the code of a product', async () => {
    const path = join(folder, 'product.mjpeg');
    await writeFilm(path, [{ shown: { format: 'ean13', value: '4006381333931' }, frames: 30 }]);
    await inScanner([...camera, `--use-file-for-fake-video-capture=${path}`], async ({ page }) => {
      await page.getByText('No card is found for "4006381333931"').waitFor();
    });
  });

  it('scans fifty cards in a row, and each scan awards once', async () => {
    const names = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo'];
    const cards = await cardWith('qr', names);
    const flags = await filmOf(
      cards.map((card) => ({ card, format: 'qr' })),
      20,
    );
    const scanned: string[] = [];
    await inScanner(flags, async ({ page }) => {
      await scan(page, async (name) => {
        // Staff press as fast as they can.
        await page.getByRole('button', { name: 'Add 1 point' }).dblclick();
        await page.getByRole('status').filter({ hasText: '1 point added' }).waitFor();
        return scanned.push(name) === 50;
      });
    });
    for (const { instanceId, holder } of cards) {
      const { data } = (await client.get(`/loyalty/entries?instanceId=${instanceId}&limit=100`)).body;
      const awards = data.map(({ kind, points }: Json) => [kind, points]);
      const times = scanned.filter((name) => name === holder.name).length;
      assert.deepEqual(awards, Array(times).fill(['earn', 1]), holder.name);
    }
  });

  it('shows a card once while it stays in view, and again when it comes back', async () => {
    const [card = {}] = await cardWith('aztec', ['Grace']);
    const path = join(folder, 'stays.mjpeg');
    await writeFilm(path, [{ shown: { format: 'aztec', value: card.barcode }, frames: 30 }]);
    await inScanner([...camera, `--use-file-for-fake-video-capture=${path}`], async ({ page }) => {
      await page.locator('h1', { hasText: 'Grace' }).waitFor();
      await page.getByRole('link', { name: 'Find a card' }).click();
      await page.locator('h1', { hasText: 'Scanner' }).waitFor();
      // It is looked at, several times, and nothing comes of it.
      await seeFrames(page, 90);
      assert.equal(new URL(page.url()).pathname, '/scan');
    });
  });

  it('is accessible, and can be turned off, which is kept', async () => {
    await inScanner(camera, async ({ page, open }) => {
      await page.locator('video').waitFor();
      await assertForEverybody(page);
      await page.getByRole('button', { name: 'Turn the camera off' }).click();
      await page.getByText('The camera is off.').waitFor();
      const source = () => page.locator('video').evaluate((video) => 'srcObject' in video && video.srcObject);
      await until('the picture is let go', async () => (await source()) === null);
      await open('/scan', 'Scanner');
      await page.getByRole('button', { name: 'Turn the camera on' }).click();
      await page.locator('video').waitFor();
    });
  });

  /** The message to staff, and that typing finds a card all the same. */
  const troubles = {
    'was refused': {
      flags: [camera[0] ?? '', '--deny-permission-prompts'],
      isWhole: true,
      says: 'may not use the camera',
    },
    'is not there': { flags: [camera[1] ?? ''], isWhole: false, says: 'No camera was found' },
  };
  for (const [what, { flags, isWhole, says }] of Object.entries(troubles))
    it(`${what}: says so, and lets staff type`, async () => {
      const act = async ({ page }: OpenConsole) => {
        await page.getByRole('status').filter({ hasText: says }).waitFor();
        await assertForEverybody(page);
        await typeACard(page);
      };
      await inScanner(flags, act, { isWhole });
    });

  it('cannot load its decoder: says so, tries again, and lets staff type', async () => {
    const [card = {}] = await cardWith('qr', ['Hedy']);
    const flags = await filmOf([{ card, format: 'qr' }], 45);
    await inScanner(
      flags,
      async ({ page, open }) => {
        const decoder = /\/decode\.worker-.*\.js$/;
        await page.route(decoder, (route) => route.fulfill({ status: 503 }));
        await open('/scan', 'Scanner');
        await page.getByText('Codes cannot be read by the camera right now').waitFor();
        await page.unroute(decoder);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('h1', { hasText: 'Hedy' }).waitFor();
      },
      // An earlier visitor has it from the offline page's cache.
      { expected: /503|Worker registration blocked/, serviceWorkers: 'block' },
    );
  });

  it('reads codes without a network, from what the scanner has kept', async () => {
    const [card = {}] = await cardWith('qr', ['Joan']);
    const flags = await filmOf([{ card, format: 'qr' }], 45);
    await inScanner(
      flags,
      async ({ page }) => {
        await page.locator('h1', { hasText: 'Joan' }).waitFor();
        await until('the decoder is kept', () =>
          page.evaluate(`caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
            (await (await caches.open(name)).keys()).some(({ url }) => url.endsWith('.wasm'))))).includes(true))`),
        );
        // What the browser itself may have kept is no promise.
        await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
        await page.context().setOffline(true);
        await page.goto(`${app.config.publicUrl}/scan`);
        await page.locator('h1', { hasText: 'Joan' }).waitFor();
        await page.getByText('As of').first().waitFor();
      },
      { expected: /ERR_INTERNET_DISCONNECTED/ },
    );
  });

  it("asks the browser's own detector where it reads all formats, and loads nothing for it", async () => {
    const [card = {}] = await cardWith('qr', ['Margaret']);
    await inScanner(camera, async ({ page }) => {
      const asked: string[] = [];
      // The page before has no such detector, and may still be loading ours.
      await page.goto('about:blank');
      page.on('request', (request) => asked.push(request.url()));
      await page.addInitScript(ownDetector(card.barcode));
      await page.goto(`${app.config.publicUrl}/scan`);
      await page.locator('h1', { hasText: 'Margaret' }).waitFor();
      assert.deepEqual(
        asked.filter((url) => /decode\.worker|\.wasm/.test(url)),
        [],
      );
    });
  });

  it("goes on with ours where the browser's own fails", async () => {
    const [card = {}] = await cardWith('qr', ['Mary']);
    const flags = await filmOf([{ card, format: 'qr' }], 45);
    await inScanner(flags, async ({ page }) => {
      await page.addInitScript(ownDetector(null));
      await page.goto(`${app.config.publicUrl}/scan`);
      await page.locator('h1', { hasText: 'Mary' }).waitFor();
    });
  });

  it("reads with ours where the browser's own had to guess a character set", async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { barcode: 'N°12', holder: { name: 'Emmy' } });
    const flags = await filmOf([{ card, format: 'qr' }], 45);
    await inScanner(flags, async ({ page }) => {
      await page.addInitScript(ownDetector('Nｰ12'));
      await page.goto(`${app.config.publicUrl}/scan`);
      await page.locator('h1', { hasText: 'Emmy' }).waitFor();
    });
  });

  async function typeACard(page: Page): Promise<void> {
    const [card = {}] = await cardWith('qr', ['Katherine']);
    await page.getByRole('searchbox').fill(card.barcode);
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Katherine' }).waitFor();
  }

  const inScanner = (
    flags: readonly string[],
    act: Parameters<typeof inConsole>[2],
    more: Parameters<typeof inConsole>[3] = {},
  ): Promise<void> => inConsole(app, 'staff', act, { path: '/scan', flags, viewport, ...more });
});

const viewport = { width: 390, height: 780 };

/** A camera that shows a test picture, or a film; permission is given. */
const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Waits until the camera has shown this many more pictures. */
async function seeFrames(page: Page, count: number): Promise<void> {
  await page.locator('video').evaluate(async (video, more) => {
    const element = video as unknown as { requestVideoFrameCallback(seen: () => void): void };
    for (let at = 0; at < more; at += 1)
      await new Promise<void>((seen) => element.requestVideoFrameCallback(seen));
  }, count);
}

/** A browser that has a detector of its own, as on Android; this one sees a code in every picture, or is out of order. */
function ownDetector(sees: string | null): string {
  return `globalThis.BarcodeDetector = class {
    static getSupportedFormats = async () => ${JSON.stringify(Object.values(formats))};
    async detect({ width, height }) {
      const sees = ${JSON.stringify(sees)};
      if (sees === null) throw new DOMException('Barcode detection service unavailable', 'NotSupportedError');
      const cornerPoints = [{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }];
      return [{ rawValue: sees, format: 'qr_code', cornerPoints }];
    }
  };`;
}
