import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectShop, openShop } from '../../src/invitations/sweeps/sweeps.fixture.ts';
import { RawClient } from '../../src/kit/http/server/raw-client.fixture.ts';
import { loadSharp } from '../../src/kit/pictures/sharp.ts';
import { fileOf, sendFile } from '../../src/loyalty/balances.fixture.ts';
import { Till } from '../../src/loyalty/till.fixture.ts';
import { barcodesPath, makePool, poolOf } from '../../src/passes/pool.fixture.ts';
import { startInternet } from '../../tools/fakes/internet.ts';
import { file } from '../../tools/fakes/web-host.ts';
import { assertRefused, type Client, type Json, type Reply } from '../client.ts';
import { makeKey, makePass } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { until } from '../wallets.ts';

/**
 * A thief of a key may begin many calls that take long, by images that come slowly or a body that does. From the
 * moment that the key is revoked none of them changes anything.
 */
const internet = await startInternet();
after(() => internet.close());
const app = await startTestApp({ WORKERS: 'off', FETCH_ALLOW_CIDRS: '127.0.0.1/32' });
const { client } = await app.newWorkspace();
const sharp = await loadSharp();
const picture = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#20a060' } })
  .png()
  .toBuffer();

let serial = 0;

/** The address of an image that is sent when the test has done something, after it was asked for. */
function slowImage(work: () => Promise<unknown>): string {
  serial += 1;
  const path = `/${serial}.png`;
  internet.web.on(path, (request, response) => void work().then(() => file(picture)(request, response)));
  return internet.url(path);
}

/** What ends a key, or takes from it what the call needs; and what the call is refused with. */
const endings: Readonly<
  Record<string, readonly [code: Parameters<typeof assertRefused>[1], end: (key: Json) => Promise<Reply>]>
> = {
  revoked: ['invalid_api_key', ({ keyId }) => client.delete(`/api-keys/${keyId}`)],
  'given a new secret': ['invalid_api_key', ({ keyId }) => client.post(`/api-keys/${keyId}/rotate`, {})],
  'made read-only': [
    'insufficient_scope',
    ({ keyId }) => client.patch(`/api-keys/${keyId}`, { access: 'read' }),
  ],
  'restricted to another pass': [
    'insufficient_scope',
    async ({ keyId }) => {
      const { passId } = await makePass(client);
      return client.patch(`/api-keys/${keyId}`, { passIds: [passId] });
    },
  ],
};

describe('while images are fetched', () => {
  for (const [what, [code, end]] of Object.entries(endings)) {
    it(`a key that is ${what} makes no pass, with a key of the call or without`, async () => {
      const title = `By a key that is ${what}`;
      for (const headers of [undefined, { 'idempotency-key': `once ${what}` }]) {
        const { key, client: thief } = await makeKey(client);
        const iconUrl = slowImage(() => end(key));
        const body = { title, type: 'loyalty', iconUrl };
        assertRefused(await thief.post('/passes', body, headers && { headers }), code);
      }
      const { data } = (await client.get('/passes?limit=100')).body;
      assert.ok(!data.some((pass: Json) => pass.title === title));
    });

    it(`a key that is ${what} changes no pass`, async () => {
      const { key, client: thief } = await makeKey(client);
      const { passId } = await makePass(client);
      const iconUrl = slowImage(() => end(key));
      assertRefused(await thief.patch(`/passes/${passId}`, { title: 'Stolen', iconUrl }), code);
      const { title, images } = (await client.get(`/passes/${passId}`)).body;
      assert.deepEqual([title, images], ['Blue Bean Club', {}]);
    });
  }

  it('a workspace that is suspended no longer changes anything', async () => {
    const other = await app.newWorkspace();
    const { passId } = await makePass(other.client);
    const suspend = (suspended: boolean) =>
      app.operator.patch(`/operator/workspaces/${other.workspaceId}`, { suspended });
    const iconUrl = slowImage(() => suspend(true));
    assertRefused(await other.client.patch(`/passes/${passId}`, { iconUrl }), 'workspace_suspended');
    await suspend(false);
  });

  it('a key that was given more before goes on, and an unchanged one', async () => {
    const { key, client: till } = await makeKey(client);
    const iconUrl = slowImage(() => client.patch(`/api-keys/${key.keyId}`, { name: 'Till 5' }));
    const headers = { 'idempotency-key': 'the till' };
    const made = await till.post('/passes', { title: 'Own', type: 'loyalty', iconUrl }, { headers });
    assert.equal(made.status, 201, made.text);
    // The image would not be sent a second time.
    const repeat = await till.post('/passes', { title: 'Own', type: 'loyalty', iconUrl }, { headers });
    assert.equal(repeat.text, made.text);
  });
});

describe('while a store is asked', () => {
  it('a key that is revoked starts no sweep', async () => {
    const { key, client: thief } = await makeKey(client);
    const shop = await openShop();
    const domain = await gateBefore(shop.domain, () => client.delete(`/api-keys/${key.keyId}`));
    const { accessToken, webhookSecret } = shop;
    const { sweep } = await connectShop(client, { domain, accessToken, webhookSecret });
    assertRefused(await thief.post(sweep, {}), 'invalid_api_key');
    assertRefused(await client.get(sweep), 'sweep_not_found');
  });
});

