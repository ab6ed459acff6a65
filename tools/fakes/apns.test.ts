import assert from 'node:assert/strict';
import {
  type ClientHttp2Session,
  connect,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2';
import { after, describe, it } from 'node:test';
import {
  leaf,
  leafKeys,
  makeRoot,
  passTypeIdentifier,
  pem,
  root,
  wwdr,
  wwdrKeys,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { type Delivery, startFakeApns } from './apns.ts';
import { makeAuthority } from './authority.ts';

const authority = makeAuthority();
const fake = await startFakeApns({ authority, clientAuthorities: [root] });
const strict = await startFakeApns({ authority, clientAuthorities: [makeRoot({ keys: leafKeys })] });
const ca = authority.certificate.toString();
const cert = leaf.toString() + wwdr.toString();
const key = pem(leafKeys.privateKey);
const session = connect(fake.url, { ca, cert, key });
after(async () => {
  session.destroy();
  await Promise.all([fake.close(), strict.close()]);
});

const token = 'c0ffee00'.repeat(8);
const good: OutgoingHttpHeaders = {
  ':method': 'POST',
  ':path': `/3/device/${token}`,
  'apns-topic': passTypeIdentifier,
  'apns-push-type': 'background',
  'apns-priority': '5',
  'apns-expiration': '0',
};

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: Record<string, unknown>;
}

function ask(
  headers: OutgoingHttpHeaders = {},
  payload = '{}',
  to: ClientHttp2Session = session,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const stream = to.request({ ...good, ...headers });
  let answered: Record<string, unknown> = {};
  let body = '';
  stream.setEncoding('utf8');
  stream.on('response', (got) => {
    answered = { ...got };
  });
  stream.on('data', (chunk) => {
    body += chunk;
  });
  stream.on('end', () => resolve({ status: Number(answered[':status']), body, headers: answered }));
  stream.on('error', reject);
  stream.end(payload);
  return promise;
}

async function askWith(url: string, options: SecureClientSessionOptions): Promise<string> {
  const other = connect(url, { ca, ...options });
  other.on('error', () => undefined);
  const { status, body } = await ask({}, '{}', other);
  other.destroy();
  return `${status} ${body}`;
}

describe('the simulated APNs', () => {
  it('accepts what Apple accepts, and gives it to the device', async () => {
    const seen: Delivery[] = [];
    const stop = fake.onPush((delivery) => seen.push(delivery));
    const { status, body, headers } = await ask();
    stop();
    await ask(
      { 'apns-push-type': undefined, 'apns-priority': undefined, 'apns-expiration': undefined },
      '{"aps":{}}',
    );
    assert.deepEqual([status, body], [200, '']);
    assert.match(String(headers['apns-id']), /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
    assert.deepEqual(
      seen.map(({ token: to, topic, payload }) => ({ to, topic, payload })),
      [{ to: token, topic: passTypeIdentifier, payload: '{}' }],
    );
    assert.deepEqual([fake.deliveriesTo(token), fake.delivered, fake.connections], [2, 2, 1]);
    assert.equal(fake.lastDelivery(token)?.payload, '{"aps":{}}');
  });

  const refusals: readonly (readonly [answer: string, headers: OutgoingHttpHeaders, payload?: string])[] = [
    ['405 MethodNotAllowed', { ':method': 'PUT' }],
    ['404 BadPath', { ':path': '/3/devices/1' }],
    ['404 BadPath', { ':path': `/3/device/${token}/more` }],
    ['400 MissingDeviceToken', { ':path': '/3/device/' }],
    ['400 BadDeviceToken', { ':path': `/3/device/${'xy'.repeat(32)}` }],
    ['400 BadDeviceToken', { ':path': '/3/device/c0ffee' }],
    ['400 MissingTopic', { 'apns-topic': undefined }],
    ['400 TopicDisallowed', { 'apns-topic': 'pass.com.example.other' }],
    ['400 InvalidPushType', { 'apns-push-type': 'loud' }],
    ['400 BadPriority', { 'apns-priority': '10' }],
    ['400 BadExpirationDate', { 'apns-expiration': 'tomorrow' }],
    ['400 PayloadEmpty', {}, ''],
    ['413 PayloadTooLarge', {}, ' '.repeat(4_097)],
  ];
  for (const [answer, headers, payload] of refusals) {
    it(`answers ${answer} to ${JSON.stringify(headers).slice(0, 60)}`, async () => {
      const before = fake.delivered;
      const { status, body } = await ask(headers, payload);
      assert.equal(`${status} ${JSON.parse(body).reason}`, answer);
      assert.equal(fake.delivered, before);
    });
  }

  it('asks for a certificate of its own authority', async () => {
    assert.equal(await askWith(fake.url, {}), '403 {"reason":"MissingProviderToken"}');
    assert.equal(await askWith(strict.url, { cert, key }), '403 {"reason":"BadCertificate"}');
    const there = fake.url.replace('localhost', '127.0.0.1');
    assert.equal(await askWith(there, { cert, key }), '200 ');
  });

  it('may be certified by an authority that is certified itself', async (t) => {
    const other = await startFakeApns({
      authority: { certificate: wwdr, privateKey: wwdrKeys.privateKey },
      clientAuthorities: [wwdr],
    });
    t.after(() => other.close());
    assert.equal(await askWith(other.url, { ca: root.toString(), cert: leaf.toString(), key }), '200 ');
  });

  it('follows its script as often as it says, for the token that it names', async () => {
    const timestamp = new Date(1_700_000_000_000);
    fake.script({ status: 410, reason: 'Unregistered', timestamp }, { token, times: 1 });
    fake.script({ status: 429, reason: 'TooManyRequests', retryAfter: 9 });
    assert.equal((await ask()).body, '{"reason":"Unregistered","timestamp":1700000000000}');
    const { status, headers } = await ask();
    assert.deepEqual([status, headers['retry-after']], [429, '9']);
    fake.unscript();
    assert.equal((await ask()).status, 200);
  });
});
