import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { jwtVerify } from 'jose';
import { createVapid } from './vapid.ts';

const start = Date.parse('2026-05-01T12:00:00Z');
const vapidOf = (fill: number, contact = 'https://cards.example', now = () => new Date(start)) =>
  createVapid({ encryptionKey: Buffer.alloc(32, fill), contact, now });
const tokenOf = (authorization: string) => /^vapid t=([\w.-]+), k=[\w-]{87}$/.exec(authorization)?.[1] ?? '';
const payloadOf = (authorization: string) =>
  JSON.parse(Buffer.from(tokenOf(authorization).split('.')[1] ?? '', 'base64url').toString());

test('every process that has the same encryption key signs with the same key, and no other does', async () => {
  assert.equal(vapidOf(1).publicKey, vapidOf(1).publicKey);
  assert.notEqual(vapidOf(1).publicKey, vapidOf(2).publicKey);
  // Browsers would be lost if it ever changed.
  assert.equal(
    vapidOf(7).publicKey,
    'BItEFeuyXbjNEz87HWWJIGCTpJtpJQU74clUVN7VDVLhmSKMD4wmYzsguiqPJk_Xd5B1rDHvZ3KVApn0A3UG24k',
  );
});

test('the token names the push service, its sender and its end, and verifies with the public key', async () => {
  const { publicKey, authorizationFor } = vapidOf(3);
  const authorization = await authorizationFor('https://push.example:8443/send/abc?d=e');
  assert.ok(authorization.endsWith(`, k=${publicKey}`));
  const point = Buffer.from(publicKey, 'base64url');
  assert.deepEqual([point.length, point[0]], [65, 4]);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const { payload, protectedHeader } = await jwtVerify(
    tokenOf(authorization),
    createPublicKey({ key: jwk, format: 'jwk' }),
    { currentDate: new Date(start) },
  );
  assert.equal(protectedHeader.alg, 'ES256');
  assert.deepEqual(payload, {
    aud: 'https://push.example:8443',
    exp: start / 1_000 + 43_200,
    sub: 'https://cards.example',
  });
});

test('a token is used again for six hours, for its own push service', async () => {
  let now = start;
  const { authorizationFor } = vapidOf(3, 'https://cards.example', () => new Date(now));
  const first = await authorizationFor('https://push.example/a');
  assert.equal(await authorizationFor('https://push.example/b'), first);
  assert.notEqual(await authorizationFor('https://other.example/b'), first);
  now += 6 * 3_600_000 - 1;
  assert.equal(await authorizationFor('https://push.example/a'), first);
  now += 1;
  assert.notEqual(await authorizationFor('https://push.example/a'), first);
  now = start - 1;
  assert.equal(
    payloadOf(await authorizationFor('https://push.example/a')).exp,
    Math.floor(now / 1_000) + 43_200,
  );
});

test('an address that push services do not take as a contact is left out', async () => {
  const authorization = await vapidOf(3, 'http://localhost:3000').authorizationFor('https://push.example/');
  assert.equal('sub' in payloadOf(authorization), false);
});
