import assert from 'node:assert/strict';
import { sensitiveHeaders } from 'node:http2';
import { after, describe, it } from 'node:test';
import type { ScriptedAnswer } from '../../../tools/fakes/apns.ts';
import { authority, logged, openApns, startApns, tokenOf, tokens, until } from './apns.fixture.ts';
import type { ApnsResult } from './apns-push.ts';
import {
  leafKeys,
  makeLeaf,
  makeRoot,
  makeWwdr,
  passTypeIdentifier,
  wwdr,
} from './certificates/signing.fixture.ts';

const accepted: ApnsResult = { kind: 'accepted' };

after(() => {
  assert.ok(logged.length > 0);
  assert.doesNotMatch(JSON.stringify(logged), /[0-9a-f]{16}/, 'no push token is logged');
});

describe('a push', () => {
  it('is what Apple asks for', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    assert.equal(apns.pausedUntil, null);
    assert.deepEqual(await apns.push(tokenOf(1)), accepted);
    const delivery = fake.lastDelivery(tokenOf(1));
    assert.ok(delivery);
    assert.equal(delivery.payload, '{}');
    assert.equal(delivery.topic, passTypeIdentifier);
    const { headers } = delivery;
    assert.equal(headers[':method'], 'POST');
    assert.equal(headers[':path'], `/3/device/${tokenOf(1)}`);
    const neverIndexed = (headers as { [sensitiveHeaders]?: unknown })[sensitiveHeaders];
    assert.deepEqual(neverIndexed, [':path'], 'no table of the header compression keeps the token');
    assert.equal(headers['apns-push-type'], 'background');
    assert.equal(headers['apns-priority'], '5');
    const expiresIn = Number(headers['apns-expiration']) - Date.now() / 1_000;
    assert.ok(Math.abs(expiresIn - 7 * 86_400) < 60, `expires in ${expiresIn} s`);
    assert.equal(apns.pausedUntil, null);
  });

  it('waits for its device as long as it was given', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, expirySeconds: 3_600, times: { sweepMs: 5 } });
    await apns.push(tokenOf(1));
    const first = Number(fake.lastDelivery(tokenOf(1))?.headers['apns-expiration']);
    await until('the clock has moved on', () => Math.floor(Date.now() / 1_000) + 3_600 > first + 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await apns.push(tokenOf(1));
    assert.ok(Number(fake.lastDelivery(tokenOf(1))?.headers['apns-expiration']) > first);
    assert.ok(Math.abs(first - 3_600 - Date.now() / 1_000) < 60);
  });

  it('goes nowhere when its token is none', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    for (const token of [
      '',
      'xyz',
      `${tokenOf(1)}\0authorization\0bearer`,
      '../../x',
      `${tokenOf(1)}?`,
      'é',
    ]) {
      assert.deepEqual(await apns.push(token), { kind: 'gone', reason: 'BadDeviceToken', at: null });
    }
    assert.equal(fake.connections, 0);
  });
});

const minute = 60_000;
const gone = (reason: string, at: Date | null): ApnsResult => ({ kind: 'gone', reason, at });
const misconfigured = (reason: string): ApnsResult => ({ kind: 'misconfigured', reason });
const refused = (reason: string): ApnsResult => ({ kind: 'refused', reason });
const later = (reason: string, afterMs: number): ApnsResult => ({ kind: 'later', reason, afterMs });
const since = new Date(1_700_000_000_123);

