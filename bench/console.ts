import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Punchcard } from '../sdk/typescript/src/index.ts';
import { decodeId } from '../src/kit/ids.ts';
import { startChromium } from '../test/chromium.ts';
import { freePort, ServiceProcess } from '../test/service-process.ts';
import { fillInstances } from './fill-instances.ts';
import { measureFinds } from './find.ts';
import { options, scaled } from './options.ts';
import { type BenchResult, median } from './result.ts';
import {
  type Bench,
  callService,
  publishPass,
  type Service,
  startService,
  withBench,
  withPostgres,
} from './service.ts';

/** What the console adds to a start, and how fast its pages are over five million cards. */
export async function bench(): Promise<BenchResult[]> {
  return [...(await withBench(compareStarts)), ...(await measurePages())];
}

interface Start {
  readonly ms: number;
  readonly megabytes: number;
}

type Kind = 'first' | 'second';

/** Starts on an empty folder and again on what that left, with the console and without it in turns. */
async function compareStarts(at: Bench): Promise<BenchResult[]> {
  const starts = {
    on: { first: [] as Start[], second: [] as Start[] },
    off: { first: [] as Start[], second: [] as Start[] },
  };
  for (let round = 0; round < options.rounds; round += 1)
    for (const console of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
      for (const kind of ['first', 'second'] as const)
        starts[console][kind].push(await start(join(at.folder, `${console}-${round}`), console));
  return (['first', 'second'] as const).flatMap((kind: Kind): BenchResult[] => {
    const by = (console: 'on' | 'off', figure: keyof Start) =>
      median(starts[console][kind].map((one) => one[figure]));
    return [
      {
        name: `${kind} start, longer with the console by`,
        value: by('on', 'ms') - by('off', 'ms'),
        unit: 'ms',
        target: { max: 300 },
        note: `${Math.round(by('off', 'ms'))} ms without`,
      },
      {
        name: `memory after it, more by`,
        value: by('on', 'megabytes') - by('off', 'megabytes'),
        unit: 'MB',
        target: { max: 15 },
        note: `${Math.round(by('off', 'megabytes'))} MB without`,
      },
    ];
  });
}

async function start(dataDir: string, console: 'on' | 'off'): Promise<Start> {
  const service = new ServiceProcess(await freePort(), {
    DATA_DIR: dataDir,
    CONSOLE: console,
    DRAIN_MS: '0',
  });
  const begun = performance.now();
  await service.start();
  const ms = performance.now() - begun;
  // The console is bundled after the start; whether there is such a file is known when that is done.
  if (console === 'on') await fetch(`${service.url}/console/assets/none`).then((reply) => reply.text());
  await sleep(3_000);
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  await service.end('SIGTERM');
  return { ms, megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024 };
}

/** Headings by what the navigation calls their pages. */
const visited = [
  ['Customers', 'Customers'],
  ['Passes', 'Passes'],
  ['Orders', 'Orders'],
  ['Settings', 'Workspace'],
  ['Home', 'Home'],
] as const;

/** Half of the cards are one workspace's, the others those of so many more. */
const others = 100;

function measurePages(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const service = await startService(server, 'console');
    const { port, apiKey, pool, workspaceId, passId } = service;
    const cards = scaled(2_500_000);
    const cardsOfOther = Math.max(1, Math.round(cards / others));
    await fillInstances(pool, workspaceId, passId, 0, cards);
    const other = await fillOthers(service, cardsOfOther);
    // As autovacuum leaves a database: the indexes of texts have taken in what was filled.
    await pool.query('vacuum analyze');
    const url = `http://127.0.0.1:${port}`;
    const shop = new Punchcard({ baseUrl: url, apiKey });
    const { link } = await shop.people.invite({ name: 'Ada', email: 'ada@example.com', role: 'owner' });
    const browser = await startChromium({ viewport: { width: 1280, height: 800 } });
    server.onEnd(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(`${url}${new URL(link ?? '').pathname}`);
    await page.click('button');
    await isThere(page, 'Home');
    return [
      ...(await measureFirstLoad(page, url)),
      ...(await measureChanges(page, 2 * cards)),
      findsOf(await measureFinds(shop, cards), cards),
      findsOf(await measureFinds(new Punchcard({ baseUrl: url, apiKey: other }), cardsOfOther), cardsOfOther),
    ];
  });
}

function findsOf({ p99, slowest }: Awaited<ReturnType<typeof measureFinds>>, cards: number): BenchResult {
  return {
    name: `a search in a workspace of ${cards.toLocaleString('en')} cards, p99`,
    value: p99,
    unit: 'ms',
    target: { max: 50 },
    note: `slowest: ${slowest}`,
  };
}

/** Fills more workspaces; the key of the last. */
async function fillOthers({ port, pool, operatorToken }: Service, cards: number): Promise<string> {
  let last = '';
  for (let made = 0; made < others; made += 1) {
    const body = { name: 'Benchmark', plan: 'pro' };
    const operator = { port, apiKey: operatorToken };
    const { apiKey, workspaceId } = await callService<{ apiKey: string; workspaceId: string }>(
      operator,
      'POST',
      '/operator/workspaces',
      body,
    );
    const passId = await publishPass({ port, apiKey });
    await fillInstances(pool, decodeId('ws', workspaceId) ?? '', decodeId('pass', passId) ?? '', 0, cards);
    last = apiKey;
  }
  return last;
}

/** With nothing of it in the browser yet. */
async function measureFirstLoad(page: Page, url: string): Promise<BenchResult[]> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const loads: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    bytes = 0;
    await session.send('Network.clearBrowserCache');
    const begun = performance.now();
    await page.goto(`${url}/console`);
    await isThere(page, 'Home');
    loads.push(performance.now() - begun);
  }
  return [
    {
      name: 'first load, compressed, with its answers',
      value: bytes / 1e6,
      unit: 'MB',
      target: { max: 0.12 },
    },
    { name: 'until it can be used', value: median(loads), unit: 'ms', target: { max: 600 } },
  ];
}

/** Pages that were open before, since the first visit to each loads its program too; from one that has all its answers. */
async function measureChanges(page: Page, cards: number): Promise<BenchResult[]> {
  const times = new Map<string, number[]>();
  for (let round = 0; round <= options.rounds; round += 1)
    for (const [name, heading] of visited) {
      await sleep(500);
      const begun = performance.now();
      await page.locator('.nav a', { hasText: name }).click();
      await isThere(page, heading);
      if (round > 0) times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
    }
  return [...times].map(([name, all]) => ({
    name: `from a page to ${name}, over ${cards.toLocaleString('en')} cards`,
    value: median(all),
    unit: 'ms',
    target: { max: 150 },
  }));
}

async function isThere(page: Page, heading: string): Promise<void> {
  await page.locator('h1', { hasText: heading }).waitFor();
  await page.locator('main:not(:has([aria-busy="true"]))').waitFor();
}
