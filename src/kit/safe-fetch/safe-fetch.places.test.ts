import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { file, flood, type WebHandler } from '../../../tools/fakes/web-host.ts';
import { startLab } from './safe-fetch.fixture.ts';

const lab = await startLab();
const fiveBytes = file(Buffer.from('five!'));
lab.web.on('/file', fiveBytes);
const folder = await mkdtemp(join(tmpdir(), 'safe-fetch-'));
after(() => rm(folder, { recursive: true, force: true }));
const trusting = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
await writeFile(trusting.NODE_EXTRA_CA_CERTS, lab.authority.certificate.toString());

/** Answers on command. */
class Held {
  readonly #held: (() => void)[] = [];
  readonly handler: WebHandler = (request, response) => {
    this.#held.push(() => fiveBytes(request, response));
  };

  get count(): number {
    return this.#held.length;
  }

  release(count = this.#held.length): void {
    for (const answer of this.#held.splice(0, count)) answer();
  }
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    assert.ok(performance.now() < end, 'it does not happen');
    await sleep(5);
  }
}

const size = async (bytes: Buffer) => bytes.length;

describe('the places for fetches', () => {
  it('are four for each key', async () => {
    const held = new Held();
    lab.web.on('/held', held.handler);
    const mine = Array.from({ length: 10 }, () => lab.fetchUrl(lab.url('/held'), { key: 'a', use: size }));
    await until(() => held.count === 4);
    await sleep(50);
    assert.equal(lab.web.open, 4);
    assert.equal(await lab.fetchUrl(lab.url('/file'), { key: 'b', use: size }), 5);
    held.release(1);
    await until(() => held.count === 4);
    const watch = setInterval(() => held.release(), 5);
    assert.deepEqual(await Promise.all(mine), Array(10).fill(5));
    clearInterval(watch);
    await until(() => lab.web.open === 0);
  });

  it('are thirty-two in all', async () => {
    const held = new Held();
    lab.web.on('/held', held.handler);
    const all = Array.from({ length: 60 }, (_, index) =>
      lab.fetchUrl(lab.url('/held'), { key: `key ${index % 15}`, use: size }),
    );
    await until(() => held.count === 32);
    await sleep(50);
    assert.equal(lab.web.open, 32);
    const watch = setInterval(() => held.release(), 5);
    await Promise.all(all);
    clearInterval(watch);
  });

  it('are kept until the bytes have been used, and freed when that fails', async () => {
    const ends: (() => void)[] = [];
    const use = async (bytes: Buffer) => {
      await new Promise<void>((resolve) => ends.push(resolve));
      throw new Error(`${bytes.length} bytes are no use`);
    };
    const all = Array.from({ length: 5 }, () => lab.fetchUrl(lab.url('/file'), { key: 'a', use }));
    const settled = Promise.allSettled(all);
    await until(() => ends.length === 4);
    await sleep(50);
    assert.equal(ends.length, 4);
    ends[0]?.();
    await until(() => ends.length === 5);
    for (const end of ends) end();
    for (const outcome of await settled)
      assert.match(String(outcome.status === 'rejected' && outcome.reason), /no use/);
    assert.equal(await lab.fetchUrl(lab.url('/file'), { key: 'a', use: size }), 5);
  });

  it('are freed by what is refused', async () => {
    const refused = Array.from({ length: 40 }, (_, index) =>
      lab.outcome(index % 2 ? `https://127.0.0.2:${index + 1}/` : lab.url(`/none${index}`)),
    );
    await Promise.all(refused);
    assert.equal(await lab.outcome(lab.url('/file')), '200 5');
  });
});