const answers: readonly (readonly [answer: ScriptedAnswer, result: ApnsResult])[] = [
  [{ status: 200 }, accepted],
  [{ status: 400, reason: 'BadDeviceToken' }, gone('BadDeviceToken', null)],
  [{ status: 410, reason: 'Unregistered', timestamp: since }, gone('Unregistered', since)],
  [{ status: 410, reason: 'ExpiredToken', timestamp: since }, gone('ExpiredToken', since)],
  ...['DeviceTokenNotForTopic', 'TopicDisallowed', 'BadTopic', 'MissingTopic'].map(
    (reason) => [{ status: 400, reason }, misconfigured(reason)] as const,
  ),
  ...[
    'BadCertificate',
    'BadCertificateEnvironment',
    'ExpiredProviderToken',
    'Forbidden',
    'InvalidProviderToken',
    'MissingProviderToken',
    'UnrelatedKeyIdInToken',
  ].map((reason) => [{ status: 403, reason }, misconfigured(reason)] as const),
  ...[
    'BadCollapseId',
    'BadExpirationDate',
    'BadMessageId',
    'BadPriority',
    'DuplicateHeaders',
    'InvalidPushType',
    'MissingDeviceToken',
    'PayloadEmpty',
    'SomethingNew',
  ].map((reason) => [{ status: 400, reason }, refused(reason)] as const),
  [{ status: 400, reason: 'IdleTimeout' }, later('IdleTimeout', 1_000)],
  [{ status: 404, reason: 'BadPath' }, refused('BadPath')],
  [{ status: 405, reason: 'MethodNotAllowed' }, refused('MethodNotAllowed')],
  [{ status: 413, reason: 'PayloadTooLarge' }, refused('PayloadTooLarge')],
  [{ status: 429, reason: 'TooManyRequests' }, later('TooManyRequests', minute)],
  [{ status: 429, reason: 'TooManyProviderTokenUpdates' }, later('TooManyProviderTokenUpdates', minute)],
  [{ status: 429, reason: 'TooManyRequests', retryAfter: 7 }, later('TooManyRequests', 7_000)],
  [{ status: 500, reason: 'InternalServerError' }, later('InternalServerError', 15 * minute)],
  [{ status: 503, reason: 'ServiceUnavailable' }, later('ServiceUnavailable', 15 * minute)],
  [{ status: 503, reason: 'ServiceUnavailable', retryAfter: 2 }, later('ServiceUnavailable', 2_000)],
  [{ status: 503, reason: 'Shutdown' }, later('Shutdown', 1_000)],
  [{ status: 502 }, later('Status502', 15 * minute)],
  [{ status: 302, reason: `not a word: ${tokenOf(1)}` }, refused('Status302')],
];

describe('an answer of APNs', () => {
  for (const [answer, result] of answers) {
    const { status, reason = 'no reason' } = answer as { status: number; reason?: string };
    it(`${status} ${reason.slice(0, 30)} means: ${result.kind}`, async (t) => {
      const fake = await startApns(t);
      const apns = openApns(t, { url: fake.url });
      fake.script(answer, { token: tokenOf(1) });
      assert.deepEqual(await apns.push(tokenOf(1)), result);
      assert.deepEqual(await apns.push(tokenOf(2)), accepted);
      assert.deepEqual([fake.connections, apns.pausedUntil], [1, null]);
    });
  }

  it('is given by its own rules when the topic is not that of the certificate', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, topic: 'pass.com.example.other' });
    assert.deepEqual(await apns.push(tokenOf(1)), misconfigured('TopicDisallowed'));
  });

  it('is given by its own rules when the certificate is of another owner', async (t) => {
    const fake = await startApns(t, {
      clientAuthorities: [makeRoot({ commonName: 'Another', keys: leafKeys })],
    });
    const apns = openApns(t, { url: fake.url });
    assert.deepEqual(await apns.push(tokenOf(1)), misconfigured('BadCertificate'));
    assert.equal(fake.delivered, 0);
  });
});

