import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSigningSecret, signingKey, signMessage } from '../src/webhooks/sign-message.ts';
import { EventReceiver } from './fakes/event-receiver.ts';
import { describe as describeMessage, readAnswering } from './simulate-webhooks.ts';

const secret = newSigningSecret();
const usual = { port: '0', status: '204', delay: '0', failFirst: '0' };

function message(signedBy: string, seconds = Math.floor(Date.now() / 1_000)) {
  const data = { seq: 7, eventId: 'evt_1', passId: 'pass_1', instanceId: null, data: { points: 5 } };
  const body = JSON.stringify({ type: 'points.awarded', data });
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signMessage([signingKey(signedBy)], { id: 'msg_1', seconds, body }),
  };
  return { headers, body, path: '/', at: 0 };
}

describe('punchcard simulate webhooks', () => {
  it('verifies, and says what the event is and how often it came', () => {
    const seen = new Map<string, number>();
    const line = 'points.awarded pass_1 evt_1 {"points":5}';
    assert.equal(describeMessage(message(secret), secret, seen), `verified: 7 ${line}`);
    assert.equal(describeMessage(message(secret), secret, seen), `verified, for the 2. time: 7 ${line}`);
    assert.match(describeMessage(message(newSigningSecret()), secret, new Map()), /^WRONG SIGNATURE/);
    assert.match(describeMessage(message(secret, 1_614_265_330), secret, new Map()), /^WRONG SIGNATURE/);
    assert.match(describeMessage(message(secret), null, new Map()), /^not verified/);
    assert.match(
      describeMessage({ ...message(secret), body: 'x' }, secret, new Map()),
      /^WRONG SIGNATURE: x$/,
    );
  });

  it('answers on demand', async () => {
    const receiver = await EventReceiver.start();
    try {
      receiver.answering = readAnswering({ ...usual, status: '201', failFirst: '1' });
      const post = () => fetch(receiver.url, { method: 'POST', body: '{}' });
      assert.deepEqual([(await post()).status, (await post()).status], [503, 201]);
      receiver.answering = readAnswering({ ...usual, hang: true });
      await assert.rejects(
        fetch(receiver.url, { method: 'POST', signal: AbortSignal.timeout(100) }),
        /timeout/,
      );
      assert.equal(receiver.received.length, 3);
    } finally {
      await receiver.close();
    }
    assert.throws(() => readAnswering({ ...usual, status: 'teapot' }), /--status/);
  });
});
