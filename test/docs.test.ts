import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errors } from '../src/errors.ts';
import { routes } from '../src/routes.ts';
import { describeApi } from '../src/start/reference.ts';
import { wordsForPattern } from '../tools/docs-site/type-words.ts';
import { words } from '../tools/docs-site/words.ts';
import { startTestApp } from './harness.ts';

const app = await startTestApp({ WORKERS: 'off', RATE_LIMIT_PER_SECOND: '10000' });
const { document } = describeApi(routes, app.config.publicUrl);

/** Every page that the start page leads to, by its path. */
const pages = await crawl('/docs');

async function crawl(start: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const ahead = [start];
  for (const path of ahead) {
    if (found.has(path)) continue;
    const reply = await fetch(`${app.url}${path}`);
    const page = await reply.text();
    assert.equal(reply.status, 200, `${path}\n${page}`);
    found.set(path, page);
    ahead.push(...linksOf(page).flatMap(([target]) => (target.startsWith('/docs') ? [target] : [])));
  }
  return found;
}

/** Where a page leads: a path and an anchor each. */
function linksOf(page: string): [path: string, anchor: string | undefined][] {
  return [...page.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => {
    const [path = '', anchor] = href.split('#');
    return [path, anchor];
  });
}

describe('the pages of /docs', () => {
  test('have a place for every operation, group, error and guide, and lead nowhere else', () => {
    for (const { endpoint } of routes) assert.ok(pages.has(`/docs/${endpoint.op}`), endpoint.op);
    const start = pages.get('/docs') ?? '';
    for (const { endpoint } of routes) {
      assert.ok(start.includes(`href="/docs/${endpoint.op}"`), endpoint.op);
      assert.ok(start.includes(`id="${endpoint.op}"`), 'the anchor from when all was one page');
    }
    const listed = pages.get('/docs/errors') ?? '';
    for (const code of Object.keys(errors)) assert.ok(listed.includes(`id="${code}"`), code);
    for (const guide of [
      'first-card',
      'till',
      'retries',
      'following-events',
      'live-with-apple',
      'live-with-google',
    ])
      assert.ok(pages.has(`/docs/${guide}`), guide);
  });

  test('link to pages and anchors that exist', () => {
    let count = 0;
    for (const [path, page] of pages) {
      for (const [to, anchor] of linksOf(page)) {
        if (/^https:\/\//.test(to) || to === '/openapi.json') continue;
        const target = pages.get(to === '' ? path : to);
        assert.ok(target !== undefined, `${path} leads to ${to}`);
        if (anchor === undefined) continue;
        count += 1;
        assert.ok(target.includes(` id="${anchor}"`), `${path} leads to ${to}#${anchor}`);
      }
    }
    assert.ok(count > 1_000, String(count));
  });

  test('are of a size that a phone opens at once, and say what values may be in words', () => {
    for (const [path, page] of pages) {
      assert.ok(Buffer.byteLength(page) < 100_000, `${path}: ${Buffer.byteLength(page)}`);
      // What is copied goes to the service that shows it.
      assert.doesNotMatch(page, /localhost:3000/, path);
      assert.doesNotMatch(page.slice(page.indexOf('<main')), /\[\^|\\x[0-9a-f]{2}|\{\d+,\d*\}/, path);
    }
    JSON.stringify(document, (name, value) => {
      if (name === 'pattern' && typeof value === 'string')
        assert.ok(
          wordsForPattern(value, words) !== undefined,
          `say in tools/docs-site/words.ts what ${value} means to a reader`,
        );
      return value;
    });
  });

  test('are kept by browsers and sent compressed', async () => {
    for (const path of ['/docs', '/v1/docs', '/docs/earnPoints', '/docs/errors', '/docs/till']) {
      const ask = (headers: Record<string, string>) => fetch(`${app.url}${path}`, { headers });
      const plain = await ask({ 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal(plain.headers.get('cache-control'), 'public, max-age=300');
      assert.equal(plain.headers.get('vary'), 'accept-encoding');
      assert.match(
        plain.headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      const page = await plain.text();
      const zipped = await ask({ 'accept-encoding': 'br;q=1, GZIP;q=0.5' });
      assert.equal(zipped.headers.get('content-encoding'), 'gzip');
      assert.equal(await zipped.text(), page);
      assert.ok(Number(zipped.headers.get('content-length')) < Buffer.byteLength(page) / 3);
      assert.notEqual(zipped.headers.get('etag'), plain.headers.get('etag'));
      assert.equal((await ask({ 'accept-encoding': 'gzip;q=0, *' })).headers.get('content-encoding'), null);
      for (const first of [plain, zipped]) {
        const coding = first.headers.get('content-encoding') ?? 'identity';
        const revalidated = await ask({
          'accept-encoding': coding,
          'if-none-match': first.headers.get('etag') ?? '',
        });
        assert.deepEqual([revalidated.status, await revalidated.text()], [304, '']);
        assert.equal(revalidated.headers.get('etag'), first.headers.get('etag'));
      }
    }
  });

  test('of which there is none is 404: as a page in a browser, else as any other path', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/..%2fGLOSSARY.md',
      '/docs/first-card.md',
      '/docs/__proto__',
    ]) {
      const program = await fetch(`${app.url}${path}`);
      const body = (await program.json()) as { code: string };
      assert.deepEqual([program.status, body.code], [404, 'route_not_found'], path);
      const browser = await fetch(`${app.url}${path}`, { headers: { accept: 'text/html' } });
      assert.equal(browser.status, 404);
      assert.match(await browser.text(), /<h1>There is no such page<\/h1>/);
    }
  });
});

describe('the search', () => {
  const find = async (query: string) => {
    const reply = await fetch(`${app.url}/docs/search?${new URLSearchParams({ q: query })}`);
    assert.equal(reply.status, 200);
    const page = await reply.text();
    const main = page.slice(page.indexOf('<main'));
    return { page, hrefs: [...main.matchAll(/<li><a href="([^"]*)"/g)].map(([, href = '']) => href) };
  };

  test('finds every operation by its name and by its path, and every error by its code', async () => {
    for (const { endpoint, method, path } of routes) {
      assert.equal((await find(endpoint.op)).hrefs[0], `/docs/${endpoint.op}`);
      assert.ok((await find(`${method} /v1${path}`)).hrefs.includes(`/docs/${endpoint.op}`), path);
    }
    for (const code of Object.keys(errors)) assert.equal((await find(code)).hrefs[0], `/docs/errors#${code}`);
  });

  test('finds fields, words in another case, several of them, and headings of guides', async () => {
    assert.ok((await find('limitedBy')).hrefs.includes('/docs/earnPoints'));
    assert.ok((await find('  REDEEM   reward ')).hrefs.includes('/docs/redeemReward'));
    assert.ok((await find('certificate request')).hrefs[0]?.startsWith('/docs/live-with-apple#'));
    const { page, hrefs } = await find('xyzzy plugh');
    assert.deepEqual(hrefs, []);
    assert.match(page, /Nothing was found for “xyzzy plugh”/);
    assert.match((await find('')).page, /href="\/docs#operations"/);
    for (const href of (await find('barcode')).hrefs) assert.ok(pages.has(href.split('#')[0] ?? ''), href);
  });

  test('shows what was asked as text, whatever it is', async () => {
    for (const query of ['"><script>alert(1)</script>', "' onfocus='x", '\u202e', '%00%', '.*(', '\ud800']) {
      const { page } = await find(query);
      assert.doesNotMatch(page.replaceAll(/"[^"]*"/g, '""'), /<script|<b>|<input[^>]*onfocus/);
    }
    const long = await fetch(`${app.url}/docs/search?q=${'a'.repeat(201)}`);
    assert.equal(long.status, 400);
  });
});
