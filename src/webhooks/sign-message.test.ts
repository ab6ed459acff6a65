import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { newUuidV7 } from '../kit/ids.ts';
import { deliveryIdOf, newSigningSecret, signingKey, signMessage } from './sign-message.ts';

describe('signMessage', () => {
  it('signs as the test vector of Standard Webhooks 1.0.0 says', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1_614_265_330,
      body: '{"test": 2432232314}',
    };
    assert.equal(
      signMessage([signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')], message),
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('makes what the library verifies, by each of its secrets and no other', () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    const message = { id: 'msg_1', seconds: Math.floor(Date.now() / 1_000), body: '{"naïve":"☕"}' };
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.seconds),
      'webhook-signature': signMessage(secrets.map(signingKey), message),
    };
    for (const secret of secrets)
      assert.deepEqual(new Webhook(secret).verify(message.body, headers), { naïve: '☕' });
    assert.throws(
      () => new Webhook(newSigningSecret()).verify(message.body, headers),
      /No matching signature/,
    );
    assert.throws(() => new Webhook(secrets[0] ?? '').verify('{}', headers), /No matching signature/);
  });
});

describe('newSigningSecret', () => {
  it('has between 24 and 64 random bytes', () => {
    const [one, other] = [newSigningSecret(), newSigningSecret()];
    assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(one, other);
  });
});

describe('deliveryIdOf', () => {
  it('is one of the event and the webhook, and sorts like the event', () => {
    const [event, later, webhook, other] = [newUuidV7(), newUuidV7(), newUuidV7(), newUuidV7()];
    assert.equal(deliveryIdOf(event, webhook), deliveryIdOf(event, webhook));
    assert.notEqual(deliveryIdOf(event, webhook), deliveryIdOf(event, other));
    assert.ok(deliveryIdOf(event, webhook) < deliveryIdOf(later, webhook));
    assert.match(deliveryIdOf(event, webhook), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
