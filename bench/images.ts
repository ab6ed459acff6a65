import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRenditions } from '../src/passes/images/make-renditions.ts';
import type { ImageSlot } from '../src/passes/pass-row.ts';
import { loadDuring } from './http-load.ts';
import type { Load } from './load-plan.ts';
import { type BenchResult, median, report } from './result.ts';
import { callService, type Service, startPartner, startService, withPostgres } from './service.ts';

/**
 * Passes with photos of a megabyte: what a create with three takes over HTTP, against fetching and encoding the same photos
 * with node:https and sharp alone, side by side; and what 64 creates at once, a strip each, cost callers who have another
 * key, and in memory.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const authority = join(server.folder, 'authority.pem');
    const { said: host } = await startPartner(server, 'image-host.ts', authority);
    const service = await startService(server, 'images', {
      FETCH_ALLOW_CIDRS: '127.0.0.1/32',
      NODE_EXTRA_CA_CERTS: authority,
      LOG_LEVEL: 'warn',
    });
    // Drafts without end.
    await service.pool.query("update workspaces set plan = 'pro'");
    const setting = { service, host, ca: await readFile(authority) };
    return [...(await compareCreates(setting)), ...(await crowd(setting))];
  });
}

interface Setting {
  readonly service: Service;
  /** The URL of the server of photos. */
  readonly host: string;
  readonly ca: Buffer;
}

const slots = ['iconUrl', 'stripUrl', 'heroUrl'] as const satisfies readonly ImageSlot[];
const rounds = 7;

async function compareCreates(setting: Setting): Promise<BenchResult[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  // The first round is not counted: it loads sharp on both sides.
  for (let round = 0; round <= rounds; round++) {
    await timed(ours, () => create(setting, setting.service.apiKey, urls(setting, round)));
    await timed(bare, () => bareImages(setting, round));
  }
  const ratios = ours.map((ms, round) => ms / (bare[round] ?? Number.NaN));
  return [
    {
      name: 'a create with three images : fetched and encoded alone',
      value: median(ratios.slice(1)),
      unit: 'x',
      target: { max: 1.3 },
    },
    { name: 'a create with three images', value: median(ours.slice(1)), unit: 'ms' },
    { name: 'three images, fetched and encoded alone', value: median(bare.slice(1)), unit: 'ms' },
  ];
}

/** The URLs of a round's photos, which no other round of the same run has. */
function urls({ host }: Setting, round: number): Record<(typeof slots)[number], string> {
  const [iconUrl, stripUrl, heroUrl] = [0, 1, 2].map((index) => `${host}/${round * 3 + index}.jpg`);
  return { iconUrl: iconUrl ?? '', stripUrl: stripUrl ?? '', heroUrl: heroUrl ?? '' };
}

/** A new pass with images; a refusal that asks to come back later is obeyed. */
async function create(
  { service: { port } }: Setting,
  apiKey: string,
  images: Readonly<Partial<Record<ImageSlot, string>>>,
): Promise<void> {
  for (;;) {
    const reply = await fetch(`http://127.0.0.1:${port}/v1/passes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Photos', type: 'loyalty', ...images }),
    });
    const answer = await reply.text();
    if (reply.status === 201) return;
    assert.equal(reply.status, 503, answer);
    await sleep(Number(reply.headers.get('retry-after')) * 1_000);
  }
}

/** What a program does that wants these files and nothing else. */
async function bareImages(setting: Setting, round: number): Promise<void> {
  await Promise.all(
    Object.entries(urls(setting, round)).map(async ([slot, url]) =>
      makeRenditions(slot as ImageSlot, await download(url, setting.ca)),
    ),
  );
}

function download(url: string, ca: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    }).on('error', reject);
  });
}

const creates = 64;
const keys = 16;
const crowds = 3;

async function crowd(setting: Setting): Promise<BenchResult[]> {
  const apiKeys = await Promise.all(
    Array.from({ length: keys }, (_, index) => newKey(setting.service, index)),
  );
  const measured: { quiet: Load; busy: Load; totalMs: number }[] = [];
  const { pid } = setting.service;
  let [serviceMb, rendererMb] = [0, 0];
  const watch = setInterval(() => {
    serviceMb = Math.max(serviceMb, residentMb(pid));
    rendererMb = Math.max(rendererMb, ...childrenOf(pid).map(residentMb));
  }, 200).unref();
  for (let round = 0; round < crowds; round++) {
    const quiet = await callers(setting.service, () => sleep(5_000));
    const took: number[] = [];
    const busy = await callers(setting.service, () =>
      timed(took, async () => {
        const stripUrls = Array.from({ length: creates }, (_, index) => `${setting.host}/${index}.jpg`);
        await Promise.all(
          stripUrls.map((stripUrl, index) => create(setting, apiKeys[index % keys] ?? '', { stripUrl })),
        );
      }),
    );
    measured.push({ quiet, busy, totalMs: took[0] ?? Number.NaN });
  }
  clearInterval(watch);
  const middle = (pick: (one: (typeof measured)[number]) => number) => median(measured.map(pick));
  return [
    {
      name: `p99 of another key's GETs during ${creates} creates : quiet`,
      value: middle(({ busy, quiet }) => busy.p99Ms / quiet.p99Ms),
      unit: 'x',
      target: { max: 2 },
      note: `${middle(({ busy }) => busy.p99Ms).toFixed(1)} ms : ${middle(({ quiet }) => quiet.p99Ms).toFixed(1)} ms`,
    },
    { name: 'memory of the service, at most', value: serviceMb, unit: 'MB', target: { max: 400 } },
    {
      name: 'memory of the process that renders, at most',
      value: rendererMb,
      unit: 'MB',
      target: { max: 300 },
    },
    {
      name: `${creates} creates with a strip each`,
      value: middle(({ totalMs }) => totalMs),
      unit: 'ms',
    },
  ];
}

async function newKey(service: Service, index: number): Promise<string> {
  const { secret } = await callService<{ secret: string }>(service, 'POST', '/api-keys', {
    name: `Till ${index}`,
    access: 'full',
  });
  return secret;
}

/** A few callers who look cards up, as tills do, for as long as `work` takes. */
function callers({ port, headers, publicPassId }: Service, work: () => Promise<unknown>): Promise<Load> {
  const text = `GET /v1/passes/${publicPassId}/instances?limit=1 HTTP/1.1\r\n${headers}\r\n`;
  return loadDuring({ port, connections: 2, texts: [text], restMs: 10 }, work);
}

/** What a process holds; of what it shares with others its part. */
function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kilobytes) / 1_024;
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** Nothing of a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  times.push(performance.now() - started);
  return result;
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
