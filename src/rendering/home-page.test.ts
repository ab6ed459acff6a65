import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';

const app = await startTestApp({ WORKERS: 'off' });
const codeOf = (text: string) => JSON.parse(text).code;
const ask = (accept: string, method = 'GET') => fetch(`${app.url}/`, { method, headers: { accept } });

test('a browser shows what this is and where to go', async () => {
  const reply = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
  const page = await reply.text();
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(
    reply.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; .*frame-ancestors 'none'$/,
  );
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
  assert.doesNotMatch(page, /<script|\sstyle=|\son[a-z]+=/i);
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(links, ['/console', '/scan', '/docs', '/openapi.json', '/healthz', '/readyz']);
  for (const path of links) assert.equal((await fetch(`${app.url}${path}`)).status, 200, path);
  const head = await ask('text/html', 'HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('a program gets not_found, and the page takes nothing', async () => {
  for (const accept of ['application/json', '*/*']) {
    const reply = await ask(accept);
    const text = await reply.text();
    assert.deepEqual([reply.status, codeOf(text)], [404, 'route_not_found']);
    // A first look at the address says where to go on.
    assert.match(text, /\/v1\b.*\/openapi\.json.*\/docs/);
  }
  const posted = await ask('text/html', 'POST');
  assert.deepEqual([posted.status, codeOf(await posted.text())], [404, 'route_not_found']);
});
