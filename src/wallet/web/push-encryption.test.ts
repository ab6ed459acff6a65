import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrowserKeys } from '../../../tools/fakes/push-message.ts';
import { encryptPush, isPoint } from './push-encryption.ts';

const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('a message is encrypted as in the example of RFC 8291', () => {
  const fresh = {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    secret: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  };
  assert.equal(
    encryptPush('When I grow up, I want to be a watermelon', keys, fresh).toString('base64url'),
    [
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w',
      'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    ].join(''),
  );
});

test('the browser reads it, and no other does, nor what was changed on its way', () => {
  const [browser, other] = [new BrowserKeys(), new BrowserKeys()];
  const message = encryptPush('Größe: ☕', browser.keys);
  assert.equal(browser.open(message), 'Größe: ☕');
  assert.throws(() => other.open(message));
  for (const place of [0, 30, message.length - 20]) {
    const changed = Buffer.from(message);
    changed[place] = (changed[place] ?? 0) ^ 1;
    assert.throws(() => browser.open(changed), `byte ${place}`);
  }
});

test('no two messages have the same salt or the same key', () => {
  const [one, other] = [encryptPush('same', keys), encryptPush('same', keys)];
  assert.notDeepEqual(one.subarray(0, 16), other.subarray(0, 16));
  assert.notDeepEqual(one.subarray(21, 86), other.subarray(21, 86));
});

test('a key is a point of the curve', () => {
  assert.ok(isPoint(keys.p256dh));
  for (const wrong of ['', keys.auth, keys.p256dh.replace('iw4', 'iw8'), `B${'A'.repeat(86)}`])
    assert.ok(!isPoint(wrong), wrong);
});