describe('a signal', () => {
  const gone = new Error('the caller has gone');

  it('ends a fetch wherever it is, and the connection with it', async () => {
    const held = new Held();
    lab.web.on('/held', held.handler);
    lab.web.on('/half', (_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('five!'),
    );
    lab.names.answer('silent.example.test', 'silence');
    for (const url of [lab.url('/held'), lab.url('/half'), lab.url('/file', 'silent')]) {
      const caller = new AbortController();
      const fetching = lab.fetchUrl(url, { key: 'a', use: size, signal: caller.signal });
      setTimeout(() => caller.abort(gone), 100);
      const began = performance.now();
      await assert.rejects(fetching, gone);
      assert.ok(performance.now() - began < 5_000);
      await until(() => lab.web.open === 0);
      assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
    }
  });

  it('that has been given before lets nothing begin', async () => {
    const connections = lab.web.connections;
    await assert.rejects(
      lab.fetchUrl(lab.url('/file'), { key: 'a', use: size, signal: AbortSignal.abort(gone) }),
      gone,
    );
    assert.equal(lab.web.connections, connections);
  });

  it('ends the wait for a place', async () => {
    const held = new Held();
    lab.web.on('/held', held.handler);
    const running = Array.from({ length: 4 }, () => lab.fetchUrl(lab.url('/held'), { key: 'a', use: size }));
    await until(() => held.count === 4);
    const caller = new AbortController();
    const waiting = lab.fetchUrl(lab.url('/file'), { key: 'a', use: size, signal: caller.signal });
    const requests = lab.web.count('/file');
    caller.abort(gone);
    await assert.rejects(waiting, gone);
    held.release();
    await Promise.all(running);
    assert.equal(lab.web.count('/file'), requests);
  });

  it('lets what is made of the bytes come to its end', async () => {
    const caller = new AbortController();
    const use = async () => {
      caller.abort(gone);
      await sleep(20);
      return 'made';
    };
    assert.equal(await lab.fetchUrl(lab.url('/file'), { key: 'a', use, signal: caller.signal }), 'made');
  });
});

describe('a process of its own', () => {
  it('is not led over a proxy by its environment, and not kept from checking certificates', async (t) => {
    let proxied = 0;
    const proxy = createServer((socket) => {
      proxied++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    t.after(() => proxy.close());
    const address = proxy.address();
    const proxyUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const environment = {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: proxyUrl,
      https_proxy: proxyUrl,
      HTTP_PROXY: proxyUrl,
      ALL_PROXY: proxyUrl,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    };
    const url = lab.url('/file');
    assert.equal((await fetchInProcess(url, { ...environment, ...trusting })).outcome, 5);
    assert.equal((await fetchInProcess(url, environment)).outcome, 'unreachable');
    assert.equal(proxied, 0);
  });

  it('grows by less than 64 MiB, however the bytes are sent', async () => {
    lab.web.on('/large', flood(20_971_520, { 'content-length': '20971520' }));
    lab.web.on('/chunked', flood(20_971_520));
    lab.web.on('/endless', flood(Number.POSITIVE_INFINITY));
    const outcomes = { '/large': 20_971_520, '/chunked': 20_971_520, '/endless': 'too_large' };
    for (const [path, expected] of Object.entries(outcomes)) {
      const { outcome, grownBy } = await fetchInProcess(lab.url(path), trusting);
      assert.equal(outcome, expected);
      assert.ok(grownBy < 64 * 1_048_576, `${grownBy} bytes for ${path}`);
    }
  });
});

interface Outcome {
  readonly outcome: number | string;
  /** The most memory that it has had, beyond what it had before. */
  readonly grownBy: number;
}

/** Fetches in a process of its own with these variables. */
async function fetchInProcess(url: string, environment: Record<string, string>): Promise<Outcome> {
  const program = `
    import dns from 'node:dns';
    import { createSafeFetch } from ${JSON.stringify(new URL('safe-fetch.ts', import.meta.url).href)};
    dns.setServers([${JSON.stringify(lab.names.address)}]);
    const fetchUrl = createSafeFetch({ allow: ['127.0.0.1/32'], userAgent: 'Lab' });
    const before = process.resourceUsage().maxRSS;
    const use = async (bytes) => bytes.length;
    const outcome = await fetchUrl(${JSON.stringify(url)}, { key: 'a', use }).catch((error) => error.reason);
    const grownBy = (process.resourceUsage().maxRSS - before) * 1024;
    process.stdout.write(JSON.stringify({ outcome, grownBy }));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(await text(child.stdout));
}