/** The address of a gate before a server: its first bytes are let through when the test has done something. */
async function gateBefore(domain: string, work: () => Promise<unknown>): Promise<string> {
  const [host, port] = domain.split(':');
  const sockets = new Set<Socket>();
  const gate = createServer(async (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    await work();
    const onwards = connect(Number(port), host);
    sockets.add(onwards);
    onwards.on('error', () => socket.destroy());
    socket.pipe(onwards).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    gate.close();
  });
  return `127.0.0.1:${(gate.address() as AddressInfo).port}`;
}

describe('while its body arrives', () => {
  /** Sends the head of a request, waits until the body is wanted, does something, and sends the body after a while. */
  async function slowly(by: Client, path: string, type: string, body: string, work: () => Promise<unknown>) {
    const raw = new RawClient(Number(new URL(app.url).port));
    raw.send(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${by.secret}\r\nContent-Type: ${type}\r\n` +
        `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const answering = raw.answer('POST');
    while (!raw.isContinued) await sleep(5);
    await work();
    // As late as a request may be before its key is asked for again.
    await sleep(250);
    raw.send(body);
    const answer = await answering;
    raw.destroy();
    assert.ok(answer);
    return { status: answer.status, ...JSON.parse(answer.body) };
  }

  it('a revoked key creates nothing', async () => {
    const { key, client: thief } = await makeKey(client);
    const revoke = () => client.delete(`/api-keys/${key.keyId}`);
    const body = JSON.stringify({ title: 'Arrived late', type: 'loyalty' });
    const { status, code } = await slowly(thief, '/passes', 'application/json', body, revoke);
    assert.deepEqual([status, code], [401, 'invalid_api_key']);
    const { data } = (await client.get('/passes?limit=100')).body;
    assert.ok(!data.some((pass: Json) => pass.title === 'Arrived late'));
  });

  it('a revoked key uploads no codes', async () => {
    const { key, client: thief } = await makeKey(client);
    const revoke = () => client.delete(`/api-keys/${key.keyId}`);
    const pool = await makePool(client);
    const { status, code } = await slowly(thief, barcodesPath(pool), 'text/csv', 'A-1\nA-2\n', revoke);
    assert.deepEqual([status, code], [401, 'invalid_api_key']);
    assert.equal((await poolOf(client, pool)).total, 0);
  });
});

describe('while a file is processed', () => {
  it('a revoked key sets no further balances', async () => {
    const till = await Till.open(app);
    // What waits for a card is given up after two seconds: a machine that was too busy for that has shown nothing.
    let heldMs = Number.POSITIVE_INFINITY;
    while (heldMs > 1_500) heldMs = await importAndRevoke(till);
    await till.assertSound();
  });

  /** How long the import's lines were kept waiting; looked at only where that was short enough. */
  async function importAndRevoke(till: Till): Promise<number> {
    const { key, client: thief } = await makeKey(till.client);
    const names = Array.from({ length: 300 }, () => `customer-${randomUUID()}`);
    const cards: Json[] = [];
    for (let at = 0; at < names.length; at += 100) {
      const instances = names.slice(at, at + 100).map((identifier) => ({ holder: { identifier } }));
      const { body } = await till.client.post(`/passes/${till.passId}/instances/batch`, { instances });
      cards.push(...body.results.map(({ instance }: Json) => instance));
    }
    const lines = fileOf(Object.fromEntries(names.map((name) => [name, 5])));
    // A hundred lines are a batch, and two batches are under way at once: neither ends before its card is let go.
    let waitsSince = 0;
    const importing = await till.whileLocked(cards[0], async () => {
      const refused = await till.whileLocked(cards[100], async () => {
        const sent = sendFile(till, lines, { by: thief });
        waitsSince = performance.now();
        await till.waiters(2);
        assert.equal((await till.client.delete(`/api-keys/${key.keyId}`)).status, 200);
        await sleep(250);
        return { sent };
      });
      // One batch has ended, and the next is refused; the other one is still under way.
      let isAnswered = false;
      void refused.sent.then(() => {
        isAnswered = true;
      });
      const isTooLate = () => performance.now() - waitsSince > 1_500;
      const isApplied = async () => (await till.holder(names[150] ?? '')).balance === 5;
      await until('a batch is applied', async () => isTooLate() || (await isApplied()));
      await sleep(50);
      assert.ok(!isAnswered || isTooLate());
      return refused;
    });
    const heldMs = performance.now() - waitsSince;
    const answer = await importing.sent;
    if (heldMs > 1_500) return heldMs;
    assertRefused(answer, 'invalid_api_key');
    assert.equal((await till.holder(names[0] ?? '')).balance, 5);
    assert.equal((await till.holder(names[250] ?? '')).balance, 0);
    return heldMs;
  }
});
