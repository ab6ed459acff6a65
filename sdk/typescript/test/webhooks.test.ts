import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { hmacSha256 } from '../src/core/sha256.ts';
import {
  eventTypes,
  Punchcard,
  verifySignature,
  verifyWebhook,
  WebhookVerificationError,
} from '../src/index.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const data = {
  eventId: 'evt_1',
  seq: 7,
  type: 'points.awarded',
  createdAt: '2026-11-25T12:00:00.000Z',
  requestId: 'req_1',
  actor: 'key_1',
  passId: null,
  instanceId: null,
};
const body = JSON.stringify({ type: data.type, timestamp: data.createdAt, data });

function signed(text = body, at = new Date(), by = secret) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('msg_1', at, text),
  };
}

test('the kinds of events are a value, each once', () => {
  assert.ok(eventTypes.includes('points.awarded'));
  assert.equal(new Set(eventTypes).size, eventTypes.length);
});

test('the vector of the specification verifies', () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const now = () => 1_614_265_330_000;
  verifySignature('{"test": 2432232314}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now });
  assert.throws(
    () => verifySignature('{"test": 2432232315}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now }),
    WebhookVerificationError,
  );
});

test('what standardwebhooks has signed gives the event, whatever holds the headers and the body', () => {
  const headers = signed();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  const punchcard = new Punchcard({ baseUrl: 'https://cards.example.com', apiKey: 'key' });
  for (const event of [
    verifyWebhook(body, headers, secret),
    verifyWebhook(Buffer.from(body), new Headers(headers), secret),
    verifyWebhook(new TextEncoder().encode(body).buffer, upper, secret),
    punchcard.webhooks.verify(body, headers, secret),
    verifyWebhook(body, headers, ['whsec_b2xkIG9uZQ==', secret]),
  ])
    assert.deepEqual(event, data);
});

test('a signature among several is enough, and one of another version is passed over', () => {
  const headers = signed();
  const signature = `v1a,AAAA v1,AAAA ${headers['webhook-signature']}`;
  assert.equal(verifyWebhook(body, { ...headers, 'webhook-signature': signature }, secret).seq, 7);
});

const other = `whsec_${randomBytes(32).toString('base64')}`;
const wrong: Readonly<Record<string, () => unknown>> = {
  'another body': () => verifyWebhook(`${body} `, signed(), secret),
  'another id': () => verifyWebhook(body, { ...signed(), 'webhook-id': 'msg_2' }, secret),
  'another secret': () => verifyWebhook(body, signed(body, new Date(), other), secret),
  'no secret at all': () => verifyWebhook(body, signed(), []),
  'a header that is missing': () => verifyWebhook(body, { ...signed(), 'webhook-id': undefined }, secret),
  'a message of before': () => verifyWebhook(body, signed(body, new Date(Date.now() - 301_000)), secret),
  'a message of later': () => verifyWebhook(body, signed(body, new Date(Date.now() + 302_000)), secret),
  'a time that is none': () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': 'now' }, secret),
  'an empty signature': () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,' }, secret),
  'no event': () => verifyWebhook('{}', signed('{}'), secret),
  'no JSON': () => verifyWebhook('hello', signed('hello'), secret),
};
for (const [name, verify] of Object.entries(wrong)) {
  test(`${name} is refused`, () => assert.throws(verify, WebhookVerificationError));
}

test('a parsed body, or an invalid secret, is refused with a reason', () => {
  assert.throws(() => verifyWebhook(JSON.parse(body), signed(), secret), /parsed already/);
  assert.throws(() => verifyWebhook(body, signed(), 'secret'), /begins with whsec_/);
});

test('the tolerance can be set', () => {
  const old = signed(body, new Date(Date.now() - 301_000));
  assert.equal(verifyWebhook(body, old, secret, { toleranceSeconds: 3_600 }).eventId, 'evt_1');
});

test('HMAC-SHA256 is that of node:crypto, for keys and messages of any length', () => {
  for (let length = 0; length < 300; length++) {
    const [key, message] = [randomBytes(length), randomBytes(300 - length)];
    const expected = createHmac('sha256', key).update(message).digest();
    assert.deepEqual(Buffer.from(hmacSha256(key, message)), expected, `${length}`);
  }
  const long = randomBytes(100_000);
  assert.deepEqual(Buffer.from(hmacSha256(long, long)), createHmac('sha256', long).update(long).digest());
});
