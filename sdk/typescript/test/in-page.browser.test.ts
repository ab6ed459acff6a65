import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { findChromium, howToInstall, startChromium } from '../../../test/chromium.ts';
import { startTestApp } from '../../../test/harness.ts';
import { compileClient } from './compile-client.ts';
import { openShop } from './shop.ts';

const isMissing = findChromium() === null;
if (isMissing && process.env.CI !== undefined) throw new Error(howToInstall);

describe('the client in Chromium', { skip: isMissing && howToInstall }, async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const { apiKey, passId } = await openShop(app);
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-page-'));
  await compileClient(folder);
  // A site with a page, the compiled client, and the service behind it.
  const site = createServer(async (request, response) => {
    const { url = '/', method, headers } = request;
    if (url.startsWith('/v1/')) {
      const outgoing = requestOf(`${app.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(outgoing);
    } else if (url.startsWith('/client/')) {
      response.setHeader('content-type', 'text/javascript');
      response.end(await readFile(join(folder, url.slice('/client/'.length))));
    } else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Till</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const chromium = await startChromium();
  after(async () => {
    await chromium.close();
    site.closeAllConnections();
    site.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('issues, lists, sends a file, is refused and verifies as elsewhere', async () => {
    const page = await chromium.context.newPage();
    await page.goto(url);
    const said = await page.evaluate(inPage, { url, apiKey, passId });
    assert.deepEqual(said, {
      balance: 5,
      status: 200,
      identifiers: ['browser'],
      refusal: ['InsufficientPointsError', 5, 10],
      added: 2,
      ended: 'AbortError',
    });
  });
});

/** Runs in the page. */
async function inPage({ url, apiKey, passId }: Readonly<Record<'url' | 'apiKey' | 'passId', string>>) {
  const address = '/client/index.js';
  const client: typeof import('../src/index.ts') = await import(address);
  const punchcard = new client.Punchcard({ baseUrl: url, apiKey });
  const card = { passId, identifier: 'browser' };
  await punchcard.instances.issue(passId, { holder: { identifier: 'browser' } });
  const award = await punchcard.loyalty.earn({ ...card, points: 5 });
  const cards = await punchcard.instances.list(passId).toArray();
  const refused = await punchcard.loyalty.redeem(card).catch((error: unknown) => error);
  const isKnown = refused instanceof client.InsufficientPointsError;
  const pool = await punchcard.passes.create({ title: 'Pool', type: 'coupon', barcode: { mode: 'pool' } });
  const { added } = await punchcard.barcodes.upload(pool.passId, new Blob(['A-1\nA-2\n']));
  const stop = new AbortController();
  const ended = punchcard.workspace.get({ signal: stop.signal }).catch((error: Error) => error.name);
  stop.abort();
  const headers = new Headers({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  const now = () => 1_614_265_330_000;
  client.verifySignature('{"test": 2432232314}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now });
  return {
    balance: award.balance,
    status: award.$response.status,
    identifiers: cards.map(({ holder }) => holder?.identifier),
    refusal: isKnown ? [refused.name, refused.balance, refused.cost] : [String(refused)],
    added,
    ended: await ended,
  };
}