describe('one connection', () => {
  it('serves thousands of pushes that are asked for at once, in their order', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    const order: string[] = [];
    fake.onPush(({ token }) => order.push(token));
    const asked = tokens(5_000);
    const results = await Promise.all(asked.map((token) => apns.push(token)));
    assert.ok(results.every(({ kind }) => kind === 'accepted'));
    assert.deepEqual(order, asked);
    await apns.push(tokenOf(1));
    assert.deepEqual([fake.connections, fake.pushes], [1, 5_001]);
    assert.ok(fake.peakStreams > 100 && fake.peakStreams <= 500, `peak ${fake.peakStreams}`);
  });

  it('has no more streams than APNs allows, from the first push on', async (t) => {
    const fake = await startApns(t, { maxStreams: 1 });
    const apns = openApns(t, { url: fake.url });
    const first = await Promise.all(tokens(50).map((token) => apns.push(token)));
    assert.ok(first.every(({ kind }) => kind === 'accepted'));
    assert.deepEqual([fake.peakStreams, fake.pushes, fake.connections], [1, 50, 1]);
  });

  it('follows the number of streams up and down while pushes wait', async (t) => {
    const fake = await startApns(t, { maxStreams: 2 });
    const apns = openApns(t, { url: fake.url });
    fake.delayMs = 5;
    const all = Promise.all(tokens(600).map((token) => apns.push(token)));
    await until('some are through', () => fake.delivered >= 10);
    assert.equal(fake.peakStreams, 2);
    fake.maxStreams = 40;
    await until('the new number is used', () => fake.peakStreams === 40);
    fake.maxStreams = 3;
    const before = fake.delivered;
    await until('what was in flight is through', () => fake.delivered >= before + 100);
    fake.peakStreams = 0;
    assert.ok((await all).every(({ kind }) => kind === 'accepted'));
    assert.deepEqual([fake.peakStreams, fake.pushes, fake.connections], [3, 600, 1]);
  });

  it('is another one for another certificate', async (t) => {
    const fake = await startApns(t);
    const topic = 'pass.com.example.second';
    const certificate = makeLeaf({
      userId: topic,
      commonName: `Pass Type ID: ${topic}`,
      extensionPassType: topic,
    });
    const first = openApns(t, { url: fake.url });
    const second = openApns(t, {
      url: fake.url,
      topic,
      identity: { certificate, privateKey: leafKeys.privateKey, wwdr },
    });
    const both = tokens(100).flatMap((token) => [first.push(token), second.push(token)]);
    assert.ok((await Promise.all(both)).every(({ kind }) => kind === 'accepted'));
    assert.equal(fake.connections, 2);
    assert.equal(fake.deliveriesTo(tokenOf(99)), 2);
    assert.deepEqual(await second.push(tokenOf(5)), accepted);
    assert.equal(fake.lastDelivery(tokenOf(5))?.topic, topic);
    assert.deepEqual(await first.push(tokenOf(5)), accepted);
    assert.equal(fake.lastDelivery(tokenOf(5))?.topic, passTypeIdentifier);
  });

  it('needs certificate and key that belong together, and a server that is trusted', async (t) => {
    const fake = await startApns(t);
    const identity = { certificate: makeLeaf(), privateKey: authority.privateKey, wwdr: makeWwdr() };
    assert.throws(() => openApns(t, { url: fake.url, identity }), /key values mismatch/);
    const stranger = makeRoot({ commonName: 'Stranger' }).toString();
    const result = await openApns(t, { url: fake.url, ca: stranger }).push(tokenOf(1));
    assert.equal(result.kind, 'later');
    assert.equal(result.kind === 'later' && result.reason, 'SELF_SIGNED_CERT_IN_CHAIN');
    assert.equal(fake.pushes, 0);
  });
});

describe('a client that is closed', () => {
  it('takes no more pushes, and waits for the answers to those in flight', async (t) => {
    const fake = await startApns(t, { maxStreams: 10 });
    const apns = openApns(t, { url: fake.url });
    await apns.push(tokenOf(0));
    fake.delayMs = 100;
    const asked = tokens(30).map((token) => apns.push(token));
    await until('the first are in flight', () => fake.pushes === 11);
    await apns.close();
    const kinds = (await Promise.all(asked)).map((result) => result.kind);
    assert.deepEqual(kinds, [...Array(10).fill('accepted'), ...Array(20).fill('later')]);
    assert.deepEqual(await apns.push(tokenOf(1)), later('Closed', 1_000));
    await until('the connection is gone', () => fake.openConnections === 0);
    assert.deepEqual([fake.connections, fake.pushes, apns.lines], [1, 11, []]);
  });

  it('does not wait for long', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times: { closeMs: 40, sweepMs: 10 } });
    await apns.push(tokenOf(0));
    fake.isSilent = true;
    const asked = apns.push(tokenOf(1));
    await apns.close();
    assert.deepEqual(await asked, later('Closed', 1_000));
    fake.isSilent = false;
    await until('the connection is gone', () => fake.openConnections === 0);
  });

  it('need not have been used, nor have come through', async (t) => {
    const fake = await startApns(t);
    await openApns(t, { url: fake.url }).close();
    assert.equal(fake.connections, 0);
    fake.isSilent = true;
    const apns = openApns(t, { url: fake.url });
    const asked = apns.push(tokenOf(1));
    await until('it connects', () => fake.connections === 1);
    await apns.close();
    await apns.close();
    assert.deepEqual(await asked, later('Closed', 1_000));
  });
});
