import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { SIGN_IN_PAGE_STYLE } from '../rendering/page-style.ts';
import { cookieOf, makePerson, sameOrigin, signInAs } from '../sign-in/people.fixture.ts';

describe('the console', async () => {
  const app = await startTestApp();
  const browser = await signInAs(app, 'viewer', app.client);
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${app.url}${path}`, { method, headers, redirect: 'manual' });
  const signedIn = (path: string, headers = {}, method = 'GET') =>
    ask(path, { ...browser.headers, ...headers }, method);
  const assets = async () =>
    [...(await (await signedIn('/console')).text()).matchAll(/\/console\/assets\/[\w.-]+/g)].map(
      ([name]) => name,
    );

  it('shows the same page at all its addresses, which says what it may load', async () => {
    const page = await signedIn('/console');
    const deep = await signedIn('/console/passes/pass_1/design?tab=2', { accept: 'text/html' });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(await deep.text(), await page.text());
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.match(
      policy,
      /frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types web-card$/,
    );
    assert.ok(!/unsafe|https?:/.test(policy), policy);
    const known = { 'if-none-match': page.headers.get('etag') ?? '' };
    assert.equal((await signedIn('/console/cards', known)).status, 304);
    const head = await signedIn('/console', {}, 'HEAD');
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal((await signedIn('/console', {}, 'POST')).status, 404);
    assert.equal((await signedIn('/consoles')).status, 404);
  });

  it('has files that are kept for good, in the coding that a browser takes', async () => {
    const names = await assets();
    assert.ok(names.length >= 3, names.join());
    for (const name of names) {
      const plain = await ask(name);
      assert.equal(plain.status, 200, name);
      assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(plain.headers.get('vary'), 'accept-encoding');
      const text = await plain.text();
      for (const coding of ['br', 'gzip']) {
        const packed = await ask(name, { 'accept-encoding': coding });
        assert.equal(packed.headers.get('content-encoding'), coding);
        assert.equal(await packed.text(), text);
      }
      const etag = plain.headers.get('etag') ?? '';
      assert.equal((await ask(name, { 'if-none-match': etag })).status, 304);
    }
    assert.equal((await ask('/console/assets/console-00000000.js')).status, 404);
    assert.equal((await ask('/console/assets/../../package.json')).status, 404);
    assert.equal((await ask('/console/assets/%2e%2e%2fpackage.json')).status, 404);
  });

  it('loads little before it shows something: 60 kB at most, and 110 with its letters', async () => {
    let bytes = 0;
    for (const name of await assets()) {
      const { headers } = await ask(name, { 'accept-encoding': 'gzip' }, 'HEAD');
      bytes += Number(headers.get('content-length'));
    }
    assert.ok(bytes < 60_000, `${bytes} bytes`);
    const styles = (await assets()).find((name) => name.endsWith('.css')) ?? assert.fail('no styles');
    const [latin] = /inter-latin-wght-normal-\w+\.woff2/.exec(await (await ask(styles)).text()) ?? [];
    const { headers } = await ask(`/console/assets/${latin}`, {}, 'HEAD');
    assert.equal(headers.get('content-type'), 'font/woff2');
    bytes += Number(headers.get('content-length'));
    assert.ok(bytes < 110_000, `${bytes} bytes`);
  });

  it('sends who is not signed in away, and back to where they wanted to go', async () => {
    assert.equal((await ask('/console')).headers.get('location'), '/sign-in');
    const away = await ask('/console/orders?status=paid');
    const signIn = '/sign-in?next=%2Fconsole%2Forders%3Fstatus%3Dpaid';
    assert.deepEqual([away.status, away.headers.get('location')], [303, signIn]);
    assert.equal(await backFrom(signIn), '/console/orders?status=paid');
    assert.equal(await backFrom('/sign-in?next=%2Fscan'), '/scan');
    assert.equal(await backFrom('/sign-in'), '/console');
  });

  for (const next of [
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/\t/evil.example/console',
    '/consolevil',
    '/scanner.example',
    '/console/../passes',
    'javascript:alert(1)//console',
    '/console/%0d%0aset-cookie:x=1',
  ])
    it(`leads nowhere else: ${next}`, async () => {
      const location = await backFrom(`/sign-in?next=${encodeURIComponent(next)}`);
      assert.match(location, /^\/console(?:$|\/%0d%0a)/);
    });

  it('has the colours of the pages on which people sign in', async () => {
    const tokens = await readFile(new URL('../../web/shared/tokens.css', import.meta.url), 'utf8');
    const colors = (text: string) =>
      [...text.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, color]) => `${name} ${color}`);
    const [light = '', dark = ''] = tokens.split(/data-theme=.dark/).map((part) => colors(part).join());
    const [ours = '', inTheDark = ''] = SIGN_IN_PAGE_STYLE.split('prefers-color-scheme: dark');
    assert.ok(colors(ours).length > 5);
    for (const color of colors(ours)) assert.ok(light.includes(color), color);
    for (const color of colors(inTheDark)) assert.ok(dark.includes(color), color);
  });

  it('is not there where it is switched off', async () => {
    const off = await startTestApp({ CONSOLE: 'off' });
    assert.equal((await fetch(`${off.url}/console`, { redirect: 'manual' })).status, 404);
    const home = await fetch(off.url, { headers: { accept: 'text/html' } });
    assert.equal(home.status, 200);
  });

  /** Where a browser ends up that opened this page and then followed its link. */
  async function backFrom(page: string): Promise<string> {
    const { link } = await makePerson(app.client, 'viewer');
    const opened = await ask(page);
    assert.equal(opened.status, 200);
    const cookie = cookieOf({ headers: opened.headers });
    const followed = await ask(new URL(link).pathname, { ...sameOrigin, cookie }, 'POST');
    assert.equal(followed.status, 303);
    return followed.headers.get('location') ?? '';
  }
});
