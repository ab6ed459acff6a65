import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { loadSharp } from '../kit/pictures/sharp.ts';

describe('the scanner', async () => {
  const app = await startTestApp();
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, { headers, redirect: 'manual' });

  it('shows the same page at all its addresses to everyone, and may use the camera', async () => {
    const page = await ask('/scan');
    assert.equal(page.status, 200);
    assert.equal(await (await ask('/scan/cards/inst_1')).text(), await page.text());
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script';/);
    assert.match(policy, /trusted-types own-script$/);
    assert.ok(!/unsafe|https?:/.test(policy), policy);
    assert.match(page.headers.get('permissions-policy') ?? '', /^camera=\(self\),/);
    const known = { 'if-none-match': page.headers.get('etag') ?? '' };
    assert.equal((await ask('/scan', known)).status, 304);
    assert.equal((await ask('/scanner')).status, 404);
  });

  it('is installed under its name, with icons of the sizes that it says', async () => {
    const [, href = ''] = /rel="manifest" href="([^"]+)"/.exec(await (await ask('/scan')).text()) ?? [];
    const manifest = await ask(href);
    assert.equal(manifest.headers.get('content-type'), 'application/manifest+json');
    const { start_url, scope, display, icons } = (await manifest.json()) as {
      start_url: string;
      scope: string;
      display: string;
      icons: { src: string; sizes: string }[];
    };
    assert.deepEqual([start_url, scope, display], ['/scan', '/scan', 'standalone']);
    const sharp = await loadSharp();
    for (const { src, sizes } of [...icons, { src: '/scan/icons/180.png', sizes: '180x180' }]) {
      const { width, height } = await sharp(await (await ask(src)).arrayBuffer()).metadata();
      assert.equal(`${width}x${height}`, sizes);
    }
    assert.equal((await ask('/scan/icons/1.png')).status, 404);
  });

  it('has a worker that opens it without a network, of the files that this build needs', async () => {
    const worker = await ask('/scan/sw.js');
    assert.equal(worker.status, 200);
    assert.equal(worker.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(worker.headers.get('cache-control'), 'private, no-cache');
    assert.equal(worker.headers.get('service-worker-allowed'), '/scan');
    const [first = '', ...code] = (await worker.text()).split('\n');
    const build = JSON.parse(first.slice('self.build='.length, -1));
    const page = await (await ask('/scan')).text();
    const named = [...new Set(page.match(/\/scan\/assets\/[\w.-]+/g))];
    assert.deepEqual([...build.now].sort(), named.sort());
    for (const path of [...build.now, ...build.later]) assert.equal((await ask(path)).status, 200, path);
    // The decoder of pictures is there before the camera is used for the first time.
    assert.ok(
      build.later.some((path: string) => path.endsWith('.wasm')),
      build.later.join(),
    );
    // Browsers run it as a script that imports nothing.
    assert.ok(!/\b(?:import|export)\b/.test(code.join('\n')));
    const known = { 'if-none-match': worker.headers.get('etag') ?? '' };
    assert.equal((await ask('/scan/sw.js', known)).status, 304);
  });

  it('loads little before it shows something: 60 kB at most', async () => {
    const page = await (await ask('/scan')).text();
    let bytes = 0;
    for (const [name] of page.matchAll(/\/scan\/assets\/[\w.-]+/g)) {
      const file = await fetch(`${app.url}${name}`, {
        method: 'HEAD',
        headers: { 'accept-encoding': 'gzip' },
      });
      assert.equal(file.status, 200);
      bytes += Number(file.headers.get('content-length'));
    }
    assert.ok(bytes > 5_000 && bytes < 60_000, `${bytes} bytes`);
  });

  it('has its decoder next to it, which alone may compile WebAssembly', async () => {
    const worker = await (await ask('/scan/sw.js')).text();
    const [script = ''] = /\/scan\/assets\/decode\.worker-\w+\.js/.exec(worker) ?? [];
    const [wasm = ''] = /\/scan\/assets\/zxing_reader-\w+\.wasm/.exec(worker) ?? [];
    const { headers } = await ask(script);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    );
    const binary = await ask(wasm, { 'accept-encoding': 'br' });
    assert.equal(binary.headers.get('content-type'), 'application/wasm');
    assert.equal(binary.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.ok(Number(binary.headers.get('content-length')) < 450_000);
    assert.equal(Buffer.from(await binary.arrayBuffer()).toString('latin1', 0, 4), '\0asm');
  });

  it('is not there where the console is switched off', async () => {
    const off = await startTestApp({ CONSOLE: 'off' });
    for (const path of ['/scan', '/scan/sw.js']) assert.equal((await fetch(`${off.url}${path}`)).status, 404);
  });
});
