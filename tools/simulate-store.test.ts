import assert from 'node:assert/strict';
import { createHmac, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import tls from 'node:tls';
import { freePort } from '../test/service-process.ts';
import { WebhookReceiver } from './fakes/store-receiver.ts';
import { readOptions } from './simulate-store.ts';
import { Simulation } from './simulation.fixture.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'punchcard-simulate-'));
after(() => rm(dataDir, { recursive: true }));

/** `punchcard simulate store` as a person runs it. */
class StoreSimulation extends Simulation {
  constructor(...args: string[]) {
    const free = args.includes('--port') ? [] : ['--port', '0', '--control-port', '0'];
    super(dataDir, 'store', ...args, ...free);
  }

  /** What it says must be sent to connect it. */
  async connection(): Promise<Connection> {
    return JSON.parse(await this.prints(/-d '(\{"platform".*\})'$/m));
  }

  /** Asks its control API; a text goes as it stands. */
  async control(
    method: string,
    path: string,
    body: unknown = undefined,
  ): Promise<{ status: number; body: Reply }> {
    const url = await this.prints(/ at (http:\S+):$/m);
    const answer = await fetch(url + path, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
}

interface Connection {
  readonly platform: string;
  readonly domain: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly webhookSecret: string;
  readonly consent?: unknown;
}

interface Reply {
  readonly id: number;
  readonly error: string;
  readonly webhooks: readonly { readonly topic: string; readonly status: number | null }[];
}

describe('punchcard simulate store', () => {
  afterEach(() => {
    Simulation.killAll();
  });

  it('is a Shopify that can be connected and asked, and that reports its orders', async () => {
    const receiver = await WebhookReceiver.start();
    after(() => receiver.close());
    const simulation = new StoreSimulation('--platform', 'shopify', '--customers', '30');
    const { domain, credentials, webhookSecret } = await simulation.connection();
    const authority = await simulation.prints(
      /NODE_EXTRA_CA_CERTS=(\S+) FETCH_ALLOW_CIDRS=127\.0\.0\.1\/32$/m,
    );
    const trusted = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...trusted, await readFile(authority, 'utf8')]);
    const answer = await fetch(`https://${domain}/admin/api/2026-10/graphql.json`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-shopify-access-token': credentials.accessToken ?? '',
      },
      body: JSON.stringify({ query: '{ customersCount { count } }' }),
    });
    tls.setDefaultCACertificates(trusted);
    assert.match(await answer.text(), /^\{"data":\{"customersCount":\{"count":30\}\}/);
    await simulation.prints(/ 200 POST \/admin\/api\/2026-10\/graphql\.json customersCount 1 points$/m);

    const placed = await simulation.control('POST', '/orders', { customer: 3, total: '12.50', paid: true });
    assert.deepEqual(placed.body.webhooks, []);
    const delivered = await simulation.control('PUT', '/webhooks', { url: receiver.url });
    assert.deepEqual(
      delivered.body.webhooks.map(({ topic, status }) => `${topic} ${status}`),
      ['orders/create 200', 'orders/paid 200', 'orders/updated 200'],
    );
    const refunded = await simulation.control('POST', `/orders/${placed.body.id}/refund`, { amount: '2.00' });
    assert.deepEqual(
      refunded.body.webhooks.map(({ topic }) => topic),
      ['refunds/create', 'orders/updated'],
    );
    await simulation.prints(/ webhook refunds\/create: 200 in \d+ ms$/m);
    const { body, headers } = receiver.received[1] ?? assert.fail('no webhook');
    const signature = createHmac('sha256', webhookSecret).update(body).digest('base64');
    assert.equal(headers['x-shopify-hmac-sha256'], signature);
    await simulation.control('PUT', '/webhooks', { automatic: false });
    const held = await simulation.control('POST', `/orders/${placed.body.id}/cancel`);
    assert.deepEqual(held.body.webhooks, []);
    await simulation.control('POST', '/webhooks/deliver', { times: 2, order: 'reversed' });
    assert.equal(receiver.received.length, 5 + 6);
    assert.equal(await simulation.interrupt(), 0);
    assert.match(simulation.printed, /Stopped\. Its orders are forgotten/);
    assert.equal(simulation.complained, '');
  });

  it('keeps its keys, but no number of an order, from one run to the next', async () => {
    const ids: number[] = [];
    const connections: Connection[] = [];
    const port = String(await freePort());
    for (let run = 0; run < 2; run++) {
      const simulation = new StoreSimulation(
        '--platform',
        'woocommerce',
        '--port',
        port,
        '--control-port',
        '0',
      );
      connections.push(await simulation.connection());
      const placed = await simulation.control('POST', '/orders', { email: 'ada@example.org', total: '1.00' });
      ids.push(placed.body.id);
      const { body } = await simulation.control('POST', `/orders/${placed.body.id}/status`, {
        status: 'completed',
      });
      assert.deepEqual(body.webhooks, []);
      await simulation.interrupt();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    assert.deepEqual(connections[0], connections[1]);
    assert.deepEqual(connections[0]?.consent, { metaKey: 'newsletter', metaValue: 'yes' });
    assert.ok((ids[1] ?? 0) > (ids[0] ?? 0));
    const files = join(dataDir, 'simulated-stores');
    assert.ok(new X509Certificate(await readFile(join(files, 'ca.pem'))).ca);
    for (const secret of ['ca.key', 'secrets.json'])
      assert.equal((await stat(join(files, secret))).mode & 0o777, 0o600);
  });

  it('says what is wrong with what it is asked', async () => {
    const simulation = new StoreSimulation('--platform', 'shopify', '--customers', '2');
    const { body: order } = await simulation.control('POST', '/orders', { total: '3.00' });
    const refused: readonly (readonly [
      request: readonly [string, string, unknown?],
      status: number,
      says: RegExp,
    ])[] = [
      [['POST', '/orders', '{total}'], 400, /^the body is no JSON/],
      [['POST', '/orders', { totl: '1.00' }], 400, /^totl: is not known\. There is customer, customerId, /],
      [
        ['POST', '/orders', { total: 12.5 }],
        400,
        /^total: must be a decimal number in quotes, such as "12\.50"$/,
      ],
      [['POST', '/orders', { total: '1.234' }], 409, /^"1\.234" is no amount of EUR, such as 12\.50$/],
      [
        ['POST', '/orders', { total: '1.00', lines: [{ price: '1.00' }] }],
        400,
        /^total: an order has either/,
      ],
      [['POST', '/orders', { customer: 9 }], 404, /^there is no customer at place 9$/],
      [['POST', '/orders', { customerId: 9 }], 404, /^there is no customer 9$/],
      [['POST', '/orders/7/pay'], 404, /^there is no order 7$/],
      [['POST', `/orders/${order.id}/refund`], 409, /is not paid, so nothing can be refunded$/],
      [['POST', `/orders/${order.id}/edit`, {}], 409, /^an edit adds or removes lines$/],
      [['POST', `/orders/${order.id}/status`, { status: 'completed' }], 400, /^only orders of WooCommerce/],
      [['POST', '/faults', { outcome: 'explosion' }], 400, /^outcome: /],
      [['POST', '/faults', { outcome: 'cut', matching: '(' }], 400, /^matching: Invalid regular expression/],
      [['POST', '/webhooks/deliver'], 400, /^first set where they go/],
      [['PATCH', '/customers/9', { consent: 'subscribed' }], 404, /^there is no customer 9$/],
      [['GET', '/customers?take=all'], 400, /^take must be a whole number/],
      [['PUT', '/orders'], 404, /^there is no PUT \/orders$/],
    ];
    for (const [[method, path, body], status, says] of refused) {
      const answer = await simulation.control(method, path, body);
      assert.match(answer.body.error, says);
      assert.equal(answer.status, status, answer.body.error);
    }
    const url = await simulation.prints(/ at (http:\S+):$/m);
    const page = await fetch(url, { headers: { origin: 'https://example.com' } });
    assert.equal(page.status, 403);
  });

  it('says in one line what is wrong with its options', async () => {
    const occupant = createServer().unref();
    await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
    const address = occupant.address();
    assert.ok(address !== null && typeof address !== 'string');
    const taken = String(address.port);
    const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['--platform', 'magento'], /--platform must be shopify or woocommerce, not "magento"/],
      [['--platform', 'shopify', '--port', taken], new RegExp(`--port ${taken} is in use: stop the program`)],
      [
        ['--platform', 'shopify', '--port', '0', '--control-port', taken],
        new RegExp(`--control-port ${taken} is in use`),
      ],
    ];
    const runs = mistakes.map(([args, says]) => ({ simulation: new StoreSimulation(...args), says }));
    const options = { platform: 'shopify', customers: '1', port: '0', controlPort: '0', currency: 'EUR' };
    const refused: readonly (readonly [wrong: object, says: RegExp])[] = [
      [{ customers: '-1' }, /^--customers must be a whole number from 0/],
      [{ port: '65536' }, /^--port must be a whole number from 0 to 65535/],
      [{ secret: 'short' }, /^--secret must have 16 to 255 printable/],
      [{ currency: 'EURO' }, /^--currency must be one of ISO 4217/],
      [{ webhooks: 'http://localhost:3000' }, /^--webhooks must be the webhookUrl/],
    ];
    for (const [wrong, message] of refused)
      assert.throws(() => readOptions({ ...options, ...wrong }), { message });
    for (const { simulation, says } of runs) {
      assert.equal(await simulation.ended(), 1);
      assert.match(simulation.complained, says);
      assert.match(simulation.complained, /^punchcard: [^\n]+\n$/);
    }
  });
});
